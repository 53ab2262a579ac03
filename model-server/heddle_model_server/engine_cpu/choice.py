"""One choice of a request while it is generated: its tokens, its text, and when it ends. Knows nothing of cache
content, batches or how tokens are drawn."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ..request import Delta, Logprob
from .logits_processor import LogitsProcessor
from .repetition import repeats
from ..chat.detokenizer import Detokenizer
from ..chat.stop import StopStrings

if TYPE_CHECKING:
    from ..model import LoadedModel
    from .running_request import RunningRequest

PROMPT_TAIL = 8


class Choice:
    """all = prompt + output; the cache row holds keys and values of the first `computed` tokens."""

    def __init__(self, running: RunningRequest, index: int, loaded: LoadedModel, special: frozenset[int]):
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
        self.ends = params.stop_token_ids if params.ignore_eos else params.stop_token_ids | loaded.eos
        self.logits_processor: LogitsProcessor | None = None
        if LogitsProcessor.needed(params):
            self.logits_processor = LogitsProcessor(
                params, request.prompt, loaded.vocabulary, params.stop_token_ids | loaded.eos, loaded.device
            )
        self.grammar = request.grammar.copy() if request.grammar else None
        self._grammar_after = request.grammar_after
        self._random = random.Random(None if params.seed is None else f"{params.seed}/{index}")
        self._text = Detokenizer(
            loaded.tokenizer.backend_tokenizer,
            request.prompt[-PROMPT_TAIL:],
            params.skip_special_tokens,
            params.spaces_between_special_tokens,
            special,
        )
        self._stops = StopStrings(params.stop, params.include_stop)
        self._delta = Delta(index, "", [], [])

    @property
    def prefix_key(self) -> tuple:
        """Choices with the same key may share prefixes. Without a salt, only choices of one request do."""
        return (self.request.adapter, self.request.cache_salt or self.request)

    @property
    def output(self) -> list[int]:
        """The generated tokens."""
        return self.all[self.prompt_length :]

    @property
    def generated(self) -> int:
        """How many tokens were generated."""
        return len(self.all) - self.prompt_length

    @property
    def unconstrained(self) -> bool:
        """Whether its logits are used unchanged."""
        return self.logits_processor is None and self.grammar is None

    def uniform(self) -> float:
        """The next uniform number in [0, 1) of its seed."""
        return self._random.random()

    def constrain(self, logits) -> None:
        """Applies the request's parameters and grammar to its logits ([vocabulary]), in place."""
        if self.logits_processor is not None:
            self.logits_processor.apply(logits, self.output)
        if self.grammar is not None and not self._grammar_after:
            self.grammar.mask(logits)

    def observe(self, token: int) -> bool:
        """Updates logits processor and grammar with a token; true if the grammar is complete."""
        if self.logits_processor is not None:
            self.logits_processor.observe(token)
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
        self.all.append(token)
        delta = self._delta
        delta.tokens.append(token)
        if logprob is not None:
            delta.logprobs.append(logprob)
        complete = self.observe(token)
        ended = self.generated >= params.min_tokens
        if ended and token in self.ends:
            if params.include_stop and not params.skip_special_tokens:
                delta.text += self._stops.pass_through(self._text.push(token))
            self._end("stop", token if token in params.stop_token_ids else None)
        else:
            text = self._text.push(token)
            stop = None
            if not self._has_stop_strings:
                delta.text += text
            elif ended:
                text, stop = self._stops.push(text)
                delta.text += text
            else:
                delta.text += self._stops.pass_through(text)
            if stop is not None:
                delta.finish, delta.stop_reason = "stop", stop
            elif complete:
                self._end("stop", None)
            elif params.repetition and repeats(self.output, params.repetition):
                self._end("repetition", "repetition_detected")
            elif self.generated >= params.max_tokens:
                self._end("length", None)
        return delta.finish is not None

    @property
    def _has_stop_strings(self) -> bool:
        return bool(self.request.params.stop)

    def end_early(self) -> None:
        """Ends the choice because no token is allowed."""
        self._end("stop", None)

    def _end(self, reason: str, stop: str | int | None) -> None:
        delta = self._delta
        text = self._text.flush()
        if self._has_stop_strings:
            text, found = self._stops.push(text)
            text = text if found is not None else text + self._stops.flush()
        delta.text += text
        delta.finish, delta.stop_reason = reason, stop

    def delta(self) -> Delta | None:
        """Removes and returns the pending delta; None if nothing is to be sent."""
        delta = self._delta
        if delta.finish is None and not (self.request.stream and delta.tokens):
            return None
        self._delta = Delta(self.index, "", [], [])
        return delta

    def branch(self, other: Choice) -> None:
        """Becomes a copy of another choice of the same request, except for its row."""
        self.all = list(other.all)
        self.computed = other.computed
        self.logits_processor = other.logits_processor.copy() if other.logits_processor else None
        self.grammar = other.grammar.copy() if other.grammar else None
        self._grammar_after = other._grammar_after
