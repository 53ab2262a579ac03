"""Reads a request's sampling, stopping and reporting fields from the wire, and checks each against its bounds. Pure;
knows nothing of templates or grammars."""

from __future__ import annotations

import math

from heddle.node.v1 import node_pb2 as pb

from ..errors import bad_field, unsupported
from ..request import Params, Repetition

INT64 = 2**63
MAX_N = 128
MAX_PATTERN = 1024
# vLLM's sampler on GPUs has room for so many (v1/worker/gpu/sample: logit_bias.py, bad_words.py); what is above raises within
# a step and ends the engine. Of its 128 stop tokens a few are those that end the model's answers.
MAX_BIASED_TOKENS = 1024
MAX_ALLOWED_TOKENS = 1024
MAX_STOP_TOKENS = 112
MAX_BAD_SEQUENCES = 128
MAX_BAD_TOKENS = 1024


def optional(message, field: str):
    """A field's value; None if it was not sent."""
    return getattr(message, field) if message.HasField(field) else None


def bounded(value: float, low: float, high: float, field: str, low_open: bool = False) -> float:
    """The value, if it is finite and in [low, high] (in (low, high] with low_open). Raises BAD_FIELD."""
    if not math.isfinite(value) or value < low or value > high or (low_open and value == low):
        between = f"above {low:g} and at most {high:g}" if low_open else f"from {low:g} to {high:g}"
        raise bad_field(field, f"{field} must be a number {between}.")
    return value


def token_ids(ids, vocabulary: int, field: str) -> list[int]:
    """The ids as a list, each checked to be below `vocabulary`. Raises BAD_FIELD."""
    for token in ids:
        if not 0 <= token < vocabulary:
            raise bad_field(field, f"{field}: {token} is not a token of this model; its tokens are 0 to {vocabulary - 1}.")
    return list(ids)


def at_most(count: int, most: int, field: str, what: str = "tokens") -> None:
    """Raises BAD_FIELD if there are more than `most`."""
    if count > most:
        raise bad_field(field, f"{field} may contain at most {most:,} {what}.")


def model_default(generation, name: str, otherwise: float) -> float:
    """The default of the model's generation_config, if that asks for sampling; otherwise `otherwise`."""
    value = getattr(generation, name, None) if getattr(generation, "do_sample", False) else None
    return otherwise if value is None else value


def params_of(request: pb.GenerateRequest, vocabulary: int, generation, encode) -> Params:
    """The parameters of a request, except max_tokens, which depends on the prompt. generation: the model's
    generation_config. encode: text → token ids, without special tokens. Raises BAD_FIELD or UNSUPPORTED_FIELD."""
    sampling, stopping, reporting = request.sampling, request.stopping, request.reporting

    def number(name: str, otherwise: float, low: float, high: float, low_open: bool = False) -> float:
        value = optional(sampling, name)
        return bounded(otherwise if value is None else value, low, high, name, low_open)

    n = optional(sampling, "n")
    n = 1 if n is None else n
    if not 1 <= n <= MAX_N:
        raise bad_field("n", f"n must be a number from 1 to {MAX_N}.")
    top_k = optional(sampling, "top_k")
    top_k = int(model_default(generation, "top_k", 0)) if top_k is None else top_k
    if top_k < -1:
        raise bad_field("top_k", "top_k must be -1 or 0 (off), or positive.")
    if sampling.use_beam_search and request.reporting.HasField("prompt_logprobs"):
        raise unsupported("prompt_logprobs", "beam search doesn't report logprobs of the prompt")
    # Beam search doesn't sample, so the model's sampling defaults don't apply.
    sampling_defaults = None if sampling.use_beam_search else generation
    return Params(
        n=n,
        temperature=number("temperature", model_default(sampling_defaults, "temperature", 1.0), 0, 100),
        top_p=number("top_p", model_default(generation, "top_p", 1.0), 0, 1, low_open=True),
        top_k=max(top_k, 0),
        min_p=number("min_p", model_default(generation, "min_p", 0.0), 0, 1),
        frequency_penalty=number("frequency_penalty", 0.0, -2, 2),
        presence_penalty=number("presence_penalty", 0.0, -2, 2),
        repetition_penalty=number(
            "repetition_penalty", model_default(sampling_defaults, "repetition_penalty", 1.0), 0, 100, low_open=True
        ),
        logit_bias=bias_of(sampling, vocabulary),
        allowed_token_ids=allowed_of(sampling, vocabulary),
        bad_sequences=bad_words_of(sampling, encode),
        seed=optional(sampling, "seed"),
        beam=sampling.use_beam_search,
        length_penalty=number("length_penalty", 1.0, -100, 100),
        min_tokens=min_tokens_of(stopping),
        stop=stops_of(stopping),
        stop_token_ids=stop_tokens_of(stopping, vocabulary),
        include_stop=stopping.include_stop_str_in_output,
        ignore_eos=stopping.ignore_eos,
        repetition=repetition_of(stopping),
        logprobs=logprobs_of(reporting),
        prompt_logprobs=prompt_logprobs_of(reporting, vocabulary),
        skip_special_tokens=optional(reporting, "skip_special_tokens") is not False,
        spaces_between_special_tokens=optional(reporting, "spaces_between_special_tokens") is not False,
    )


