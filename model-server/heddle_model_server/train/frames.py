"""Messages over a pipe: a length of four bytes, then JSON. Pure."""

from __future__ import annotations

import json
from typing import BinaryIO

LENGTH = 4


def frame(message: dict) -> bytes:
    """A message as bytes."""
    content = json.dumps(message, allow_nan=False).encode()
    return len(content).to_bytes(LENGTH, "big") + content


def read_frame(pipe: BinaryIO) -> dict | None:
    """The next message; None at the end of the pipe."""
    length = pipe.read(LENGTH)
    if len(length) < LENGTH:
        return None
    size = int.from_bytes(length, "big")
    content = pipe.read(size)
    return json.loads(content) if len(content) == size else None
