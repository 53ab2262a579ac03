"""Every field of the chat table does what it says: for each, a check that holds with it and not without it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import grpc
import pytest
from conftest import Node
from wire import Result, user, wire

from heddle.node.v1 import node_pb2 as pb

from heddle_model_server.demo.corpus import WEATHER_TOOL
from heddle_model_server.errors import NodeError

HELLO = "Hello! How can I help you today?"
LOOM = "A loom is a frame on which cloth is woven from threads."


@dataclass
class Case:
    name: str
    # The field that is taken out, `a.b` for a part of it.
    field: str
    request: dict
    check: Callable[[Result, Node], bool]
    messages: list = field(default_factory=lambda: user("Hello!"))


def case(name: str, request: dict, check, of: str = "", messages=None) -> Case:
    return Case(name, of or name, {"temperature": 0.0, **request}, check, messages or user("Hello!"))


def ids(*texts: str):
    """Tokens that are known only once there is a node."""
    return lambda node: [node.token(text) for text in texts]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "n": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["ok", "n"],
    "additionalProperties": False,
}
# The model would never end a text of its own here: its place is one of two.
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"place": {"enum": ["Oslo", "Lima"]}},
            "required": ["place"],
            "additionalProperties": False,
        },
    },
}
# A schema without a word on further properties; the model is made to begin one.
OPEN = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
LONG = {"max_tokens": 24, "ignore_eos": True}

CASES = [
    case("messages", {}, lambda r, n: r.text == LOOM, messages=user("What is a loom?")),
    # Without it the model's own is in force, and what it says of nonsense differs.
    case(
        "temperature",
        {"temperature": 0.0, "n": 12, "seed": 1},
        lambda r, n: len({c.text for c in r.choices}) == 1,
        messages=user("loom sky two"),
    ),
    case(
        "top_p",
        {"temperature": 20.0, "seed": 3, "top_p": 0.00001, "max_tokens": 20},
        lambda r, n: r.text == HELLO,
    ),
    case("top_k", {"temperature": 20.0, "seed": 3, "top_k": 1, "max_tokens": 20}, lambda r, n: r.text == HELLO),
    case(
        "top_k of several",
        {"temperature": 50.0, "seed": 3, "top_k": 3, "logprobs": True, **LONG},
        lambda r, n: all(t.rank <= 3 for t in r.first.logprobs) and any(t.rank > 1 for t in r.first.logprobs),
        of="top_k",
    ),
    case("min_p", {"temperature": 3.0, "seed": 3, "min_p": 1.0, "max_tokens": 20}, lambda r, n: r.text == HELLO),
    case(
        "seed",
        {"temperature": 30.0, "seed": 11, "n": 2, **LONG},
        lambda r, n: (
            r.first.tokens == n.ask(messages=user("Hello!"), temperature=30.0, seed=11, n=2, **LONG).first.tokens
            and r.choices[0].tokens != r.choices[1].tokens
        ),
    ),
    case("n", {"n": 3}, lambda r, n: [c.text for c in r.choices] == [HELLO] * 3),
    case(
        "max_completion_tokens",
        {"max_completion_tokens": 2},
        lambda r, n: (r.text, r.first.finish) == ("Hello!", "length"),
    ),
    case("max_tokens", {"max_tokens": 2}, lambda r, n: (r.text, r.done.usage.completion_tokens) == ("Hello!", 2)),
    case(
        "min_tokens",
        {"min_tokens": 20, "max_tokens": 24},
        lambda r, n: len(r.first.tokens) >= 20 and n.loaded.tokenizer.eos_token_id not in r.first.tokens[:19],
    ),
    case(
        "ignore_eos",
        {"ignore_eos": True, "max_tokens": 20},
        lambda r, n: (len(r.first.tokens), r.first.finish) == (20, "length"),
    ),
    case(
        "stop",
        {"stop": [" help"]},
        lambda r, n: (r.text, r.first.finish, r.first.stop) == ("Hello! How can I", "stop", " help"),
    ),
    case(
        "stop over several tokens",
        {"stop": ["n I he"]},
        lambda r, n: (r.text, r.first.stop) == ("Hello! How ca", "n I he"),
        of="stop",
    ),
    case(
        "include_stop_str_in_output",
        {"stop": [" help"], "include_stop_str_in_output": True},
        lambda r, n: r.text == "Hello! How can I help",
    ),
    case(
        "stop_token_ids",
        {"stop_token_ids": ids(" How")},
        lambda r, n: (r.text, r.first.finish, r.first.stop) == ("Hello!", "stop", n.token(" How")),
    ),
    case(
        "logit_bias",
        {"logit_bias": lambda node: {node.token("Hello"): -100, node.token(" How"): 100}, "max_tokens": 3},
        lambda r, n: r.text == " How How How",
    ),
    case(
        "frequency_penalty",
        {
            "frequency_penalty": 2.0,
            "logit_bias": lambda node: {node.token("!"): 35.0},
            "max_tokens": 40,
            "ignore_eos": True,
        },
        lambda r, n: r.first.tokens.count(n.token("!")) < 40,
    ),
    case(
        "presence_penalty",
        {
            "presence_penalty": 2.0,
            "allowed_token_ids": ids("!", "?"),
            "logit_bias": lambda node: {node.token("!"): 60, node.token("?"): 60},
            "logprobs": True,
            "top_logprobs": 20,
            "max_tokens": 6,
        },
        lambda r, n: (
            r.first.tokens
            != n.ask(
                messages=user("Hello!"),
                temperature=0.0,
                allowed_token_ids=[n.token("!"), n.token("?")],
                logit_bias={n.token("!"): 60, n.token("?"): 60},
                max_tokens=6,
            ).first.tokens
        ),
    ),
    case(
        "repetition_penalty",
        {"repetition_penalty": 5.0, "max_tokens": 8},
        lambda r, n: n.token("Hello") not in r.first.tokens,
    ),
    case("bad_words", {"bad_words": ["Hello"]}, lambda r, n: "Hello" not in r.text),
    case(
        "bad_words of several tokens",
        {"bad_words": [" How can"]},
        lambda r, n: r.text.startswith("Hello! How") and " How can" not in r.text,
        of="bad_words",
    ),
    case(
        "allowed_token_ids",
        {"allowed_token_ids": ids("!", "?"), "max_tokens": 5},
        lambda r, n: set(r.first.tokens) <= {n.token("!"), n.token("?")},
    ),
    case(
        "logprobs",
        {"logprobs": True},
        lambda r, n: (
            len(r.first.logprobs) == len(r.first.tokens)
            and all(-9 < t.logprob <= 0 and t.rank == 1 for t in r.first.logprobs)
            and b"".join(t.bytes for t in r.first.logprobs[:-1]).decode() == r.text
        ),
    ),
    case(
        "top_logprobs",
        {"logprobs": True, "top_logprobs": 3},
        lambda r, n: all(
            len(t.top) == 3
            and t.top[0].token_id == t.token_id
            and t.top[0].logprob >= t.top[1].logprob >= t.top[2].logprob
            for t in r.first.logprobs
        ),
    ),
    case(
        "prompt_logprobs",
        {"prompt_logprobs": 2},
        lambda r, n: (
            len(r.done.prompt_logprobs) == r.started.prompt_tokens
            and len(r.done.prompt_logprobs[0].tokens) == 0
            and all(2 <= len(p.tokens) <= 3 for p in r.done.prompt_logprobs[1:])
        ),
    ),
    case(
        "return_tokens_as_token_ids",
        {"logprobs": True, "return_tokens_as_token_ids": True},
        lambda r, n: [t.token for t in r.first.logprobs] == [f"token_id:{t}" for t in r.first.tokens],
    ),
    case(
        "return_token_ids",
        {"return_token_ids": True},
        lambda r, n: n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)).endswith("<|im_start|>assistant\n"),
    ),
    case(
        "prompt_text",
        {"text": {"text": "Hello!", "add_special_tokens": False}, "prompt_text": True},
        lambda r, n: (
            r.started.prompt_text == "Hello!"
            and r.started.prompt_tokens == len(n.loaded.tokenizer("Hello!", add_special_tokens=False)["input_ids"])
        ),
    ),
    case(
        "skip_special_tokens",
        {"skip_special_tokens": False, "ignore_eos": True, "max_tokens": 10},
        lambda r, n: r.text == HELLO + "<|im_end|>",
    ),
    case(
        "spaces_between_special_tokens",
        {
            "spaces_between_special_tokens": False,
            "skip_special_tokens": False,
            "allowed_token_ids": ids("<|im_end|>"),
            "ignore_eos": True,
            "max_tokens": 2,
        },
        lambda r, n: r.text == "<|im_end|><|im_end|>",
    ),
    case(
        "use_beam_search",
        {"use_beam_search": True, "n": 3},
        lambda r, n: r.text == HELLO and len({tuple(c.tokens) for c in r.choices}) == 3,
    ),
    case(
        "length_penalty",
        {"use_beam_search": True, "n": 4, "length_penalty": -20.0},
        lambda r, n: (
            [len(c.tokens) for c in r.choices] == sorted(len(c.tokens) for c in r.choices)
            and len(r.first.tokens) < len(n.tokens(HELLO))
        ),
    ),
    case(
        "repetition_detection",
        {
            "repetition_detection": {"max_pattern_size": 2, "min_pattern_size": 1, "min_count": 4},
            "allowed_token_ids": ids("!"),
            "max_tokens": 30,
        },
        lambda r, n: (r.first.finish, len(r.first.tokens)) == ("repetition", 4),
    ),
    case(
        "repetition_detection min_pattern_size",
        {
            "repetition_detection": {"max_pattern_size": 3, "min_pattern_size": 3, "min_count": 4},
            "allowed_token_ids": ids("!"),
            "max_tokens": 30,
        },
        lambda r, n: (r.first.finish, len(r.first.tokens)) == ("repetition", 12),
        of="repetition_detection.min_pattern_size",
    ),
    case(
        "repetition_detection of beams",
        {
            "use_beam_search": True,
            "repetition_detection": {"max_pattern_size": 2, "min_pattern_size": 1, "min_count": 4},
            "allowed_token_ids": ids("!"),
            "max_tokens": 30,
        },
        lambda r, n: (r.first.finish, len(r.first.tokens), r.text) == ("repetition", 4, "!!!!"),
        of="repetition_detection",
    ),
    case(
        "truncate_prompt_tokens",
        {"truncate_prompt_tokens": 4, "return_token_ids": True, "max_tokens": 1},
        lambda r, n: n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)) == "\n<|im_start|>assistant\n",
    ),
    case(
        "echo",
        {"echo": True, "add_generation_prompt": False, "max_tokens": 4},
        lambda r, n: r.text.startswith("Once there was"),
        messages=[*user("Tell me a story."), {"role": "assistant", "content": "Once there was"}],
    ),
    case(
        "add_generation_prompt",
        {"add_generation_prompt": False, "return_token_ids": True, "max_tokens": 1},
        lambda r, n: (
            n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)).endswith("Hello!<|im_end|>\n")
            and r.started.role == "user"
        ),
    ),
    case(
        "continue_final_message",
        {"continue_final_message": True, "add_generation_prompt": False},
        lambda r, n: r.text == " only a few words. It used them well.",
        messages=[
            *user("Tell me a story."),
            {"role": "assistant", "content": "Once there was a small model that knew"},
        ],
    ),
    case(
        "add_special_tokens",
        {"add_special_tokens": True, "return_token_ids": True, "max_tokens": 1},
        lambda r, n: r.started.prompt_token_ids[0] == n.loaded.tokenizer.bos_token_id,
    ),
    case(
        "documents",
        {"documents": [{"title": "Looms", "text": "They weave."}], "return_token_ids": True, "max_tokens": 1},
        lambda r, n: "Looms: They weave." in n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)),
    ),
    case(
        "chat_template",
        {
            "chat_template": "{% for m in messages %}<<{{ m.content }}>>{% endfor %}",
            "return_token_ids": True,
            "max_tokens": 1,
        },
        lambda r, n: n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)) == "<<Hello!>>",
    ),
    case(
        "chat_template_kwargs",
        {"chat_template_kwargs": {"mood": "calm"}, "return_token_ids": True, "max_tokens": 1},
        lambda r, n: "<|im_start|>mood\ncalm" in n.loaded.tokenizer.decode(list(r.started.prompt_token_ids)),
    ),
    case(
        "tools",
        {"tools": [WEATHER_TOOL], "tool_choice": "auto"},
        lambda r, n: r.first.calls[0][0] == "get_weather" and "place" in json.loads(r.first.calls[0][1]),
        messages=user("What is the weather in Paris?"),
    ),
    case(
        "tool_choice auto",
        {"tools": [WEATHER_TOOL], "tool_choice": "auto"},
        lambda r, n: (r.first.finish, r.text, len(r.first.calls)) == ("tool_calls", "", 1),
        of="tool_choice",
        messages=user("What is the weather in Paris?"),
    ),
    case(
        "tool_choice required",
        {"tools": [TOOL], "tool_choice": "required", "max_tokens": 120, "parallel_tool_calls": False},
        lambda r, n: r.first.finish == "tool_calls" and json.loads(r.first.calls[0][1])["place"] in ("Oslo", "Lima"),
        of="tool_choice",
    ),
    case(
        "tool_choice function",
        {
            "tools": [TOOL],
            "tool_choice": {"type": "function", "function": {"name": "get_weather"}},
            "max_tokens": 120,
        },
        lambda r, n: r.first.calls[0][0] == "get_weather" and "place" in json.loads(r.first.calls[0][1]),
        of="tool_choice",
    ),
    case(
        "parallel_tool_calls",
        {
            "tools": [WEATHER_TOOL],
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "ignore_eos": True,
            "max_tokens": 40,
        },
        lambda r, n: (len(r.first.calls), r.first.finish) == (1, "tool_calls") and len(r.first.tokens) < 40,
        messages=user("What is the weather in Paris?"),
    ),
    case(
        "stop beside parallel_tool_calls",
        {"tools": [WEATHER_TOOL], "tool_choice": "auto", "parallel_tool_calls": False, "stop": ["weather"]},
        lambda r, n: "weather" not in r.text and r.text and r.first.finish == "stop",
        of="stop",
        messages=user("What is the weather in Paris?"),
    ),
    case(
        "reasoning_effort",
        {"reasoning_effort": "low"},
        lambda r, n: (r.first.reasoning, r.text) == ("Two and two more make four.", "Two plus two is four."),
        messages=user("What is two plus two?"),
    ),
    case(
        "include_reasoning",
        {"reasoning_effort": "low", "include_reasoning": False},
        lambda r, n: (r.first.reasoning, r.text) == ("", "Two plus two is four.") and r.done.usage.reasoning_tokens > 5,
        messages=user("What is two plus two?"),
    ),
    case(
        "response_format",
        {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}, "max_tokens": 300},
        lambda r, n: isinstance(json.loads(r.text)["ok"], bool),
    ),
    case(
        "structured_outputs.json",
        {"structured_outputs": {"json": SCHEMA}, "max_tokens": 300},
        lambda r, n: 1 <= json.loads(r.text)["n"] <= 9,
    ),
    case(
        "structured_outputs.regex",
        {"structured_outputs": {"regex": "[0-9]{3}-[a-c]{2,4}!"}, "max_tokens": 40},
        lambda r, n: re.fullmatch("[0-9]{3}-[a-c]{2,4}!", r.text) is not None,
    ),
    case(
        "structured_outputs.choice",
        {"structured_outputs": {"choice": ["warp", "weft"]}},
        lambda r, n: r.text in ("warp", "weft"),
    ),
    case(
        "structured_outputs.grammar",
        {"structured_outputs": {"grammar": 'root ::= "up " ("left" | "right")'}},
        lambda r, n: r.text in ("up left", "up right"),
    ),
    case(
        "structured_outputs.json_object",
        {
            "structured_outputs": {"json_object": True},
            "bad_words": ["{"],
            "logit_bias": lambda n: {n.token("}"): 100},
            # The other answer has no end.
            "max_tokens": 60,
        },
        lambda r, n: is_json(r.text) or r.text.startswith("{"),
    ),
    case(
        "structured_outputs.structural_tag",
        {
            "structured_outputs": {
                "structural_tag": json.dumps(
                    {
                        "type": "structural_tag",
                        "structures": [{"begin": "Hello", "schema": {"const": 7}, "end": "."}],
                        "triggers": ["Hello"],
                    }
                )
            },
            "max_tokens": 6,
        },
        lambda r, n: r.text.startswith("Hello7."),
    ),
    case(
        "structured_outputs.disable_any_whitespace",
        {
            "structured_outputs": {"json": SCHEMA, "disable_any_whitespace": True},
            "logit_bias": lambda n: {n.token(" "): 100},
            "max_tokens": 60,
        },
        lambda r, n: is_json(r.text) and " " not in r.text,
    ),
    case(
        "structured_outputs.disable_additional_properties",
        {
            "structured_outputs": {"json": OPEN, "disable_additional_properties": True},
            "logit_bias": lambda n: {n.token(","): 100},
            "max_tokens": 200,
        },
        lambda r, n: set(json.loads(r.text)) == {"a"},
    ),
    case(
        "structured_outputs.whitespace_pattern",
        {
            "structured_outputs": {"json": SCHEMA, "whitespace_pattern": "~"},
            "logit_bias": lambda n: {n.token("~"): 100},
            "max_tokens": 20,
        },
        lambda r, n: "~" in r.text,
    ),
    case("stream", {"stream": True}, lambda r, n: len(r.events) > 5),
]


def built(node: Node, request: dict) -> dict:
    """Values that depend on the node's tokens, filled in."""
    return {key: value(node) if callable(value) else value for key, value in request.items()}


