"""Opens a job's data: lines of JSON, read as a stream, since they may exceed memory. Knows nothing of a line's
meaning."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..artifacts.s3 import S3Access, S3Store
from ..artifacts.folders import reached, unreachable
from ..artifacts.store import parts_of
from .control import Control
from .errors import TrainingError

CHUNK_BYTES = 2**20
MAX_LINE_BYTES = 256 * 2**20


def open_data(address: str, sha256: str, scratch: str, control: Control, s3: S3Access | None = None) -> BinaryIO:
    """The file at a path or s3://bucket/key, checked against its hash (empty: not checked). scratch: the folder for
    a downloaded file. Raises BAD_DATA if it is missing or differs."""
    bucket, path = parts_of(address)
    control.report("the training data is fetched")
    if bucket:
        file = download(bucket, path, scratch, s3 or S3Access.of_environment())
    else:
        try:
            file = Path(path).open("rb")  # noqa: SIM115
        except FileNotFoundError:
            file = None
        except OSError as error:
            raise unreachable(error.strerror or "it failed") from error
    if file is None:
        raise TrainingError("BAD_DATA", "The training data is gone; send the job again.")
    if sha256 and hash_of(file, control) != sha256.lower():
        file.close()
        raise TrainingError("BAD_DATA", "The training data is not what was announced: its SHA-256 differs.")
    file.seek(0)
    return file


def download(bucket: str, key: str, scratch: str, s3: S3Access) -> BinaryIO | None:
    """An unnamed temporary file, so that nothing of it stays; None if the object doesn't exist."""
    folder, _, name = key.rpartition("/")
    with tempfile.NamedTemporaryFile(dir=scratch or None, prefix="heddle-data-") as place:
        try:
            with reached():
                found = S3Store(bucket, folder, s3).save(name, Path(place.name))
        except OSError as error:
            raise TrainingError("DISK", f"The training data can't be stored: {error.strerror}.") from error
        return Path(place.name).open("rb") if found else None


def hash_of(file: BinaryIO, control: Control) -> str:
    """The file's SHA-256 in hex."""
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
        control.check()
    return digest.hexdigest()


def lines_of(file: BinaryIO) -> Iterator[str]:
    """The lines as text. Raises BAD_DATA naming the line, from 1."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise at_line(number, f"it is longer than {MAX_LINE_BYTES // 2**20} MiB")
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise at_line(number, "it is not UTF-8") from error


def values_of(lines: Iterable[str]) -> Iterator[tuple[int, object]]:
    """The JSON value of each line, with its line number from 1; skips empty lines. Raises BAD_DATA naming the line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise at_line(number, "it is not JSON") from error
        yield number, value


def groups_of(lines: Iterable[str]) -> Iterator[dict]:
    """Trajectory groups. Raises BAD_DATA naming the line."""
    for number, value in values_of(lines):
        if not isinstance(value, dict):
            raise at_line(number, "it must be a trajectory group, an object")
        yield value


def at_line(number: int, why: str) -> TrainingError:
    """An error in one line of the data. why: the end of the sentence, without a full stop."""
    return TrainingError("BAD_DATA", f"Line {number} of the training data can't be used: {why}.")
