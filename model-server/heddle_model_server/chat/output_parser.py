"""Splits what a model writes into content, reasoning and tool calls, as it comes. Pure; knows nothing of tokens."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field

from ..text.stop import StopStrings

THINK, THINK_END = "<think>", "</think>"
CALL, CALL_END = "<tool_call>", "</tool_call>"


@dataclass(slots=True)
class CallDelta:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Parts:
    content: str = ""
    reasoning: str = ""
    calls: list[CallDelta] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """reasoning: text between think marks at the beginning is reasoning. opened: the prompt has opened it already.
    calls: none; auto (calls between marks); function (the whole answer is one function's arguments); required (the answer
    is an array of calls)."""

    reasoning: bool = False
    opened: bool = False
    calls: str = "none"
    function: str = ""
    parallel: bool = True


class Answer:
    """One choice's answer."""

    def __init__(self, shape: AnswerShape):
        self._shape = shape
        self._state = "reasoning" if shape.reasoning and shape.opened else "start" if shape.reasoning else "content"
        self._held = ""
        self._calls = 0
        self._scanned = 0
        # Reasoning, and the content after it, begin with their first visible character.
        self._trim = False

    @property
    def thinking(self) -> bool:
        return self._state == "reasoning"

    @property
    def called(self) -> bool:
        return self._calls > 0

    def feed(self, text: str) -> Parts:
        parts = Parts()
        self._held += text
        while self._step(parts):
            pass
        return parts

    def finish(self) -> Parts:
        """What is still held. A call may lack its end, which was what stopped it; one that was cut off is shown as text."""
        parts = Parts()
        held, self._held = self._held, ""
        if self._state == "reasoning":
            parts.reasoning = held
        elif self._state == "call":
            call = call_in(held)
            if call is None:
                parts.content = CALL + held
            elif self._shape.parallel or self._calls == 0:
                self._add(call, parts)
        elif self._shape.calls != "required" or not self._calls:
            parts.content = held
        return parts

    def _step(self, parts: Parts) -> bool:
        """Takes what can be decided from the front of what is held; true if there may be more."""
        if self._state == "start":
            visible = self._held.lstrip()
            if visible.startswith(THINK):
                self._held = visible[len(THINK) :]
                self._state = "reasoning"
                self._trim = True
                return True
            if THINK.startswith(visible):
                return False
            self._state = "content"
            return True
        if self._state == "reasoning":
            if self._trim:
                self._held = self._held.lstrip("\n")
                self._trim = not self._held
            text, found = self._until(THINK_END)
            parts.reasoning += text
            if found:
                self._state = "content"
                self._trim = True
            return found
        if self._state == "call":
            at = self._held.find(CALL_END)
            if at < 0:
                return False
            body, self._held = self._held[:at], self._held[at + len(CALL_END) :]
            self._state = "content"
            self._call(body, parts)
            return True
        return self._content(parts)

    def _content(self, parts: Parts) -> bool:
        if self._trim:
            self._held = self._held.lstrip()
            if not self._held:
                return False
            self._trim = False
        if self._shape.calls == "function":
            if self._held:
                first = self._calls == 0
                self._calls = 1
                parts.calls.append(
                    CallDelta(0, new_id() if first else "", self._shape.function if first else "", self._held)
                )
                self._held = ""
            return False
        if self._shape.calls == "required":
            self._array(parts)
            return False
        if self._shape.calls == "auto":
            text, found = self._until(CALL)
            parts.content += text
            if found:
                self._state = "call"
            return found
        parts.content += self._held
        self._held = ""
        return False

    def _until(self, mark: str) -> tuple[str, bool]:
        """Text up to a mark, without the line ends before it; or what is certainly before any."""
        at = self._held.find(mark)
        if at >= 0:
            text, self._held = self._held[:at], self._held[at + len(mark) :]
            return text.rstrip("\n"), True
        cut = len(self._held) - StopStrings.beginning(self._held, mark)
        cut = len(self._held[:cut].rstrip("\n"))
        text, self._held = self._held[:cut], self._held[cut:]
        return text, False

    def _call(self, body: str, parts: Parts) -> None:
        call = call_in(body)
        if call is None:
            parts.content += CALL + body + CALL_END
        elif self._shape.parallel or self._calls == 0:
            self._add(call, parts)

    def _add(self, call: tuple[str, str], parts: Parts) -> None:
        parts.calls.append(CallDelta(self._calls, new_id(), *call))
        self._calls += 1

    def _array(self, parts: Parts) -> None:
        """Calls of an array, each as soon as it is whole."""
        while True:
            rest = self._held.lstrip("[, \n\t\r")
            if not rest.startswith("{") or "}" not in self._held[self._scanned :]:
                return
            try:
                value, end = json.JSONDecoder().raw_decode(rest)
            except ValueError:
                self._scanned = len(self._held)
                return
            self._held = rest[end:]
            self._scanned = 0
            if isinstance(value, dict):
                call = call_of_value(value)
                if call and (self._shape.parallel or self._calls == 0):
                    self._add(call, parts)


def new_id() -> str:
    return f"call_{secrets.token_hex(12)}"


def call_in(body: str) -> tuple[str, str] | None:
    """Name and arguments (as JSON) of a call written as JSON; None if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return call_of_value(value) if isinstance(value, dict) else None


def call_of_value(value: dict) -> tuple[str, str] | None:
    name = value.get("name")
    arguments = value.get("arguments", value.get("parameters", {}))
    if not isinstance(name, str):
        return None
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