def without(request: dict, name: str) -> dict:
    head, _, part = name.partition(".")
    result = {key: value for key, value in request.items() if key != head}
    if part and head in request:
        result[head] = {key: value for key, value in request[head].items() if key != part}
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_field(node: Node, case: Case):
    request = {"messages": case.messages, **built(node, case.request)}
    assert case.check(node.ask(**request), node), node.ask(**request)
    if case.field == "messages":
        return
    less = without(request, case.field)
    try:
        held = case.check(node.ask(**less), node)
    except (IndexError, KeyError, ValueError, AttributeError, NodeError):
        held = False
    assert not held, f"the check says nothing of {case.field}"


# Fields that say nothing of an answer by themselves.
ELSEWHERE = {
    "GenerateRequest.count_only": "test_service",
    "GenerateRequest.request_id": "test_request_id_names_the_request",
    "GenerateRequest.priority": "test_priority_decides_who_comes_first",
    "GenerateRequest.cache_salt": "test_cache_salt_keeps_beginnings_apart",
    "GenerateRequest.adapter_id": "test_adapters.py",
    "GenerateRequest.tokens": "test_service.py",
    "TokenPrompt.token_ids": "test_service.py",
    "GenerateRequest.kv_transfer_params_json": "REFUSED",
    "GenerateRequest.backend_xargs_json": "REFUSED",
    "ChatPrompt.mm_processor_kwargs_json": "REFUSED",
    "ChatPrompt.images": "test_images.py",
    "Image.data": "test_images.py",
    "Structure.backend": "REFUSED",
    "Structure.backend_was_auto": "REFUSED",
    "Structure.disable_fallback": "REFUSED",
}


