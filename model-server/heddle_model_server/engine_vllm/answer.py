"""Converts what vLLM generates for a request to the node's events."""

import time
from collections.abc import Iterator

from ..chat.text import ChoiceOutput
from ..errors import NodeError
from ..model import Model
from ..request import Account, Delta, Event, Logprob, Request


class Answer(Account):
    """The answer to one request; outputs are vLLM's RequestOutput in delta mode."""

    def __init__(self, request: Request, model: Model):
        super().__init__(request)
        self._begun = time.monotonic()
        self._said = [ChoiceOutput(request, model, i) for i in range(request.params.n)]
        self._open = set(range(request.params.n))

    @property
    def over(self) -> bool:
        """Whether every choice has ended, though vLLM may not know it yet."""
        return not self._open

    def events(self, output) -> Iterator[Event]:
        """The events of one output."""
        if not self.started_at:
            if self.request.images:
                # An image is a place in the request's prompt, and many tokens in vLLM's.
                self.prompt_tokens = len(output.prompt_token_ids)
            yield self.start(output.num_cached_tokens or 0)
        if output.prompt_logprobs:
            self.prompt_logprobs = self.prompt_logprobs or []
            prompt = self.request.prompt[len(self.prompt_logprobs) :]
            self.prompt_logprobs += map(prompt_token_logprobs, prompt, output.prompt_logprobs)
        for choice in output.outputs:
            if choice.index in self._open:
                yield from self._choice(choice)

    def beams(self, deltas: list[Delta]) -> Iterator[Event]:
        """The events of a beam search."""
        yield self.start(at=self._begun)
        for delta in deltas:
            self.generated += len(delta.tokens)
            yield delta

    def _choice(self, choice) -> Iterator[Delta]:
        if choice.finish_reason == "error":
            # As vLLM's own server does, which answers 500.
            raise NodeError("INTERNAL", "vLLM could not go on with the answer; send the request again.")
        said, top, stopped = self._said[choice.index], self.request.params.logprobs, False
        self.first_token_at = self.first_token_at or time.monotonic()
        ended_by = choice.token_ids[-1] if choice.finish_reason == "stop" and choice.token_ids else None
        for i, token in enumerate(choice.token_ids):
            self.generated += 1
            told = choice.logprobs is not None and top is not None
            logprob = token_logprob(token, choice.logprobs[i], top) if told else None
            stopped = said.push(token, logprob, ended_by is not None and i == len(choice.token_ids) - 1)
            if stopped:
                break
        if not stopped and choice.finish_reason is not None:
            said.end(choice.finish_reason, choice.stop_reason, ended_by)
        delta = said.take()
        if delta is not None:
            if delta.finish is not None:
                self._open.discard(choice.index)
            yield delta


def token_logprob(token: int, known: dict, top: int) -> Logprob:
    """A token's logprob with the `top` most likely alternatives. known: vLLM's logprobs by token."""
    ranked = sorted(known.items(), key=lambda one: one[1].rank)[:top]
    likely = tuple(Logprob(other, one.logprob, one.rank) for other, one in ranked)
    return Logprob(token, known[token].logprob, known[token].rank, likely)


def prompt_token_logprobs(token: int, known: dict | None) -> list[Logprob]:
    """The logprobs of a prompt token: itself, then the more likely ones. Empty for the first token."""
    listed = [Logprob(other, one.logprob, one.rank or 0) for other, one in (known or {}).items()]
    return sorted(listed, key=lambda one: (one.token != token, one.rank))
