"""Carries events from the engine's thread to mailboxes on the event loop: one wake-up a step, whatever the number of
requests. Knows nothing of what it carries."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ..errors import NodeError
from ..request import Event, Failed
from .event_buffer import EventBuffer

log = logging.getLogger(__name__)


class EventBridge:
    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self._pending: list[tuple[EventBuffer, Event]] = []

    def sender_for(self, buffer: EventBuffer) -> Callable[[Event], None]:
        """What the engine sends a request's events with."""
        return lambda event: self._pending.append((buffer, event))

    def flush(self) -> None:
        """Called on the engine's thread at the end of a step."""
        events, self._pending = self._pending, []
        if events:
            try:
                self._loop.call_soon_threadsafe(self._deliver, events)
            except RuntimeError:
                # The loop is closed: nobody waits any more.
                pass

    @staticmethod
    def _deliver(events: list[tuple[EventBuffer, Event]]) -> None:
        for buffer, event in events:
            try:
                buffer.put(event)
            except Exception:
                # One answer that can't be read must not hold up the others of the step.
                log.exception("an answer could not be read")
                buffer.broken = True
                buffer.put(Failed(NodeError("INTERNAL", "The node failed at this request.")))