def every_field(message) -> set[str]:
    found = set()
    for item in message.fields:
        found.add(f"{message.name}.{item.name}")
        if item.message_type and not item.message_type.GetOptions().map_entry:
            found |= every_field(item.message_type)
    return found


def fields_sent(message) -> set[str]:
    found = set()
    for item, value in message.ListFields():
        found.add(f"{message.DESCRIPTOR.name}.{item.name}")
        if item.message_type and not item.message_type.GetOptions().map_entry:
            found |= fields_sent(value)
    return found


def test_the_list_has_every_field_of_a_request(node: Node):
    """Both engines are tested by this list: `make test-vllm` has no other."""
    sent = [fields_sent(wire({"messages": case.messages, **built(node, case.request)})) for case in CASES]
    assert every_field(pb.GenerateRequest.DESCRIPTOR) - set().union(*sent) - ELSEWHERE.keys() == set()


def test_cache_salt_keeps_beginnings_apart(node: Node):
    ask = lambda salt: (
        node.ask(
            messages=user("What is a trace? " * 4), cache_salt=salt, temperature=0.0, max_tokens=2
        ).done.usage.cached_tokens
    )
    assert ask("one") == 0
    assert ask("two") == 0
    assert ask("one") > 20


def test_request_id_names_the_request(node: Node):
    wait = node.begin(messages=user("Hello!"), request_id="mine", ignore_eos=True, max_tokens=1500)
    with pytest.raises(NodeError, match="mine is running"):
        node.ask(messages=user("Hello!"), request_id="mine")
    assert node.engine.abort("mine")
    assert wait().error.code == "ABORTED"
    assert not node.engine.abort("mine")


