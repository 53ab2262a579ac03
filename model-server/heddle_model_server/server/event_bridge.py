"""Carries events from the engine's thread to mailboxes on the event loop: one wake-up a step, whatever the number of
requests. Knows nothing of what it carries."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ..errors import NodeError
from ..request import Event, Failed
from .event_buffer import Mailbox

log = logging.getLogger(__name__)


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
            try:
                mailbox.put(event)
            except Exception:
                # One answer that can't be read must not hold up the others of the step.
                log.exception("an answer could not be read")
                mailbox.broken = True
                mailbox.put(Failed(NodeError("INTERNAL", "The node failed at this request.")))
