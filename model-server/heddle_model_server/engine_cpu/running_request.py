"""A request inside the engine: its choices and its usage. Knows nothing of rows or passes."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..request import Done, Event, Failed, Logprob, Request, Started
from .choice import Choice


class RunningRequest:
    def __init__(
        self, request: Request, send: Callable[[Event], None], on_end: Callable[[RunningRequest], None] = lambda _: None
    ):
        """send: takes the request's events, in order, on the engine's thread; must not block. on_end: called once,
        just before the last event."""
        self.request = request
        self._send = send
        self._on_end = on_end
        self.choices: list[Choice] = []
        self.open_choices = 0
        self.completion_tokens = 0
        self.cached_tokens = 0
        self.prompt_logprobs: list[list[Logprob]] | None = None
        self.started_at = 0.0
        self.first_token_at = 0.0
        # True after the last event; nothing is sent after it.
        self.ended = False
        self.beams = None

    @property
    def order(self) -> tuple[int, float]:
        """The sort key of scheduling: priority, then arrival."""
        return (self.request.priority, self.request.arrived)

    def start(self, cached: int) -> None:
        """Sends the first event. cached: prompt tokens found in the cache."""
        if self.started_at:
            return
        self.started_at = time.monotonic()
        self.cached_tokens = cached
        self._send(Started(len(self.request.prompt), cached, self.started_at - self.request.arrived))

    def progress(self, choice: Choice, finished: bool) -> None:
        """Records that a choice got a token, and sends what is due."""
        if not self.first_token_at:
            self.first_token_at = time.monotonic()
        self.completion_tokens += 1
        self.flush(choice, finished)

    def flush(self, choice: Choice, finished: bool) -> None:
        """Sends a choice's pending delta; ends the request with its last choice."""
        delta = choice.delta()
        if delta is not None:
            self._send(delta)
        if finished:
            self.open_choices -= 1
            if self.open_choices == 0:
                self.finish()

    def send(self, event: Event) -> None:
        """Sends an event."""
        self._send(event)

    def finish(self) -> None:
        """Sends the last event."""
        now = time.monotonic()
        self.ended = True
        self._on_end(self)
        self._send(
            Done(
                prompt_tokens=len(self.request.prompt),
                completion_tokens=self.completion_tokens,
                cached_tokens=self.cached_tokens,
                prompt_logprobs=self.prompt_logprobs,
                first_token_s=(self.first_token_at or now) - self.request.arrived,
                total_s=now - self.request.arrived,
            )
        )

    def fail(self, error: Exception) -> None:
        """Sends an error as the last event."""
        if not self.ended:
            self.ended = True
            self._on_end(self)
            self._send(Failed(error))
