"""Converts chunks of vLLM's completions API to the events of a request. Knows nothing of connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..errors import NodeError
from ..request import Delta, Done, Event, Logprob, Request, Started
from .special_token_spacing import SpecialTokenSpacing

ID = "token_id:"


@dataclass(slots=True)
class PendingDelta:
    """A choice's output that wasn't sent yet; without streaming it goes out in one piece."""

    text: str = ""
    tokens: list[int] = field(default_factory=list)
    logprobs: list[Logprob] = field(default_factory=list)


class CompletionParser:
    def __init__(self, request: Request, spacing: Callable[[], SpecialTokenSpacing] | None = None):
        """spacing: makes a choice's SpecialTokenSpacing; None: no spaces are inserted."""
        self._request = request
        self._new_spacing = spacing
        self._spacing: dict[int, SpecialTokenSpacing] = {}
        self._waiting: dict[int, PendingDelta] = {}
        self._prompt_logprobs: list[list[Logprob]] | None = None
        self._begun = time.monotonic()
        self._first = 0.0
        self.generated = 0
        # Choices that have ended.
        self.finished = 0
        self._cached = 0
        self._started = False

    def events(self, chunk: dict) -> Iterator[Event]:
        """The events of a chunk, or of a whole response. Raises NodeError for a chunk that reports an error."""
        if "error" in chunk:
            raise NodeError("INTERNAL", "The node failed to process this request; try again.")
        if not self._started:
            self._started = True
            yield Started(len(self._request.prompt), 0, time.monotonic() - self._begun)
        usage = chunk.get("usage")
        if usage:
            self._cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        for choice in chunk.get("choices", ()):
            yield from self._choice(choice)

    def end(self) -> Done:
        """The last event."""
        now = time.monotonic()
        arrived = self._request.arrived or self._begun
        prompt = self._prompt_logprobs if self._request.params.prompt_logprobs is not None else None
        return Done(
            prompt_tokens=len(self._request.prompt),
            completion_tokens=self.generated,
            cached_tokens=self._cached,
            prompt_logprobs=prompt,
            first_token_s=(self._first or now) - arrived,
            total_s=now - arrived,
        )

    def _choice(self, choice: dict) -> Iterator[Event]:
        index = choice["index"]
        tokens = choice.get("token_ids") or []
        if tokens and not self._first:
            self._first = time.monotonic()
        self.generated += len(tokens)
        listed = choice.get("prompt_logprobs")
        if listed is not None:
            self._prompt_logprobs = prompt_logprobs(listed, self._request.prompt)
        written = self._waiting.setdefault(index, PendingDelta())
        written.text += self._with_spacing(index, tokens, choice.get("text") or "")
        written.tokens += tokens
        written.logprobs += logprobs(choice.get("logprobs"), self._request.params.logprobs)
        finish = choice.get("finish_reason")
        if finish is None and not (self._request.stream and (written.tokens or written.text)):
            return
        del self._waiting[index]
        self.finished += finish is not None
        yield Delta(
            index=index,
            text=written.text,
            tokens=written.tokens,
            logprobs=written.logprobs,
            finish=finish,
            stop_reason=choice.get("stop_reason"),
        )

    def _with_spacing(self, index: int, tokens: list[int], text: str) -> str:
        if self._new_spacing is None:
            return text
        if index not in self._spacing:
            self._spacing[index] = self._new_spacing()
        return self._spacing[index].put(tokens, text)


def logprobs(given: dict | None, top: int | None) -> list[Logprob]:
    """The logprobs of generated tokens, each with its `top` most likely alternatives."""
    if not given or top is None:
        return []
    likely = given.get("top_logprobs") or [None] * len(given["tokens"])
    return [
        of_token(token_id(name), value or 0.0, ranked(others or {}, top))
        for name, value, others in zip(given["tokens"], given["token_logprobs"], likely)
    ]


def ranked(others: dict[str, float], top: int) -> tuple[Logprob, ...]:
    """The `top` most likely tokens; vLLM also lists the sampled token if it isn't among them."""
    order = sorted(((value, token_id(name)) for name, value in others.items()), key=lambda one: -one[0])[:top]
    return tuple(Logprob(token, value, rank) for rank, (value, token) in enumerate(order, 1))


def of_token(token: int, value: float, likely: tuple[Logprob, ...]) -> Logprob:
    """A token's logprob; its rank is 0 (unknown) unless it is among the alternatives."""
    rank = next((one.rank for one in likely if one.token == token), 0)
    return Logprob(token, value, rank, likely)


def prompt_logprobs(listed: list[dict | None], prompt: list[int]) -> list[list[Logprob]]:
    """One list per prompt token: the token itself, then the more likely ones."""
    result: list[list[Logprob]] = []
    for token, given in zip(prompt, listed):
        all_of = [Logprob(int(name), one["logprob"], one.get("rank") or 0) for name, one in (given or {}).items()]
        all_of.sort(key=lambda one: (one.token != token, one.rank))
        result.append(all_of)
    return result


def token_id(name: str) -> int:
    """The id in `token_id:{id}`."""
    return int(name.removeprefix(ID))
