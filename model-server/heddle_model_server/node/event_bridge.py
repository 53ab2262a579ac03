"""Carries events from the engine's thread to the buffers on the event loop, with one wake-up per step however many
requests there are. Knows nothing of what events mean."""

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
        """The function with which the engine sends a request's events."""
        return lambda event: self._pending.append((buffer, event))

    def flush(self) -> None:
        """Hands over the events of a step. Called on the engine's thread at the step's end."""
        events, self._pending = self._pending, []
        if events:
            try:
                self._loop.call_soon_threadsafe(self._deliver, events)
            except RuntimeError:
                # The loop is closed, so nobody waits for the events.
                pass

    @staticmethod
    def _deliver(events: list[tuple[EventBuffer, Event]]) -> None:
        for buffer, event in events:
            try:
                buffer.put(event)
            except Exception:
                # One answer that can't be parsed must not block the others.
                log.exception("an answer could not be parsed")
                buffer.broken = True
                buffer.put(Failed(NodeError("INTERNAL", "The node failed to process this request.")))
