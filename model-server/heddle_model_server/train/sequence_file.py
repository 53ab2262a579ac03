"""Token sequences in a temporary file, in lists that are read back by index: data may exceed memory. Knows nothing
of what they are for."""

from __future__ import annotations

import tempfile
from array import array

import numpy as np

from .errors import TrainingError
from .tokens import TokenSequence


class SequenceFile:
    def __init__(self, scratch: str = ""):
        """scratch: a folder; empty: the system's. The file has no name, so nothing of it stays."""
        self._file = tempfile.TemporaryFile(dir=scratch or None, prefix="heddle-tokens-")
        self._at = array("Q")

    def __len__(self) -> int:
        return len(self._at)

    def append(self, sequences: list[TokenSequence]) -> None:
        """Adds a list of sequences. Raises DISK."""
        self._file.seek(0, 2)
        self._at.append(self._file.tell())
        try:
            self._file.write(np.array([len(sequences), *map(len, sequences)], np.int64).tobytes())
            for one in sequences:
                self._file.write(one.tokens.astype(np.int32).tobytes())
                self._file.write(one.trained.tobytes())
        except OSError as error:
            why = f"The training data can't be stored while it is read: {error.strerror}."
            raise TrainingError("DISK", why) from error

    def __getitem__(self, at: int) -> list[TokenSequence]:
        """The list at an index, without logprobs (they are NaN)."""
        self._file.seek(self._at[at])
        (count,) = self._numbers(1, np.int64)
        lengths = self._numbers(int(count), np.int64)
        found = []
        for length in lengths:
            tokens = self._numbers(int(length), np.int32).astype(np.int64)
            trained = self._numbers(int(length), np.bool_)
            unknown = np.full(int(length), np.nan, np.float32)
            found.append(TokenSequence(tokens, trained, unknown, unknown))
        return found

    def _numbers(self, count: int, kind) -> np.ndarray:
        return np.frombuffer(self._file.read(count * np.dtype(kind).itemsize), kind, count)
