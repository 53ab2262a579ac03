"""Buffers the events of a request until they are sent. Deltas that a slow reader hasn't taken are merged into one
per choice, so that the buffer never exceeds the answer. Runs on the event loop; knows nothing of gRPC calls."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from heddle.node.v1 import node_pb2 as pb

from ..chat.output_parser import OutputParser, ParsedOutput
from ..request import Delta, Done, Event, Failed, Started
from .messages import error_message
from .prepare import PreparedRequest


class EventBuffer:
    def __init__(self, prepared: PreparedRequest, on_event: Callable[[], None] | None = None):
        """on_event: called when something was added, for readers that use take() and not get()."""
        self._prepared = prepared
        self._encoder = prepared.encoder
        self._answers: dict[int, OutputParser] = {}
        self._reasoning_tokens = 0
        self._ready: deque[pb.GenerateEvent] = deque()
        # The unread delta of each choice in _ready; later deltas are merged into it.
        self._waiting: dict[int, pb.Delta] = {}
        self._arrived = asyncio.Event()
        self._on_event = on_event
        # While true, new events don't wake the reader.
        self._coalescing = False
        self.finished = False
        # The request failed in this buffer, so the engine still runs it.
        self.broken = False

    def put(self, event: Event) -> None:
        """Adds an event of the engine."""
        if self.finished:
            return
        if isinstance(event, Delta):
            self._delta(event)
        elif isinstance(event, Started):
            started = pb.Started(
                prompt_tokens=event.prompt_tokens,
                cached_tokens=event.cached_tokens,
                prompt_token_ids=self._prepared.prompt_ids or [],
                queue_ms=event.queue_s * 1000,
                role=self._prepared.role,
            )
            self._ready.append(pb.GenerateEvent(started=started))
        elif isinstance(event, Done):
            self._ready.append(pb.GenerateEvent(done=self._encoder.done(event, self._reasoning_tokens)))
            self.finished = True
        elif isinstance(event, Failed):
            self._ready.append(pb.GenerateEvent(error=error_message(event.error)))
            self.finished = True
        if self._on_event:
            self._on_event()
        elif self.finished or not self._coalescing:
            self._arrived.set()

    @property
    def waiting(self) -> bool:
        """Whether events are unread."""
        return bool(self._ready)

    @property
    def started(self) -> bool:
        """Whether a part of the answer has come."""
        return bool(self._answers)

    def take(self) -> list[pb.GenerateEvent]:
        """Removes and returns all unread events."""
        events = list(self._ready)
        self._ready.clear()
        self._waiting.clear()
        return events

    async def get(self, not_before: float = 0.0) -> pb.GenerateEvent:
        """Removes and returns the next event. Waits until `not_before` (the loop's clock) unless the request has
        finished; deltas that come meanwhile are merged."""
        if not_before and not self.finished:
            await self._coalesce(not_before)
        while not self._ready:
            self._arrived.clear()
            await self._arrived.wait()
        event = self._ready.popleft()
        if event.WhichOneof("event") == "delta":
            self._waiting.pop(event.delta.index, None)
        return event

    async def _coalesce(self, not_before: float) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() >= not_before:
            return
        self._coalescing = True
        self._arrived.clear()
        timer = loop.call_at(not_before, self._arrived.set)
        try:
            await self._arrived.wait()
        finally:
            timer.cancel()
            self._coalescing = False

    def _delta(self, event: Delta) -> None:
        answer = self._answers.get(event.index)
        first = answer is None
        if first:
            answer = self._answers[event.index] = OutputParser(self._prepared.output_format)
        in_reasoning = answer.in_reasoning
        parsed = answer.feed(event.text)
        if in_reasoning or answer.in_reasoning or parsed.reasoning:
            self._reasoning_tokens += self._reasoning_share(event, parsed, answer.in_reasoning)
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
        self._add(delta, event, parsed, answer)

    @staticmethod
    def _reasoning_share(event: Delta, parsed: ParsedOutput, in_reasoning: bool) -> int:
        """How many tokens of a delta were reasoning: all, if it brought no content; otherwise in proportion to the
        text."""
        if in_reasoning or not event.text:
            return len(event.tokens)
        return round(len(event.tokens) * (1 - len(parsed.content) / len(event.text)))

    def _add(self, delta: pb.Delta, event: Delta, parsed: ParsedOutput, answer: OutputParser) -> None:
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
