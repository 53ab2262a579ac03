"""A request inside the engine: its usage, and its choices while they are generated: their tokens, their text, when they end. Knows
nothing of rows, passes, or how tokens are drawn."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..chat.text import ChoiceOutput, repeats
from ..model import Model
from ..request import Account, Event, Failed, Logprob, Request
from .sampling import constrain

if TYPE_CHECKING:
    import torch

    from .beams import Beams


class Choice:
    """all = prompt + output; the row holds keys and values of the first `computed` tokens."""

    def __init__(self, running: RunningRequest, index: int, model: Model):
        request = running.request
        params = request.params
        self.running = running
        self.request = request
        self.index = index
        self.all = list(request.prompt)
        self.prompt_length = len(request.prompt)
        self.row = -1
        self.computed = 0
        # Holds a row but generates nothing: reserved for a beam.
        self.parked = False
        self._all_ends = params.stop_token_ids | model.eos
        self.ends = params.stop_token_ids if params.ignore_eos else self._all_ends
        self.grammar = request.grammar.copy() if request.grammar else None
        self._grammar_after = request.grammar_after
        # The next number in [0, 1) of its seed.
        self.uniform = random.Random(None if params.seed is None else f"{params.seed}/{index}").random
        self.said = ChoiceOutput(request, model, index)

    @property
    def output(self) -> list[int]:
        """The generated tokens."""
        return self.all[self.prompt_length :]

    @property
    def generated(self) -> int:
        """How many tokens were generated."""
        return len(self.all) - self.prompt_length

    def constrain(self, logits) -> None:
        """Applies the request's parameters and grammar to its logits ([vocabulary], float32), in place."""
        constrain(logits, self.request.params, self.request.prompt, self.output, self._all_ends)
        if self.grammar is not None and not self._grammar_after:
            self.grammar.mask(logits)

    def observe(self, token: int) -> bool:
        """Adds a token, without its text; true if the grammar is complete."""
        self.all.append(token)
        if self.grammar is None:
            return False
        if self._grammar_after:
            after = self._grammar_after
            if tuple(self.all[-len(after) :]) == after:
                self._grammar_after = ()
            return False
        return token not in self.ends and self.grammar.advance(token)

    def append(self, token: int, logprob: Logprob | None) -> bool:
        """Adds a generated token; true if the choice has ended."""
        params = self.request.params
        complete = self.observe(token)
        if token in self.ends and self.generated >= params.min_tokens:
            self.said.push(token, logprob, ends=True)
            return self.end("stop", token if token in params.stop_token_ids else None, token)
        if self.said.push(token, logprob):
            return True
        if complete:
            return self.end("stop")
        if params.repetition and repeats(self.output, params.repetition):
            return self.end("repetition", "repetition_detected")
        return self.generated >= params.max_tokens and self.end("length")

    def end(self, reason: str, stop: str | int | None = None, token: int | None = None) -> bool:
        """As ChoiceOutput.end; true, as append says it."""
        self.said.end(reason, stop, token)
        return True

    def fork(self) -> Choice:
        """A choice that goes on from the same tokens, in the same row."""
        other = copy.copy(self)
        other.all = list(self.all)
        other.grammar = self.grammar.copy() if self.grammar else None
        return other


class RunningRequest(Account):
    def __init__(self, request: Request, send: Callable[[Event], None], on_end: Callable[[RunningRequest], None]):
        """send: takes events in order, on the engine's thread; must not block. on_end: called before the last of them."""
        super().__init__(request)
        self.send = send
        self._on_end = on_end
        self.choices: list[Choice] = []
        self.open_choices = 0
        # Keys and values of the prompt, for the other choices; None: there are none, or they aren't known yet.
        self.prompt_kv: torch.Tensor | None = None
        # True after the last event; nothing is sent after it.
        self.ended = False
        self.beams: Beams | None = None

    @property
    def order(self) -> tuple[int, float]:
        """The sort key of scheduling: priority, then arrival."""
        return (self.request.priority, self.request.arrived)

    def progress(self, choice: Choice, finished: bool, token: bool) -> None:
        """Sends what is due of a choice; ends the request with its last choice. token: whether it got one."""
        self.first_token_at = self.first_token_at or time.monotonic()
        self.generated += token
        delta = choice.said.take()
        if delta is not None:
            self.send(delta)
        if finished:
            self.open_choices -= 1
            if self.open_choices == 0:
                self.finish()

    def finish(self) -> None:
        """Sends the last event."""
        self.ended = True
        self._on_end(self)
        self.send(self.end())

    def fail(self, error: Exception) -> None:
        """Sends an error as the last event."""
        if not self.ended:
            self.ended = True
            self._on_end(self)
            self.send(Failed(error))
