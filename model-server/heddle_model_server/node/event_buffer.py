"""Carries events from the engine's thread to the event loop, with one wake-up per step however many requests there are, and
buffers those of each request until they are sent. Deltas that a slow reader hasn't taken are merged into one per choice, so
that the buffer never exceeds the answer."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from heddle.node.v1 import node_pb2 as pb

from ..chat.output_parser import ChoiceParser
from ..errors import as_node_error
from ..request import Delta, Done, Embedded, Event, Failed, Started
from .adapter_cache import CachedAdapter
from .messages import error_message
from .prepare import PreparedRequest


class EventBuffer:
    def __init__(
        self,
        prepared: PreparedRequest,
        on_event: Callable[[], None] = lambda: None,
        adapter_entry: CachedAdapter | None = None,
    ):
        """on_event: called when something was added. adapter_entry: what the request uses."""
        self._prepared = prepared
        self.request_id = prepared.request.id
        self.adapter_entry = adapter_entry
        self._encoder = prepared.encoder
        self._answers: dict[int, ChoiceParser] = {}
        self._reasoning_tokens = 0
        self._ready: list[pb.GenerateEvent] = []
        # The unread delta of each choice in _ready; later deltas are merged into it.
        self._waiting: dict[int, pb.Delta] = {}
        self._on_event = on_event
        self.finished = self._embedded = False
        # The request failed in this buffer, so the engine still runs it.
        self.broken = False

    def put(self, event: Event) -> None:
        """Adds an event of the engine."""
        if self.finished:
            return
        if isinstance(event, Delta):
            self._delta(event)
        elif isinstance(event, Started):
            told = {
                "prompt_tokens": event.prompt_tokens,
                "cached_tokens": event.cached_tokens,
                "queue_ms": event.queue_s * 1000,
            }
            started = pb.GenerateEvent(started=pb.Started(**told))
            started.started.MergeFrom(self._prepared.started)
            self._ready.append(started)
        elif isinstance(event, Embedded):
            self._ready.append(pb.GenerateEvent(embedding=pb.Embedding(index=event.index, values=event.values)))
            self._embedded = True
        elif isinstance(event, Done):
            self._ready.append(pb.GenerateEvent(done=self._encoder.done(event, self._reasoning_tokens)))
            self.finished = True
        elif isinstance(event, Failed):
            self._ready.append(pb.GenerateEvent(error=error_message(event.error)))
            self.finished = True
        self._on_event()

    @property
    def started(self) -> bool:
        """Whether a part of the answer has come."""
        return self._embedded or bool(self._answers)

    def take(self) -> list[pb.GenerateEvent]:
        """Removes and returns all unread events."""
        events, self._ready = self._ready, []
        self._waiting.clear()
        return events

    def _delta(self, event: Delta) -> None:
        answer = self._answers.get(event.index)
        first = answer is None
        if first:
            answer = self._answers[event.index] = self._prepared.new_parser()
        in_reasoning = answer.in_reasoning
        parsed = answer.feed(event)
        if in_reasoning or answer.in_reasoning or parsed.reasoning:
            # All tokens, if they brought no content; else in proportion to the text.
            content = 0 if answer.in_reasoning or not event.text else len(parsed.content) / len(event.text)
            self._reasoning_tokens += round(len(event.tokens) * (1 - content))
        if event.finish is not None:
            rest = answer.finish()
            parsed.content += rest.content
            parsed.reasoning += rest.reasoning
            parsed.calls += rest.calls
        if first:
            parsed.content = self._prepared.echo + parsed.content
        delta = self._waiting.get(event.index)
        if delta is None:
            message = pb.GenerateEvent(delta=pb.Delta(index=event.index))
            self._ready.append(message)
            delta = self._waiting[event.index] = message.delta
        delta.text += parsed.content
        if not self._prepared.hide_reasoning:
            delta.reasoning += parsed.reasoning
        for call in parsed.calls:
            delta.tool_calls.add(index=call.index, id=call.id, name=call.name, arguments=call.arguments)
        delta.token_ids.extend(event.tokens)
        if event.logprobs:
            delta.logprobs.extend(map(self._encoder.logprob, event.logprobs))
        if event.finish is not None:
            delta.finish.reason = "tool_calls" if event.finish == "stop" and answer.has_calls else event.finish
            if answer.has_calls:
                return
            if isinstance(event.stop_reason, str):
                delta.finish.stop = event.stop_reason
            elif event.stop_reason is not None:
                delta.finish.stop_token_id = event.stop_reason


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
            # The loop may be closed; then nobody waits for the events.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, events)

    @staticmethod
    def _deliver(events: list[tuple[EventBuffer, Event]]) -> None:
        for buffer, event in events:
            try:
                buffer.put(event)
            except Exception as error:
                # One answer that can't be parsed must not block the others.
                log.exception("an answer could not be parsed")
                buffer.broken = True
                buffer.put(Failed(as_node_error(error)))
