"""What a request's stream still has to send. A reader that is slow finds what came meanwhile joined into one delta a
choice, so that it holds no more than its own answer. Lives on the event loop; knows nothing of gRPC calls."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from heddle.node.v1 import node_pb2 as pb

from ..chat.output_parser import Answer, AnswerShape, Parts
from ..request import Delta, Done, Event, Failed, Started
from .messages import Spelling, error_message
from .prepare import Prepared


class Mailbox:
    def __init__(
        self,
        shape: AnswerShape,
        spelling: Spelling,
        role: str = "assistant",
        echo: str = "",
        prompt_ids: list[int] | None = None,
        hide_reasoning: bool = False,
        told: Callable[[], None] | None = None,
    ):
        """role, echo: of the answer, and what it begins with. prompt_ids: to be told of at the start. told: called when
        something came, for those who take it and don't wait by get."""
        self._shape = shape
        self._spelling = spelling
        self._role = role
        self._echo = echo
        self._prompt_ids = prompt_ids
        self._hide = hide_reasoning
        self._answers: dict[int, Answer] = {}
        self._reasoning_tokens = 0
        self._ready: deque[pb.GenerateEvent] = deque()
        # The delta of each choice that waits in _ready, to be added to.
        self._waiting: dict[int, pb.Delta] = {}
        self._arrived = asyncio.Event()
        self._told = told
        # What comes wakes nobody.
        self._gathers = False
        self.over = False
        # It ended here, and the engine doesn't know.
        self.broken = False

    @classmethod
    def of(cls, prepared: Prepared, told: Callable[[], None] | None = None) -> Mailbox:
        """For the answer to a prepared request."""
        return cls(
            prepared.shape,
            prepared.spelling,
            prepared.role,
            prepared.echo,
            prepared.prompt_ids,
            prepared.hide_reasoning,
            told,
        )

    def put(self, event: Event) -> None:
        if self.over:
            return
        if isinstance(event, Delta):
            self._delta(event)
        elif isinstance(event, Started):
            started = pb.Started(
                prompt_tokens=event.prompt_tokens,
                cached_tokens=event.cached_tokens,
                prompt_token_ids=self._prompt_ids or [],
                queue_ms=event.queue_s * 1000,
                role=self._role,
            )
            self._ready.append(pb.GenerateEvent(started=started))
        elif isinstance(event, Done):
            self._ready.append(pb.GenerateEvent(done=self._spelling.done(event, self._reasoning_tokens)))
            self.over = True
        elif isinstance(event, Failed):
            self._ready.append(pb.GenerateEvent(error=error_message(event.error)))
            self.over = True
        if self._told:
            self._told()
        elif self.over or not self._gathers:
            self._arrived.set()

    @property
    def waiting(self) -> bool:
        return bool(self._ready)

    @property
    def begun(self) -> bool:
        """A part of the answer came."""
        return bool(self._answers)

    def take(self) -> list[pb.GenerateEvent]:
        """All that is there."""
        events = list(self._ready)
        self._ready.clear()
        self._waiting.clear()
        return events

    async def get(self, after: float = 0.0) -> pb.GenerateEvent:
        """The next message; not before `after` (of the loop's clock) unless it is over: what comes meanwhile is
        joined."""
        if after and not self.over:
            await self._gather(after)
        while not self._ready:
            self._arrived.clear()
            await self._arrived.wait()
        event = self._ready.popleft()
        if event.WhichOneof("event") == "delta":
            self._waiting.pop(event.delta.index, None)
        return event

    async def _gather(self, after: float) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() >= after:
            return
        self._gathers = True
        self._arrived.clear()
        timer = loop.call_at(after, self._arrived.set)
        try:
            await self._arrived.wait()
        finally:
            timer.cancel()
            self._gathers = False

    def _delta(self, event: Delta) -> None:
        answer = self._answers.get(event.index)
        first = answer is None
        if first:
            answer = self._answers[event.index] = Answer(self._shape)
        thinking = answer.thinking
        parts = answer.feed(event.text)
        if thinking or answer.thinking or parts.reasoning:
            self._reasoning_tokens += self._thought(event, parts, answer.thinking)
        if event.finish is not None:
            rest = answer.finish()
            parts.content += rest.content
            parts.reasoning += rest.reasoning
            parts.calls += rest.calls
        if first and self._echo:
            parts.content = self._echo + parts.content
        delta = self._waiting.get(event.index)
        if delta is None:
            message = pb.GenerateEvent(delta=pb.Delta(index=event.index))
            self._ready.append(message)
            delta = self._waiting[event.index] = message.delta
        self._add(delta, event, parts, answer)

    @staticmethod
    def _thought(event: Delta, parts: Parts, thinking: bool) -> int:
        """Tokens of a delta that were reasoning: all, where it brought no content; else in proportion to its text."""
        if thinking or not event.text:
            return len(event.tokens)
        return round(len(event.tokens) * (1 - len(parts.content) / len(event.text)))

    def _add(self, delta: pb.Delta, event: Delta, parts: Parts, answer: Answer) -> None:
        delta.text += parts.content
        if not self._hide:
            delta.reasoning += parts.reasoning
        for call in parts.calls:
            delta.tool_calls.add(index=call.index, id=call.id, name=call.name, arguments=call.arguments)
        delta.token_ids.extend(event.tokens)
        if event.logprobs:
            delta.logprobs.extend(map(self._spelling.logprob, event.logprobs))
        if event.finish is not None:
            delta.finish.reason = "tool_calls" if event.finish == "stop" and answer.called else event.finish
            if answer.called:
                return
            if isinstance(event.stop_reason, str):
                delta.finish.stop = event.stop_reason
            elif event.stop_reason is not None:
                delta.finish.stop_token_id = event.stop_reason
