"""Reads a request's sampling, stopping and reporting fields from the wire. Pure."""

import re

from pydantic import ValidationError

from heddle.node.v1 import node_pb2 as pb

from ..errors import NodeError, bad_field, unsupported
from ..request import Params, Repetition

MAX_PATTERN = 1024
# See Params.
MAX_BAD_TOKENS = 1024
# Where the HTTP interface's name is another one.
NAMES = {"bad_sequences": "bad_words", "logprobs": "top_logprobs"}


def optional(message, field: str):
    """A field's value; None if it was not sent."""
    return getattr(message, field) if message.HasField(field) else None


def token_ids(ids, vocabulary: int, field: str) -> list[int]:
    """The ids as a list, each checked to be below `vocabulary`. Raises BAD_FIELD."""
    for token in ids:
        if not 0 <= token < vocabulary:
            raise bad_field(
                field, f"{field}: {token} is not a token of this model; its tokens are 0 to {vocabulary - 1}."
            )
    return list(ids)


def model_defaults(generation, beam: bool) -> dict[str, float]:
    """The sampling fields of the model's generation_config, if that asks for sampling, which beam search does not do."""
    if not getattr(generation, "do_sample", False):
        return {}
    names = ("top_p", "top_k", "min_p") if beam else ("top_p", "top_k", "min_p", "temperature", "repetition_penalty")
    return {name: value for name in names if (value := getattr(generation, name, None)) is not None}


def params_of(request: pb.GenerateRequest, vocabulary: int, generation, encode) -> Params:
    """The parameters of a request, except max_tokens, which depends on the prompt. generation: the model's
    generation_config. encode: text → token ids, without special tokens. Raises BAD_FIELD or UNSUPPORTED_FIELD."""
    sampling, stopping, reporting = request.sampling, request.stopping, request.reporting
    beam = sampling.use_beam_search
    if beam and reporting.HasField("prompt_logprobs"):
        raise unsupported("prompt_logprobs", "beam search doesn't report logprobs of the prompt")
    check_together(stopping, reporting, vocabulary)
    # Numbers have the same names in both.
    numbers = {item.name: value for item, value in sampling.ListFields() if not item.message_type}
    allowed = optional(sampling, "allowed_token_ids")
    try:
        return Params(
            **{
                name: value
                for name, value in (model_defaults(generation, beam) | numbers).items()
                if name in Params.__dataclass_fields__
            },
            logit_bias=dict(
                zip(token_ids(sampling.logit_bias, vocabulary, "logit_bias"), sampling.logit_bias.values())
            ),
            allowed_token_ids=None
            if allowed is None
            else token_ids(allowed.token_ids, vocabulary, "allowed_token_ids"),
            bad_sequences=bad_words_of(sampling, encode),
            beam=beam,
            min_tokens=stopping.min_tokens,
            stop=tuple(stopping.stop),
            stop_token_ids=token_ids(stopping.stop_token_ids, vocabulary, "stop_token_ids"),
            include_stop=stopping.include_stop_str_in_output,
            ignore_eos=stopping.ignore_eos,
            repetition=repetition_of(stopping),
            logprobs=reporting.top_logprobs if reporting.logprobs else None,
            prompt_logprobs=optional(reporting, "prompt_logprobs"),
            skip_special_tokens=optional(reporting, "skip_special_tokens") is not False,
            spaces_between_special_tokens=optional(reporting, "spaces_between_special_tokens") is not False,
        )
    except ValidationError as error:
        raise out_of_bounds(error) from error


def out_of_bounds(error: ValidationError) -> NodeError:
    """The first of pydantic's errors, by the field's own name."""
    first = error.errors()[0]
    name = NAMES.get(first["loc"][0], first["loc"][0])
    said = re.sub(r"^\w+ should", f"{name} should", first["msg"]).partition(" after validation")[0]
    return bad_field(name, f"{said}.")


def check_together(stopping: pb.Stopping, reporting: pb.Reporting, vocabulary: int) -> None:
    """Checks what depends on more than one field, or on the model. Raises BAD_FIELD."""
    most = optional(stopping, "max_tokens")
    if most is not None and most < 1:
        raise bad_field("max_tokens", "max_tokens must be at least 1.")
    if most is not None and stopping.min_tokens > most:
        raise bad_field("min_tokens", "min_tokens can't be above max_tokens.")
    if len(stopping.stop) > 64 or sum(map(len, stopping.stop)) > 10_000:
        raise bad_field("stop", "stop may contain at most 64 strings with 10,000 characters together.")
    if reporting.top_logprobs and not reporting.logprobs:
        raise bad_field("top_logprobs", "top_logprobs needs logprobs to be true.")
    if reporting.prompt_logprobs > vocabulary:
        raise bad_field("prompt_logprobs", f"prompt_logprobs must be -1 (all) or a number from 0 to {vocabulary}.")


def bad_words_of(sampling: pb.Sampling, encode) -> list[tuple[int, ...]]:
    """The token sequences of each bad word, as it is and after a space."""
    if not all(word.strip() for word in sampling.bad_words):
        raise bad_field("bad_words", "bad_words can't contain an empty word.")
    sequences = {tuple(encode(text)) for word in sampling.bad_words for text in (word, " " + word.lstrip())}
    if sum(map(len, sequences)) > MAX_BAD_TOKENS:
        raise bad_field("bad_words", f"bad_words may contain at most {MAX_BAD_TOKENS:,} tokens.")
    return sorted(sequences)


def repetition_of(stopping: pb.Stopping) -> Repetition | None:
    """The repetition rule; None if off. A max_pattern_size of 0 turns it off; a min_pattern_size of 0 means 1."""
    rule = optional(stopping, "repetition_detection")
    if rule is None or not (rule.max_pattern_size or rule.min_pattern_size):
        return None
    low, high = rule.min_pattern_size or 1, rule.max_pattern_size
    if not 1 <= low <= high <= MAX_PATTERN:
        raise bad_field(
            "repetition_detection",
            f"repetition_detection needs 1 ≤ min_pattern_size ≤ max_pattern_size ≤ {MAX_PATTERN}.",
        )
    if rule.min_count < 2:
        raise bad_field("repetition_detection", "repetition_detection needs a min_count of at least 2.")
    return Repetition(low, high, rule.min_count)


def truncated(tokens: list[int], request: pb.GenerateRequest, context: int) -> list[int]:
    """The last tokens of the prompt, as truncate_prompt_tokens demands. context: the model's, in tokens."""
    keep = optional(request, "truncate_prompt_tokens")
    if not keep:
        return tokens
    if keep < -1:
        raise bad_field("truncate_prompt_tokens", "truncate_prompt_tokens must be -1, 0 or positive.")
    if keep == -1:
        keep = max(context - (request.stopping.max_tokens or 1), 1)
    return tokens[-keep:]
