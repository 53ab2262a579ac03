"""From a request as the engine takes it to the JSON of vLLM's completions. Pure, but for a salt that nobody else has;
knows nothing of connections."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable

from ..errors import NodeError, unsupported
from ..request import Params, Request
from ..sampling.structure import DEFAULT_WHITESPACE
from .special_token_spacing import spans_special_tokens


MAX_TEMPERATURE = 2.0
# As structure.py writes it into grammars.
WHITESPACE = re.compile(r'"whitespace_pattern":\s*("(?:[^"\\]|\\.)*")')


def completion_body(
    request: Request, model: str, priorities: bool, text_of: Callable[[tuple[int, ...]], str], special: tuple[str, ...]
) -> dict:
    """model: the base or an adapter, as the server calls it. special: the special tokens' texts. Raises
    UNSUPPORTED_FIELD for what vLLM can't do."""
    params = request.params
    if needs_spacing(params) and any(spans_special_tokens(stop, special) for stop in params.stop):
        raise unsupported(
            "stop",
            "vLLM looks for it while no spaces are between special tokens; send spaces_between_special_tokens false",
        )
    if request.grammar is not None and request.grammar_after:
        raise unsupported("structured_outputs", "vLLM can't let a model think before it follows a structure")
    if request.grammar is not None and any(
        json.loads(pattern) != DEFAULT_WHITESPACE for pattern in WHITESPACE.findall(request.grammar.source)
    ):
        raise unsupported("structured_outputs.whitespace_pattern", "vLLM would let it come again and again")
    if params.beam and request.grammar is not None:
        raise unsupported("use_beam_search", "vLLM's beams follow no structure")
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
    # Always one: without, vLLM shares beginnings between all.
    body["cache_salt"] = request.cache_salt or secrets.token_hex(16)
    if priorities and request.priority:
        body["priority"] = request.priority
    if request.grammar is not None:
        body["structured_outputs"] = {"grammar": lark_of(request.grammar.source)}
    return body


def needs_spacing(params: Params) -> bool:
    """Whether there may be special tokens in the text, with spaces between them."""
    return params.spaces_between_special_tokens and not params.skip_special_tokens


def refuse_for_beams(params: Params) -> None:
    """vLLM's beams take no heed of these, and say nothing."""
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
            raise unsupported(field, "vLLM's beams don't know it; leave it or use_beam_search out")


def sampling(params: Params) -> dict:
    if params.beam:
        refuse_for_beams(params)
        # Beams have no chance in them.
        return {
            "use_beam_search": True,
            "n": params.n,
            "temperature": params.temperature,
        }
    if params.temperature > MAX_TEMPERATURE:
        raise unsupported("temperature", f"vLLM takes temperatures up to {MAX_TEMPERATURE:g}")
    # Several greedy choices are refused under that name; the most likely token alone is the same.
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
    given: dict = {
        "max_tokens": params.max_tokens,
        "min_tokens": params.min_tokens,
        "ignore_eos": params.ignore_eos,
        "include_stop_str_in_output": params.include_stop,
        "skip_special_tokens": params.skip_special_tokens,
        # Some of its tokenizers put spaces there, others none: none at all come from it, and the node puts them.
        "spaces_between_special_tokens": False,
    }
    if params.stop:
        given["stop"] = list(params.stop)
    if params.stop_token_ids:
        given["stop_token_ids"] = sorted(params.stop_token_ids)
    if params.bad_sequences:
        # vLLM spells each word with and without a space before it by itself.
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
    """A grammar as llguidance writes it down, as the Lark that vLLM hands to the same library."""
    if not grammar.lstrip().startswith("{"):
        return grammar
    (only,) = json.loads(grammar)["grammars"]
    if only.get("lark_grammar"):
        return only["lark_grammar"]
    return "start: %json " + json.dumps(only["json_schema"])


def refusal(status: int, content: bytes) -> NodeError:
    """What an answer that is no success means."""
    try:
        error = json.loads(content)
        error = error.get("error", error)
        message = " ".join(str(error.get("message") or error.get("detail") or "").split())[:300]
    except (ValueError, AttributeError):
        message = ""
    if status == 404:
        return NodeError("ADAPTER_NOT_LOADED", "The adapter is not loaded on this node.", "model")
    if status in (400, 422):
        return NodeError("BAD_FIELD", f"vLLM refuses the request: {message or status}")
    if status in (429, 503):
        return NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
    return NodeError("INTERNAL", "The node failed at this request; try again.")