def test_priority_decides_who_comes_first(make_node):
    node = make_node(slots=1)
    first = node.begin(messages=user("Hello!"), request_id="first", ignore_eos=True, max_tokens=1500)
    late = node.begin(messages=user("Hello!"), priority=5, max_tokens=2)
    early = node.begin(messages=user("Hello!"), priority=-5, max_tokens=2)
    assert node.engine.abort("first") and first().error.code == "ABORTED"
    assert early().started.queue_ms < late().started.queue_ms


def test_priority_needs_priority_scheduling(make_node):
    node = make_node(scheduling="fcfs")
    assert node.ask(messages=user("Hello!"), temperature=0.0).text == HELLO
    with pytest.raises(NodeError) as error:
        node.ask(messages=user("Hello!"), priority=1)
    assert (error.value.code, error.value.field) == ("NO_PRIORITIES", "priority")


def test_truncation_to_what_the_context_holds(node: Node):
    long = user("What is a loom? " * 600)
    with pytest.raises(NodeError) as error:
        node.ask(messages=long)
    assert error.value.code == "PROMPT_TOO_LONG"
    result = node.ask(messages=long, truncate_prompt_tokens=-1, max_tokens=5)
    assert result.started.prompt_tokens == node.engine.facts.context - 5


DEEP = '{"type":"array","items":' * 200 + '{"type":"string"}' + "}" * 200

