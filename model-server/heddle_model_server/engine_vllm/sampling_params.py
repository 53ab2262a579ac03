"""A request as vLLM's sampling parameters. Pure."""

import json
import re

from vllm.sampling_params import RepetitionDetectionParams, RequestOutputKind, SamplingParams, StructuredOutputsParams

from ..chat.structure import DEFAULT_WHITESPACE
from ..errors import unsupported
from ..request import Request

MAX_TEMPERATURE = 2.0
# What vLLM calls by the same names.
SAME = (
    *("n", "top_p", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty", "seed"),
    *("max_tokens", "min_tokens", "ignore_eos", "logprobs", "prompt_logprobs"),
)
# As structure.py writes it into grammars.
WHITESPACE = re.compile(r'"whitespace_pattern":\s*("(?:[^"\\]|\\.)*")')


def sampling_params(request: Request, tokenizer) -> SamplingParams:
    """tokenizer: transformers'. Stop strings and text are the node's own. Raises UNSUPPORTED_FIELD, and vLLM's errors."""
    params = request.params
    if params.temperature > MAX_TEMPERATURE:
        raise unsupported("temperature", f"vLLM supports temperatures up to {MAX_TEMPERATURE:g}")
    # vLLM refuses n > 1 with temperature 0; top_k 1 is equivalent.
    greedy_choices = params.n > 1 and params.temperature == 0
    rule = params.repetition
    return SamplingParams(
        **{name: getattr(params, name) for name in SAME},
        temperature=1.0 if greedy_choices else params.temperature,
        top_k=1 if greedy_choices else params.top_k,
        logit_bias=params.logit_bias or None,
        allowed_token_ids=None if params.allowed_token_ids is None else list(params.allowed_token_ids),
        # vLLM adds the variants with and without a leading space itself.
        bad_words=sorted({tokenizer.decode(list(sequence)).lstrip(" ") for sequence in params.bad_sequences}) or None,
        stop_token_ids=sorted(params.stop_token_ids) or None,
        repetition_detection=rule and RepetitionDetectionParams(rule.max_size, rule.min_size, rule.min_count),
        structured_outputs=structured(request),
        detokenize=False,
        output_kind=RequestOutputKind.DELTA,
    )


def structured(request: Request) -> StructuredOutputsParams | None:
    """The request's grammar. Raises UNSUPPORTED_FIELD."""
    if request.grammar is None:
        return None
    if request.grammar_after:
        raise unsupported("structured_outputs", "vLLM can't let a model reason before a structure begins")
    source = request.grammar.source
    if any(json.loads(pattern) != DEFAULT_WHITESPACE for pattern in WHITESPACE.findall(source)):
        raise unsupported("structured_outputs.whitespace_pattern", "vLLM would allow it any number of times")
    return StructuredOutputsParams(grammar=lark_of(source))


def lark_of(grammar: str) -> str:
    """A grammar in llguidance's notation as the Lark source that vLLM passes to the same library."""
    if not grammar.lstrip().startswith("{"):
        return grammar
    (only,) = json.loads(grammar)["grammars"]
    if only.get("lark_grammar"):
        return only["lark_grammar"]
    return "start: %json " + json.dumps(only["json_schema"])


def beam_params(request: Request) -> SamplingParams:
    """For one more token of a beam. Raises UNSUPPORTED_FIELD for what would change log-probabilities."""
    params = request.params
    if request.grammar is not None:
        raise unsupported("use_beam_search", "beams on vLLM can't follow a structure")
    for field, given in (
        ("temperature", params.temperature not in (0.0, 1.0)),
        ("min_tokens", params.min_tokens),
        ("bad_words", params.bad_sequences),
        ("allowed_token_ids", params.allowed_token_ids is not None),
        ("logit_bias", params.logit_bias),
        ("frequency_penalty", params.frequency_penalty),
        ("presence_penalty", params.presence_penalty),
        ("repetition_penalty", params.repetition_penalty != 1.0),
    ):
        if given:
            raise unsupported(field, "beams on vLLM don't support it; leave out either of them")
    return SamplingParams(
        temperature=0.0,
        max_tokens=1,
        logprobs=max(2 * params.n, params.logprobs or 0),
        detokenize=False,
        output_kind=RequestOutputKind.FINAL_ONLY,
    )
