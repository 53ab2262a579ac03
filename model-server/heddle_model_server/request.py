"""One request as the engine takes it: validated, rendered and tokenised."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import pydantic.dataclasses
from pydantic import AfterValidator, Field

# The health check comes before every other request.
HEALTH_PRIORITY = -(2**40)


@dataclass(frozen=True, slots=True)
class Repetition:
    """Ends a choice when its last tokens are one pattern of min_size to max_size tokens, min_count times in a row."""

    min_size: int
    max_size: int
    min_count: int


def number(kind: type = float, **bounds):
    """The type of a finite number within bounds, as pydantic names them."""
    return Annotated[kind, Field(**bounds, **({"allow_inf_nan": False} if kind is float else {}))]


@pydantic.dataclasses.dataclass(frozen=True, slots=True)
class Params:
    """What to generate and how, with bounds. Every default means "off".

    vLLM's sampler on GPUs has room for so many token ids (v1/worker/gpu/sample: logit_bias.py, bad_words.py); what is above
    raises within a step and ends the engine. Of its 128 stop tokens a few are those that end the model's answers."""

    n: number(int, ge=1, le=128) = 1
    temperature: number(ge=0, le=100) = 1.0
    top_p: number(gt=0, le=1) = 1.0
    # -1 is as good as 0.
    top_k: Annotated[int, Field(ge=-1), AfterValidator(lambda count: max(count, 0))] = 0
    min_p: number(ge=0, le=1) = 0.0
    frequency_penalty: number(ge=-2, le=2) = 0.0
    presence_penalty: number(ge=-2, le=2) = 0.0
    repetition_penalty: number(gt=0, le=100) = 1.0
    logit_bias: Annotated[dict[int, number(ge=-100, le=100)], Field(max_length=1024)] = field(default_factory=dict)
    allowed_token_ids: Annotated[tuple[int, ...], Field(min_length=1, max_length=1024)] | None = None
    # Forbidden token sequences: the last token must not follow the others.
    bad_sequences: Annotated[tuple[tuple[int, ...], ...], Field(max_length=128)] = ()
    seed: int | None = None
    beam: bool = False
    length_penalty: number(ge=-100, le=100) = 1.0

    max_tokens: number(int, ge=1) = 16
    min_tokens: number(int, ge=0) = 0
    stop: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    stop_token_ids: Annotated[frozenset[int], Field(max_length=112)] = frozenset()
    include_stop: bool = False
    ignore_eos: bool = False
    repetition: Repetition | None = None

    # How many of the most likely tokens to list; None: no logprobs.
    logprobs: number(int, ge=0, le=20) | None = None
    # -1: the whole vocabulary.
    prompt_logprobs: number(int, ge=-1) | None = None
    skip_special_tokens: bool = True
    spaces_between_special_tokens: bool = True


@dataclass(slots=True, eq=False)
class Request:
    id: str
    prompt: list[int]
    params: Params
    adapter: Any = None
    # Files, in the order of their places in the prompt; an engine may put what it made of them here.
    images: Sequence[Any] = ()
    # Requests with the same salt share cached prefixes; empty: none are shared.
    cache_salt: str = ""
    priority: int = 0
    # A compiled grammar, copied for each choice; None: free text.
    grammar: Any = None
    # The grammar applies only after these tokens, which end the reasoning that the prompt opened.
    grammar_after: tuple[int, ...] = ()
    # True: one delta per step; False: one per choice.
    stream: bool = True
    arrived: float = 0.0

    @property
    def prompt_tokens(self) -> int:
        """How many the prompt has."""
        return len(self.prompt)


@dataclass(slots=True)
class Embed:
    """A request for embeddings. prompts: the tokens of each text. dimensions: None: all."""

    id: str
    prompts: list[list[int]]
    dimensions: int | None = None
    # As of Request.
    cache_salt: str = ""
    priority: int = 0
    arrived: float = 0.0

    @property
    def prompt_tokens(self) -> int:
        """Of all texts."""
        return sum(map(len, self.prompts))


@dataclass(frozen=True, slots=True)
class Logprob:
    """A log-probability under the model's own distribution. rank counts from 1."""

    token: int
    logprob: float
    rank: int = 0
    top: tuple[Logprob, ...] = ()


@dataclass(slots=True)
class Started:
    prompt_tokens: int
    cached_tokens: int
    queue_s: float


@dataclass(slots=True)
class Delta:
    index: int
    text: str
    tokens: list[int]
    logprobs: list[Logprob]
    # Set in the last delta: stop, length or repetition.
    finish: str | None = None
    stop_reason: str | int | None = None
    # The text that came with each token, if the engine tells: together they are the text.
    pieces: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Done:
    prompt_tokens: int
    completion_tokens: int = 0
    cached_tokens: int = 0
    # One list per prompt token, the token itself first; empty for the first token. None: not requested.
    prompt_logprobs: list[list[Logprob]] | None = None
    first_token_s: float = 0.0
    total_s: float = 0.0


@dataclass(slots=True)
class Failed:
    error: Exception


@dataclass(slots=True)
class Embedded:
    """The vector of a text. values: 32-bit floats, little-endian."""

    index: int
    values: bytes


Event = Started | Delta | Embedded | Done | Failed


class Account:
    """What was done for a request, as its first and its last event tell it. Times are time.monotonic's; 0: not yet."""

    def __init__(self, request: Request | Embed):
        self.request = request
        self.prompt_tokens = request.prompt_tokens
        self.cached = self.generated = 0
        self.prompt_logprobs: list[list[Logprob]] | None = None
        self.started_at = self.first_token_at = 0.0

    def start(self, cached: int = 0, at: float = 0.0) -> Started:
        """The first event. cached: prompt tokens found in the cache. at: when work began; 0: now."""
        self.cached, self.started_at = cached, at or time.monotonic()
        return Started(self.prompt_tokens, cached, self.started_at - self.request.arrived)

    def end(self) -> Done:
        """The last event."""
        now, arrived = time.monotonic(), self.request.arrived
        first = (self.first_token_at or now) - arrived
        return Done(self.prompt_tokens, self.generated, self.cached, self.prompt_logprobs, first, now - arrived)
