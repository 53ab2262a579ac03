"""Opens and reads a job's data, lines of JSON: conversations for SFT, pairs of answers for DPO, judged answers for KTO,
trajectory groups for RL. Reads them as a stream, since they may exceed memory, and counts the samples that a job leaves out."""

import hashlib
import json
import pickle
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ..artifacts.folders import reached, unreachable
from ..artifacts.s3 import S3Store
from ..artifacts.store import parts_of
from .errors import Control, TrainingError
from .tokens import ChatTokens, TokenSequence, Turn

CHUNK_BYTES = 2**20
MAX_LINE_BYTES = 256 * 2**20


def open_data(address: str, sha256: str, scratch: str, control: Control) -> BinaryIO:
    """The file at a path or s3://bucket/key, checked against its hash (empty: not checked). scratch: the folder for
    a downloaded file. Raises BAD_DATA if it is missing or differs."""
    bucket, path = parts_of(address)
    control.report("the training data is fetched")
    if bucket:
        file = download(bucket, path, scratch)
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


def download(bucket: str, key: str, scratch: str) -> BinaryIO | None:
    """An unnamed temporary file, so that nothing of it stays; None if the object doesn't exist."""
    folder, _, name = key.rpartition("/")
    with tempfile.NamedTemporaryFile(dir=scratch or None, prefix="heddle-data-") as place:
        try:
            with reached():
                found = S3Store(bucket, folder).save(name, Path(place.name))
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


def at_line(number: int, why: str) -> TrainingError:
    """An error in one line of the data. why: the end of the sentence, without a full stop."""
    return TrainingError("BAD_DATA", f"Line {number} of the training data can't be used: {why}.")


def tools_of(value: dict, number: int) -> list[dict] | None:
    """The tools of a line's object. Raises BAD_DATA."""
    tools = value.get("tools")
    if tools is not None and not (isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)):
        raise at_line(number, "`tools` must be an array of objects")
    return tools


# What a sample is made of: one list of sequences for each of its answers.
Sides = list[list[TokenSequence]]


@dataclass(frozen=True, slots=True)
class Sample:
    """What is learnt from a line. answers: one, of a conversation all of it; or a good one and a bad one, either of which may be
    empty. line: its line number, from 1. tokens: of the conversation as a model had them, if known."""

    prompt: list[dict]
    answers: tuple[list[dict], ...]
    tools: list[dict] | None = None
    line: int = 0
    tokens: object = None

    def sides(self, chat: ChatTokens) -> Sides:
        """Token sequences with loss on the assistants' messages of each answer, tool calls included; of tokens that are known,
        on those that they name. Raises BAD_DATA naming the line."""
        try:
            kept = chat.kept(self.tokens)
            if kept is not None:
                return [[kept]]
            sides = [chat.sequences(self._turns(answer), self.tools) if answer else [] for answer in self.answers]
        except TrainingError as error:
            raise at_line(self.line, error.message) from error
        if sum(map(bool, self.answers)) > 1 and not all(sides):
            raise at_line(self.line, "each of its answers needs an assistant message")
        return sides

    def _turns(self, answer: list[dict]) -> list[Turn]:
        answered = [Turn(message, message["role"] == "assistant") for message in answer]
        return [*map(Turn, self.prompt), *answered]


def messages_at(value: object, names: tuple[str, ...], number: int) -> list[list[dict]]:
    """The lists of messages that a line has by these names. Raises BAD_DATA."""
    parts = [value.get(name) if isinstance(value, dict) else None for name in names]
    for name, messages in zip(names, parts):
        if not isinstance(messages, list) or not messages:
            raise at_line(number, f"it needs `{name}`, an array with at least one message")
        if not all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in messages):
            raise at_line(number, f"each message of `{name}` needs a role")
    return parts


def read_lines(lines: Iterable[str]) -> Iterator[Sample]:
    """Conversations. Skips empty lines. Raises BAD_DATA naming the line."""
    for number, value in values_of(lines):
        (messages,) = messages_at(value, ("messages",), number)
        if not any(message["role"] == "assistant" for message in messages):
            raise at_line(number, "it has no assistant message, and only those are trained on")
        yield Sample([], (messages,), tools_of(value, number), number, value.get("tokens"))


def read_pairs(lines: Iterable[str]) -> Iterator[Sample]:
    """Two answers to a prompt, of which people, or a score, prefer one. As read_lines."""
    for number, value in values_of(lines):
        prompt, *answers = messages_at(value, ("prompt", "chosen", "rejected"), number)
        yield Sample(prompt, tuple(answers), tools_of(value, number), number)


def read_judged(lines: Iterable[str]) -> Iterator[Sample]:
    """An answer, which people, or a score, call good or bad. As read_lines."""
    for number, value in values_of(lines):
        prompt, completion = messages_at(value, ("prompt", "completion"), number)
        label = value.get("label")
        if not isinstance(label, bool):
            raise at_line(number, "it needs `label`, true or false")
        answers = (completion, []) if label else ([], completion)
        yield Sample(prompt, answers, tools_of(value, number), number)


# Further skipped samples are only counted.
MAX_LOGGED = 20


class SkippedSamples:
    def __init__(self, report: Callable[[str], None]):
        """report: takes a sentence for the job's log."""
        self._report = report
        self.count = 0
        self.first = ""

    def add(self, error: TrainingError) -> None:
        """Counts a skipped sample. Raises the error unless it is BAD_DATA."""
        if error.code != "BAD_DATA":
            raise error
        self.count += 1
        self.first = self.first or error.message
        if self.count <= MAX_LOGGED:
            self._report(f"left out: {error.message}")
        elif self.count == MAX_LOGGED + 1:
            self._report("left out: more of the training data; data/num_left_out of the job's events counts it")

    def nothing_left(self) -> TrainingError:
        """The error if every sample was skipped."""
        return TrainingError("BAD_DATA", f"All of the training data is left out. {self.first}".strip())


class SequenceFile:
    """The token sequences of samples in a temporary file, read back by index. Their logprobs aren't kept."""

    def __init__(self, scratch: str = ""):
        """scratch: a folder; empty: the system's. The file has no name, so nothing of it stays."""
        self._file = tempfile.TemporaryFile(dir=scratch or None, prefix="heddle-tokens-")  # noqa: SIM115
        self._at = array("Q")

    def __len__(self) -> int:
        return len(self._at)

    def append(self, sample: Sides) -> None:
        """Adds a sample. Raises DISK."""
        self._at.append(self._file.seek(0, 2))
        try:
            pickle.dump([[(one.tokens.astype(np.int32), one.trained) for one in side] for side in sample], self._file)
        except OSError as error:
            why = f"The training data can't be stored while it is read: {error.strerror}."
            raise TrainingError("DISK", why) from error

    def __getitem__(self, at: int) -> Sides:
        """The sample at an index, without logprobs (they are NaN)."""
        self._file.seek(self._at[at])
        read = pickle.load(self._file)
        return [[TokenSequence.plain(tokens.astype(np.int64), trained) for tokens, trained in side] for side in read]
