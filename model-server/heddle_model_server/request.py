"""One request as the engine takes it: checked, rendered, in tokens. Knows nothing of the wire or of how it is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Repetition:
    """A choice ends when its last tokens are one pattern of min_size…max_size tokens, min_count times in a row."""

    min_size: int
    max_size: int
    min_count: int


@dataclass(frozen=True, slots=True)
class Params:
    """What to generate and how; every default means "off"."""

    n: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    repetition_penalty: float = 1.0
    logit_bias: dict[int, float] = field(default_factory=dict)
    allowed_token_ids: tuple[int, ...] | None = None
    # Token sequences whose last token must not follow its first ones.
    bad_sequences: tuple[tuple[int, ...], ...] = ()
    seed: int | None = None
    beam: bool = False
    length_penalty: float = 1.0

    max_tokens: int = 16
    min_tokens: int = 0
    stop: tuple[str, ...] = ()
    stop_token_ids: frozenset[int] = frozenset()
    include_stop: bool = False
    ignore_eos: bool = False
    repetition: Repetition | None = None

    # How many most likely ones; None: no logprobs.
    logprobs: int | None = None
    # -1: the whole vocabulary.
    prompt_logprobs: int | None = None
    skip_special_tokens: bool = True
    spaces_between_special_tokens: bool = True


@dataclass(slots=True)
class Request:
    """Identity is what counts: two requests are never equal."""

    id: str
    prompt: list[int]
    params: Params
    adapter: Any = None
    # With whom beginnings are shared; empty: with nobody.
    cache_salt: str = ""
    priority: int = 0
    # A compiled grammar to be copied for each choice; None: free text.
    grammar: Any = None
    # The grammar holds from the end of the reasoning on, which the prompt has opened: the tokens that end it.
    grammar_after: tuple[int, ...] = ()
    # True: a delta a step; False: one a choice.
    stream: bool = True
    arrived: float = 0.0

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True, slots=True)
class Logprob:
    """Of the model's own distribution. rank counts from 1."""

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
    # stop, length or repetition, in the last one.
    finish: str | None = None
    stop_reason: str | int | None = None


@dataclass(slots=True)
class Done:
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    # One list a token of the prompt: itself first; empty for the first token. None: not asked for.
    prompt_logprobs: list[list[Logprob]] | None
    first_token_s: float
    total_s: float


@dataclass(slots=True)
class Failed:
    error: Exception


Event = Started | Delta | Done | Failed
