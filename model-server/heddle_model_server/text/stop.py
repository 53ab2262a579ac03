"""Finds stop strings in text that comes in pieces, and holds back what may become one. Pure."""

from __future__ import annotations


class StopStrings:
    def __init__(self, stops: tuple[str, ...], include: bool):
        """include: the stop string is part of the text."""
        self._stops = stops
        self._include = include
        self._held = ""

    def push(self, text: str) -> tuple[str, str | None]:
        """Text that is certain, and the stop string that ended it."""
        if not self._stops:
            return text, None
        held = self._held + text
        found = [(held.find(stop), stop) for stop in self._stops if stop in held]
        if found:
            at, stop = min(found, key=lambda one: (one[0], -len(one[1])))
            self._held = ""
            return held[: at + len(stop)] if self._include else held[:at], stop
        keep = max(self.beginning(held, stop) for stop in self._stops)
        self._held = held[len(held) - keep :]
        return held[: len(held) - keep], None

    def pass_through(self, text: str) -> str:
        """Text in which no stop counts (yet)."""
        held, self._held = self._held + text, ""
        return held

    def flush(self) -> str:
        held, self._held = self._held, ""
        return held

    @staticmethod
    def beginning(text: str, stop: str) -> int:
        """How many of the last characters may be the beginning of the stop string."""
        for length in range(min(len(stop) - 1, len(text)), 0, -1):
            if text.endswith(stop[:length]):
                return length
        return 0