REFUSED = [
    ("kv_transfer_params", {"kv_transfer_params": {"a": 1}}, "UNSUPPORTED_FIELD"),
    ("mm_processor_kwargs", {"mm_processor_kwargs": {"a": 1}}, "UNSUPPORTED_FIELD"),
    ("backend_xargs", {"backend_xargs": {"strange": 1}}, "UNSUPPORTED_FIELD"),
    ("structured_outputs", {"structured_outputs": {"regex": "a", "_backend": "outlines"}}, "UNSUPPORTED_FIELD"),
    ("reasoning_effort", {"reasoning_effort": "extreme"}, "BAD_FIELD"),
    ("continue_final_message", {"continue_final_message": True}, "BAD_FIELD"),
    ("n", {"n": 0}, "BAD_FIELD"),
    ("temperature", {"temperature": -1.0}, "BAD_FIELD"),
    ("temperature", {"temperature": float("nan")}, "BAD_FIELD"),
    ("top_p", {"top_p": 0.0}, "BAD_FIELD"),
    ("top_p", {"top_p": 1.1}, "BAD_FIELD"),
    ("top_k", {"top_k": -2}, "BAD_FIELD"),
    ("min_p", {"min_p": 1.5}, "BAD_FIELD"),
    ("frequency_penalty", {"frequency_penalty": 3.0}, "BAD_FIELD"),
    ("presence_penalty", {"presence_penalty": -3.0}, "BAD_FIELD"),
    ("repetition_penalty", {"repetition_penalty": 0.0}, "BAD_FIELD"),
    ("logit_bias", {"logit_bias": {99999: 1}}, "BAD_FIELD"),
    ("logit_bias", {"logit_bias": {1: 101}}, "BAD_FIELD"),
    ("allowed_token_ids", {"allowed_token_ids": []}, "BAD_FIELD"),
    ("allowed_token_ids", {"allowed_token_ids": [-1]}, "BAD_FIELD"),
    ("bad_words", {"bad_words": [""]}, "BAD_FIELD"),
    ("stop", {"stop": [""]}, "BAD_FIELD"),
    ("min_tokens", {"min_tokens": -1}, "BAD_FIELD"),
    ("min_tokens", {"min_tokens": 5, "max_tokens": 4}, "BAD_FIELD"),
    ("max_tokens", {"max_tokens": 0}, "BAD_FIELD"),
    ("min_tokens", {"min_tokens": 5000}, "PROMPT_TOO_LONG"),
    ("top_logprobs", {"top_logprobs": 2}, "BAD_FIELD"),
    ("top_logprobs", {"logprobs": True, "top_logprobs": 21}, "BAD_FIELD"),
    ("prompt_logprobs", {"prompt_logprobs": -2}, "BAD_FIELD"),
    ("truncate_prompt_tokens", {"truncate_prompt_tokens": -2}, "BAD_FIELD"),
    ("repetition_detection", {"repetition_detection": {"max_pattern_size": 2, "min_count": 1}}, "BAD_FIELD"),
    (
        "repetition_detection",
        {"repetition_detection": {"max_pattern_size": 2, "min_pattern_size": 3, "min_count": 2}},
        "BAD_FIELD",
    ),
    ("structured_outputs.json", {"structured_outputs": {"json": '{"type": "strange"}'}}, "BAD_STRUCTURE"),
    ("structured_outputs.json", {"structured_outputs": {"json": "{"}}, "BAD_STRUCTURE"),
    ("structured_outputs.regex", {"structured_outputs": {"regex": "(a"}}, "BAD_STRUCTURE"),
    ("structured_outputs.grammar", {"structured_outputs": {"grammar": "start: strange"}}, "BAD_STRUCTURE"),
    ("structured_outputs.grammar", {"structured_outputs": {"grammar": 'root ::= "a" | ('}}, "BAD_STRUCTURE"),
    (
        "structured_outputs.structural_tag",
        {"structured_outputs": {"structural_tag": '{"format": {"type": "x"}}'}},
        "BAD_STRUCTURE",
    ),
    ("structured_outputs.structural_tag", {"structured_outputs": {"structural_tag": "[]"}}, "BAD_STRUCTURE"),
    ("structured_outputs.json", {"structured_outputs": {"json": DEEP}}, "BAD_STRUCTURE"),
    (
        "structured_outputs.grammar",
        {"structured_outputs": {"grammar": f"start: {'(' * 9999}a{')' * 9999}"}},
        "BAD_STRUCTURE",
    ),
    (
        "tools",
        {
            "tools": [{"type": "function", "function": {"name": "f", "parameters": json.loads(DEEP)}}],
            "tool_choice": "required",
        },
        "BAD_STRUCTURE",
    ),
    (
        "structured_outputs",
        {"structured_outputs": {"json": "{}", "disable_any_whitespace": True, "whitespace_pattern": " "}},
        "BAD_FIELD",
    ),
    ("tool_choice", {"tool_choice": "required"}, "BAD_FIELD"),
    (
        "tool_choice",
        {"tools": [WEATHER_TOOL], "tool_choice": {"type": "function", "function": {"name": "other"}}},
        "BAD_FIELD",
    ),
    ("tools", {"tools": [{"type": "function"}]}, "BAD_MESSAGES"),
    ("tools", {"tools": {"a": 1}}, "BAD_MESSAGES"),
    ("documents", {"documents": ["a"]}, "BAD_MESSAGES"),
    ("messages", {"messages": []}, "BAD_MESSAGES"),
    ("messages", {"messages": ["a"]}, "BAD_MESSAGES"),
    ("messages", {"messages": [{"content": "a"}]}, "BAD_MESSAGES"),
    ("messages", {"messages": [{"role": "user", "content": 1}]}, "BAD_MESSAGES"),
    (
        "messages",
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]},
        "BAD_MESSAGES",
    ),
    ("chat_template", {"chat_template": "{% for %}"}, "BAD_TEMPLATE"),
    ("chat_template", {"chat_template": "{{ raise_exception('no') }}"}, "BAD_TEMPLATE"),
    ("chat_template", {"chat_template": "{{ messages.__class__.__mro__ }}"}, "BAD_TEMPLATE"),
    ("chat_template_kwargs", {"chat_template_kwargs": {"messages": []}}, "BAD_FIELD"),
]


