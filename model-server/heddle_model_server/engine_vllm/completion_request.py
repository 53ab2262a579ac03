"""Converts a request to the JSON body of vLLM's completions API. Pure, except for a random cache salt; knows nothing
of connections."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable

from ..errors import NodeError, unsupported
from ..request import Params, Request
from ..chat.structure import DEFAULT_WHITESPACE
from .special_token_spacing import spans_special_tokens


MAX_TEMPERATURE = 2.0
# As structure.py writes it into grammars.
WHITESPACE = re.compile(r'"whitespace_pattern":\s*("(?:[^"\\]|\\.)*")')


def completion_body(
    request: Request, model: str, priorities: bool, text_of: Callable[[tuple[int, ...]], str], special: tuple[str, ...]
) -> dict:
    """model: the server's name of the base model or adapter. text_of: decodes token ids. special: the special
    tokens' texts. Raises UNSUPPORTED_FIELD for what vLLM can't do."""
    params = request.params
    if needs_spacing(params) and any(spans_special_tokens(stop, special) for stop in params.stop):
        raise unsupported(
            "stop",
            "vLLM searches text without spaces between special tokens; set spaces_between_special_tokens to false",
        )
    if request.grammar is not None and request.grammar_after:
        raise unsupported("structured_outputs", "vLLM can't let a model reason before a structure begins")
    if request.grammar is not None and any(
        json.loads(pattern) != DEFAULT_WHITESPACE for pattern in WHITESPACE.findall(request.grammar.source)
    ):
        raise unsupported("structured_outputs.whitespace_pattern", "vLLM would allow it any number of times")
    if params.beam and request.grammar is not None:
        raise unsupported("use_beam_search", "vLLM's beam search doesn't support structures")
    streamed = not (params.beam or params.prompt_logprobs is not None)
    body = {
        "model": model,
        "prompt": request.prompt,
        "request_id": request.id,
        "add_special_tokens": False,
        "return_token_ids": True,
        "return_tokens_as_token_ids": True,
        "stream": streamed,
        **({"stream_options": {"include_usage": True}} if streamed else {}),
        **sampling(params),
        **stopping(params, text_of),
    }
    if params.logprobs is not None:
        body["logprobs"] = params.logprobs
    if params.prompt_logprobs is not None:
        body["prompt_logprobs"] = params.prompt_logprobs
    # Never empty: without a salt vLLM shares prefixes between all requests.
    body["cache_salt"] = request.cache_salt or secrets.token_hex(16)
    if priorities and request.priority:
        body["priority"] = request.priority
    if request.grammar is not None:
        body["structured_outputs"] = {"grammar": lark_of(request.grammar.source)}
    return body


def needs_spacing(params: Params) -> bool:
    """Whether the text may contain special tokens with spaces between them."""
    return params.spaces_between_special_tokens and not params.skip_special_tokens


def refuse_for_beams(params: Params) -> None:
    """Raises UNSUPPORTED_FIELD for fields that vLLM's beam search silently ignores."""
    for field, given in (
        ("temperature", params.temperature not in (0.0, 1.0)),
        ("length_penalty", params.length_penalty != 1.0),
        ("stop", params.stop),
        ("stop_token_ids", params.stop_token_ids),
        ("min_tokens", params.min_tokens),
        ("bad_words", params.bad_sequences),
        ("allowed_token_ids", params.allowed_token_ids is not None),
        ("logit_bias", params.logit_bias),
        ("frequency_penalty", params.frequency_penalty),
        ("presence_penalty", params.presence_penalty),
        ("repetition_penalty", params.repetition_penalty != 1.0),
        ("repetition_detection", params.repetition is not None),
    ):
        if given:
            raise unsupported(field, "vLLM's beam search ignores it; leave out either of them")


def sampling(params: Params) -> dict:
    """The sampling fields of the body."""
    if params.beam:
        refuse_for_beams(params)
        # Beam search doesn't sample.
        return {
            "use_beam_search": True,
            "n": params.n,
            "temperature": params.temperature,
        }
    if params.temperature > MAX_TEMPERATURE:
        raise unsupported("temperature", f"vLLM supports temperatures up to {MAX_TEMPERATURE:g}")
    # vLLM refuses n > 1 with temperature 0; top_k 1 is equivalent.
    greedy_choices = params.n > 1 and params.temperature == 0
    given = {
        "n": params.n,
        "temperature": 1.0 if greedy_choices else params.temperature,
        "top_p": params.top_p,
        "min_p": params.min_p,
        "frequency_penalty": params.frequency_penalty,
        "presence_penalty": params.presence_penalty,
        "repetition_penalty": params.repetition_penalty,
    }
    if greedy_choices or params.top_k > 0:
        given["top_k"] = 1 if greedy_choices else params.top_k
    if params.seed is not None:
        given["seed"] = params.seed
    if params.logit_bias:
        given["logit_bias"] = {str(token): value for token, value in params.logit_bias.items()}
    if params.allowed_token_ids is not None:
        given["allowed_token_ids"] = list(params.allowed_token_ids)
    return given


def stopping(params: Params, text_of: Callable[[tuple[int, ...]], str]) -> dict:
    """The fields of the body that end or shape the text."""
    given: dict = {
        "max_tokens": params.max_tokens,
        "min_tokens": params.min_tokens,
        "ignore_eos": params.ignore_eos,
        "include_stop_str_in_output": params.include_stop,
        "skip_special_tokens": params.skip_special_tokens,
        # vLLM's tokenizers disagree about these spaces, so the node inserts them itself.
        "spaces_between_special_tokens": False,
    }
    if params.stop:
        given["stop"] = list(params.stop)
    if params.stop_token_ids:
        given["stop_token_ids"] = sorted(params.stop_token_ids)
    if params.bad_sequences:
        # vLLM adds the variants with and without a leading space itself.
        given["bad_words"] = sorted({text_of(sequence).lstrip(" ") for sequence in params.bad_sequences})
    if params.repetition is not None:
        rule = params.repetition
        given["repetition_detection"] = {
            "min_pattern_size": rule.min_size,
            "max_pattern_size": rule.max_size,
            "min_count": rule.min_count,
        }
    return given


def lark_of(grammar: str) -> str:
    """A grammar in llguidance's notation as the Lark source that vLLM passes to the same library."""
    if not grammar.lstrip().startswith("{"):
        return grammar
    (only,) = json.loads(grammar)["grammars"]
    if only.get("lark_grammar"):
        return only["lark_grammar"]
    return "start: %json " + json.dumps(only["json_schema"])


def refusal(status: int, content: bytes) -> NodeError:
    """The error of an unsuccessful response."""
    try:
        error = json.loads(content)
        error = error.get("error", error)
        message = " ".join(str(error.get("message") or error.get("detail") or "").split())[:300]
    except (ValueError, AttributeError):
        message = ""
    if status == 404:
        return NodeError("ADAPTER_NOT_LOADED", "The adapter is not loaded on this node.", "model")
    if status in (400, 422):
        return NodeError("BAD_FIELD", f"vLLM refused the request: {message or status}")
    if status in (429, 503):
        return NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
    return NodeError("INTERNAL", "The node failed to process this request; try again.")