def bias_of(sampling: pb.Sampling, vocabulary: int) -> dict[int, float]:
    """logit_bias by token id."""
    at_most(len(sampling.logit_bias), MAX_BIASED_TOKENS, "logit_bias")
    token_ids(sampling.logit_bias, vocabulary, "logit_bias")
    return {token: bounded(value, -100, 100, "logit_bias") for token, value in sampling.logit_bias.items()}


def allowed_of(sampling: pb.Sampling, vocabulary: int) -> tuple[int, ...] | None:
    """allowed_token_ids; None if not sent."""
    if not sampling.HasField("allowed_token_ids"):
        return None
    at_most(len(sampling.allowed_token_ids.token_ids), MAX_ALLOWED_TOKENS, "allowed_token_ids")
    ids = token_ids(sampling.allowed_token_ids.token_ids, vocabulary, "allowed_token_ids")
    if not ids:
        raise bad_field("allowed_token_ids", "allowed_token_ids needs at least one token.")
    return tuple(ids)


def bad_words_of(sampling: pb.Sampling, encode) -> tuple[tuple[int, ...], ...]:
    """The token sequences of each bad word, as it is and after a space."""
    sequences = set()
    for word in sampling.bad_words:
        if not word.strip():
            raise bad_field("bad_words", "bad_words can't contain an empty word.")
        for text in (word, " " + word.lstrip()):
            sequences.add(tuple(encode(text)))
    at_most(len(sequences), MAX_BAD_SEQUENCES, "bad_words", "words, with and without a space before them")
    at_most(sum(map(len, sequences)), MAX_BAD_TOKENS, "bad_words")
    return tuple(sorted(sequences))


def stop_tokens_of(stopping: pb.Stopping, vocabulary: int) -> frozenset[int]:
    """stop_token_ids."""
    ids = frozenset(token_ids(stopping.stop_token_ids, vocabulary, "stop_token_ids"))
    at_most(len(ids), MAX_STOP_TOKENS, "stop_token_ids")
    return ids


def min_tokens_of(stopping: pb.Stopping) -> int:
    """min_tokens, checked against max_tokens."""
    least, most = stopping.min_tokens, optional(stopping, "max_tokens")
    if least < 0:
        raise bad_field("min_tokens", "min_tokens can't be negative.")
    if most is not None and most < 1:
        raise bad_field("max_tokens", "max_tokens must be at least 1.")
    if most is not None and least > most:
        raise bad_field("min_tokens", "min_tokens can't be above max_tokens.")
    return least


def stops_of(stopping: pb.Stopping) -> tuple[str, ...]:
    """The stop strings."""
    if not all(stopping.stop):
        raise bad_field("stop", "stop can't contain an empty string.")
    if len(stopping.stop) > 64 or sum(map(len, stopping.stop)) > 10_000:
        raise bad_field("stop", "stop may contain at most 64 strings with 10,000 characters together.")
    return tuple(stopping.stop)


def repetition_of(stopping: pb.Stopping) -> Repetition | None:
    """The repetition rule; None if off. A max_pattern_size of 0 turns it off; a min_pattern_size of 0 means 1."""
    if not stopping.HasField("repetition_detection"):
        return None
    rule = stopping.repetition_detection
    low, high, count = rule.min_pattern_size or 1, rule.max_pattern_size, rule.min_count
    if rule.max_pattern_size == 0 and not rule.min_pattern_size:
        return None
    if low < 1 or not low <= high <= MAX_PATTERN:
        raise bad_field(
            "repetition_detection",
            f"repetition_detection needs 1 ≤ min_pattern_size ≤ max_pattern_size ≤ {MAX_PATTERN}.",
        )
    if count < 2:
        raise bad_field("repetition_detection", "repetition_detection needs a min_count of at least 2.")
    return Repetition(low, high, count)


def logprobs_of(reporting: pb.Reporting) -> int | None:
    """How many top logprobs per token; None: no logprobs."""
    top = reporting.top_logprobs
    if not 0 <= top <= 20:
        raise bad_field("top_logprobs", "top_logprobs must be a number from 0 to 20.")
    if top and not reporting.logprobs:
        raise bad_field("top_logprobs", "top_logprobs needs logprobs to be true.")
    return top if reporting.logprobs else None


def prompt_logprobs_of(reporting: pb.Reporting, vocabulary: int) -> int | None:
    """How many top logprobs per prompt token, -1 for all; None: not requested."""
    top = optional(reporting, "prompt_logprobs")
    if top is not None and not -1 <= top <= vocabulary:
        raise bad_field("prompt_logprobs", f"prompt_logprobs must be -1 (all) or a number from 0 to {vocabulary}.")
    return top


def truncated(tokens: list[int], request: pb.GenerateRequest, context: int) -> list[int]:
    """The last tokens of the prompt, as truncate_prompt_tokens demands. context: the model's, in tokens."""
    keep = optional(request, "truncate_prompt_tokens")
    if keep is None or keep == 0:
        return tokens
    if keep < -1:
        raise bad_field("truncate_prompt_tokens", "truncate_prompt_tokens must be -1, 0 or positive.")
    if keep == -1:
        wanted = optional(request.stopping, "max_tokens")
        keep = max(context - (wanted or 1), 1)
    return tokens[-min(keep, INT64 - 1) :]
