"""Finds stop strings in streamed text, and holds back text that may become one. Pure."""

from __future__ import annotations


class StopStrings:
    """For one choice."""

    def __init__(self, stops: tuple[str, ...], include: bool):
        """include: whether the stop string is part of the text."""
        self._stops = stops
        self._include = include
        self._held = ""

    def push(self, text: str) -> tuple[str, str | None]:
        """Returns the text that is certain, and the stop string that ended it, if any."""
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
        """Returns text in which stop strings don't count yet."""
        held, self._held = self._held + text, ""
        return held

    def flush(self) -> str:
        """Returns the text held back."""
        held, self._held = self._held, ""
        return held

    @staticmethod
    def beginning(text: str, stop: str) -> int:
        """How many of the last characters may begin the stop string."""
        for length in range(min(len(stop) - 1, len(text)), 0, -1):
            if text.endswith(stop[:length]):
                return length
        return 0
