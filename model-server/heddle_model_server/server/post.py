"""Carries events from the engine's thread to mailboxes on the event loop: one wake-up a step, whatever the number of
requests. Knows nothing of what it carries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..request import Event
from .mailbox import Mailbox


class Post:
    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self._bag: list[tuple[Mailbox, Event]] = []

    def to(self, mailbox: Mailbox) -> Callable[[Event], None]:
        """What the engine sends a request's events with."""
        return lambda event: self._bag.append((mailbox, event))

    def flush(self) -> None:
        """Called on the engine's thread at the end of a step."""
        bag, self._bag = self._bag, []
        if bag:
            try:
                self._loop.call_soon_threadsafe(self._deliver, bag)
            except RuntimeError:
                # The loop is closed: nobody waits any more.
                pass

    @staticmethod
    def _deliver(bag: list[tuple[Mailbox, Event]]) -> None:
        for mailbox, event in bag:
            mailbox.put(event)
