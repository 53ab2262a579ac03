"""Splits a model's output into content, reasoning and tool calls while it streams. Pure."""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ..request import Delta
from .prompt import Chat
from .text import StopStrings

THINK, THINK_END = "<think>", "</think>"
CALL, CALL_END = "<tool_call>", "</tool_call>"


@dataclass(slots=True)
class ToolCallDelta:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class ParsedOutput:
    content: str = ""
    reasoning: str = ""
    calls: list[ToolCallDelta] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """reasoning: text between think marks at the beginning is reasoning. reasoning_open: the prompt already contains
    the opening mark. calls: none; auto (calls between marks); function (the whole output is one function's
    arguments); required (the output is an array of calls)."""

    reasoning: bool = False
    reasoning_open: bool = False
    calls: str = "none"
    function: str = ""
    parallel: bool = True


class ChoiceParser(Protocol):
    in_reasoning: bool
    has_calls: bool

    def feed(self, delta: Delta) -> ParsedOutput:
        """Takes the next piece of output; returns what it decides."""

    def finish(self) -> ParsedOutput:
        """Returns what is still pending."""


class OutputParsers(Protocol):
    """The parsers that an engine has for its model. tool, reasoning: their names; empty: it has none."""

    tool: str
    reasoning: str

    def new_parser(self, chat: Chat, prompt: list[int], output_format: OutputFormat) -> Callable[[], ChoiceParser]:
        """What makes the parser of a choice, from text with special tokens in it. prompt: the chat's tokens."""


class OutputParser:
    """Parses the output of one choice: reasoning between think marks, calls as JSON between marks."""

    def __init__(self, output_format: OutputFormat):
        self._format = output_format
        self._state = "content"
        if output_format.reasoning:
            self._state = "reasoning" if output_format.reasoning_open else "start"
        self._pending = ""
        self._calls = 0
        self._scanned = 0
        # Leading whitespace of the reasoning, and of the content after it, is dropped.
        self._trim = False

    @property
    def in_reasoning(self) -> bool:
        """Whether the output so far ends inside the reasoning."""
        return self._state == "reasoning"

    @property
    def has_calls(self) -> bool:
        """Whether a tool call was found."""
        return self._calls > 0

    def feed(self, delta: Delta) -> ParsedOutput:
        """Takes the next piece of output; returns what it decides."""
        parsed = ParsedOutput()
        self._pending += delta.text
        while self._step(parsed):
            pass
        return parsed

    def finish(self) -> ParsedOutput:
        """Returns what is still pending. A call may lack its end mark, the stop string; a truncated one becomes text."""
        parsed = ParsedOutput()
        pending, self._pending = self._pending, ""
        if self._state == "reasoning":
            parsed.reasoning = pending
        elif self._state == "call":
            self._call(pending, "", parsed)
        elif self._format.calls != "required" or not self._calls:
            parsed.content = pending
        return parsed

    def _step(self, parsed: ParsedOutput) -> bool:
        """Consumes what can be decided from the front of the pending text; true if there may be more."""
        if self._state == "start":
            visible = self._pending.lstrip()
            if visible.startswith(THINK):
                self._pending = visible[len(THINK) :]
                self._state = "reasoning"
                self._trim = True
                return True
            if THINK.startswith(visible):
                return False
            self._state = "content"
            return True
        if self._state == "reasoning":
            if self._trim:
                self._pending = self._pending.lstrip("\n")
                self._trim = not self._pending
            text, found = self._until(THINK_END)
            parsed.reasoning += text
            if found:
                self._state = "content"
                self._trim = True
            return found
        if self._state == "call":
            at = self._pending.find(CALL_END)
            if at < 0:
                return False
            body, self._pending = self._pending[:at], self._pending[at + len(CALL_END) :]
            self._state = "content"
            self._call(body, CALL_END, parsed)
            return True
        return self._content(parsed)

    def _content(self, parsed: ParsedOutput) -> bool:
        if self._trim:
            self._pending = self._pending.lstrip()
            if not self._pending:
                return False
            self._trim = False
        if self._format.calls == "function":
            if self._pending:
                first = self._calls == 0
                self._calls = 1
                parsed.calls.append(
                    ToolCallDelta(0, new_id() if first else "", self._format.function if first else "", self._pending)
                )
                self._pending = ""
            return False
        if self._format.calls == "required":
            self._array(parsed)
            return False
        if self._format.calls == "auto":
            text, found = self._until(CALL)
            parsed.content += text
            if found:
                self._state = "call"
            return found
        parsed.content += self._pending
        self._pending = ""
        return False

    def _until(self, mark: str) -> tuple[str, bool]:
        """Text up to a mark, without the line ends before it; without a mark, the text that surely precedes one."""
        at = self._pending.find(mark)
        if at >= 0:
            text, self._pending = self._pending[:at], self._pending[at + len(mark) :]
            return text.rstrip("\n"), True
        cut = len(self._pending) - StopStrings.beginning(self._pending, mark)
        cut = len(self._pending[:cut].rstrip("\n"))
        text, self._pending = self._pending[:cut], self._pending[cut:]
        return text, False

    def _call(self, body: str, end: str, parsed: ParsedOutput) -> None:
        try:
            call = call_from_value(json.loads(body))
        except (ValueError, RecursionError):
            call = None
        if call is None:
            parsed.content += CALL + body + end
        else:
            self._add(call, parsed)

    def _add(self, call: tuple[str, str], parsed: ParsedOutput) -> None:
        if self._format.parallel or self._calls == 0:
            parsed.calls.append(ToolCallDelta(self._calls, new_id(), *call))
            self._calls += 1

    def _array(self, parsed: ParsedOutput) -> None:
        """Emits the calls of an array, each as soon as it is complete."""
        while True:
            rest = self._pending.lstrip("[, \n\t\r")
            if not rest.startswith("{") or "}" not in self._pending[self._scanned :]:
                return
            try:
                value, end = json.JSONDecoder().raw_decode(rest)
            except ValueError:
                self._scanned = len(self._pending)
                return
            self._pending = rest[end:]
            self._scanned = 0
            if call := call_from_value(value):
                self._add(call, parsed)


def new_id() -> str:
    """A random id for a tool call."""
    return f"call_{secrets.token_hex(12)}"


def call_from_value(value: object) -> tuple[str, str] | None:
    """Name and arguments (JSON text) of a decoded call; None if it isn't one."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    return value["name"], arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