@pytest.mark.parametrize(
    "field, request_fields, code", REFUSED, ids=lambda value: value if isinstance(value, str) else None
)
def test_refused_with_a_code_and_a_sentence(node: Node, field: str, request_fields: dict, code: str):
    with pytest.raises(NodeError) as error:
        node.ask(**{"messages": user("Hello!"), **request_fields})
    assert (error.value.code, error.value.field) == (code, field)
    assert error.value.message.endswith(".") and len(error.value.message) < 400


@pytest.mark.parametrize("beam", [False, True])
def test_a_penalty_that_leaves_no_number_is_the_requests_fault(node: Node, beam: bool):
    fields = {"repetition_penalty": 1e-300, "use_beam_search": beam, "n": 2, "max_tokens": 4}
    error = node.ask(messages=user("Hello!"), **fields).error
    assert (error.code, error.status, error.field) == (
        "BAD_FIELD",
        grpc.StatusCode.INVALID_ARGUMENT.value[0],
        "repetition_penalty",
    )
    assert "1e-300" in error.message and error.message.endswith(".")


def test_the_coldest_beams_are_numbers(node: Node):
    result = node.ask(messages=user("Hello!"), temperature=1e-300, use_beam_search=True, n=2, max_tokens=4)
    assert len(result.choices) == 2


@pytest.mark.parametrize("fields", [{"kv_transfer_params": {}}, {"mm_processor_kwargs": {}}, {"backend_xargs": {}}])
def test_empty_objects_are_as_good_as_none(node: Node, fields: dict):
    assert node.ask(messages=user("Hello!"), temperature=0.0, **fields).text == HELLO
