"""A request inside the engine: its choices and its usage. Knows nothing of rows or passes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..request import Done, Event, Failed, Logprob, Request, Started
from .choice import Choice

if TYPE_CHECKING:
    import torch

    from .beams import Beams


class RunningRequest:
    def __init__(
        self, request: Request, send: Callable[[Event], None], on_end: Callable[[RunningRequest], None] = lambda _: None
    ):
        """send: takes the request's events, in order, on the engine's thread; must not block. on_end: called once,
        just before the last event."""
        self.request = request
        self.send = send
        self._on_end = on_end
        self.choices: list[Choice] = []
        self.open_choices = 0
        self.completion_tokens = 0
        self.cached_tokens = 0
        # Keys and values of the prompt, for the other choices; None: there are none, or they aren't known yet.
        self.prompt_kv: torch.Tensor | None = None
        self.prompt_logprobs: list[list[Logprob]] | None = None
        self.started_at = 0.0
        self.first_token_at = 0.0
        # True after the last event; nothing is sent after it.
        self.ended = False
        self.beams: Beams | None = None

    @property
    def order(self) -> tuple[int, float]:
        """The sort key of scheduling: priority, then arrival."""
        return (self.request.priority, self.request.arrived)

    def start(self, cached: int) -> None:
        """Sends the first event. cached: prompt tokens found in the cache."""
        self.started_at = time.monotonic()
        self.cached_tokens = cached
        self.send(Started(len(self.request.prompt), cached, self.started_at - self.request.arrived))

    def progress(self, choice: Choice, finished: bool, token: bool) -> None:
        """Sends what is due of a choice; ends the request with its last choice. token: whether it got one."""
        self.first_token_at = self.first_token_at or time.monotonic()
        self.completion_tokens += token
        delta = choice.delta()
        if delta is not None:
            self.send(delta)
        if finished:
            self.open_choices -= 1
            if self.open_choices == 0:
                self.finish()

    def finish(self) -> None:
        """Sends the last event."""
        now = time.monotonic()
        self.ended = True
        self._on_end(self)
        self.send(
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
            self.send(Failed(error))
