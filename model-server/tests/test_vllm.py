"""The vLLM engine beside the CPU engine, over the same model: the same greedy text and log-probabilities, the same
meaning of every field, adapters, aborts. Runs where vLLM is installed (`make test-vllm`)."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import math
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
import test_adapters
import test_fields
from conftest import Node
from served import ServedNode, until
from test_adapters import adapter_files, write
from wire import user

pytest.importorskip("vllm", reason="make test-vllm sets up a vLLM and runs these")

from heddle_model_server.demo.corpus import TALK
from heddle_model_server.demo.make import make_demo_model
from heddle_model_server.engine_vllm.engine import VllmEngine
from heddle_model_server.engine_vllm.output_parser import output_parsers
from heddle_model_server.engine_vllm.reaper import VARIABLE
from heddle_model_server.errors import NodeError
from heddle_model_server.model import read_model
from heddle_model_server.node.adapter_cache import AdapterCache
from heddle_model_server.node.prepare import RequestPreparer
from heddle_model_server.settings import NodeSettings

TOLERANCE = 2e-3
HIDDEN = 128


class VllmNode(Node):
    """The same node with the other engine in it."""

    def __init__(self, folder, died=lambda: None, **settings):
        self.loaded = read_model(str(folder))
        arguments = os.environ.get("HEDDLE_NODE_VLLM_ARGS", "--enforce-eager")
        settings = {"max_adapters": 2, **settings}
        settings = NodeSettings(model=str(folder), vllm_args=arguments, dtype="float32", **settings)
        self.engine = VllmEngine(self.loaded, settings, died=died)
        self.preparer = RequestPreparer(self.loaded, self.engine.facts, self.engine.output_parsers)
        self._ids = itertools.count()
        self.engine.start()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A demo model whose heads are as wide as vLLM's kernels for CPUs want them."""
    return make_demo_model(tmp_path_factory.mktemp("wide") / "demo", hidden=HIDDEN)


@pytest.fixture(scope="module")
def node(folder):
    node = Node(folder)
    yield node
    node.close()


@pytest.fixture(scope="module")
def vllm(folder):
    node = VllmNode(folder)
    yield node
    node.close()


def test_greedy_text_and_logprobs_are_those_of_the_cpu_engine(node: Node, vllm: VllmNode):
    compared, furthest = 0, 0.0
    for question, _ in TALK:
        fields = {"messages": user(question), "temperature": 0.0, "max_tokens": 32, "logprobs": True, "top_logprobs": 3}
        ours, theirs = node.ask(**fields).first, vllm.ask(**fields).first
        assert (theirs.text, theirs.tokens, theirs.finish) == (ours.text, ours.tokens, ours.finish)
        for one, other in zip(ours.logprobs, theirs.logprobs, strict=True):
            assert [top.token_id for top in one.top][:1] == [top.token_id for top in other.top][:1]
            pairs = [(one, other), *zip(one.top, other.top)]
            furthest = max(furthest, *(abs(a.logprob - b.logprob) for a, b in pairs))
            compared += len(pairs)
    print(f"\n{len(TALK)} answers alike, {compared} log-probabilities, furthest apart {furthest:.2e}")
    assert furthest < TOLERANCE


def test_prompt_logprobs_are_those_of_the_cpu_engine(node: Node, vllm: VllmNode):
    fields = {"messages": user("What is a loom?"), "temperature": 0.0, "max_tokens": 2, "prompt_logprobs": 2}
    ours, theirs = (one.ask(**fields).done.prompt_logprobs for one in (node, vllm))
    assert len(ours) == len(theirs) and not theirs[0].tokens
    for one, other in zip(ours[1:], theirs[1:]):
        assert one.tokens[0].token_id == other.tokens[0].token_id
        assert one.tokens[0].rank == other.tokens[0].rank
        assert abs(one.tokens[0].logprob - other.tokens[0].logprob) < TOLERANCE


# What can't be seen on both in the same way; each has a test of its own below.
OWN = {
    "top_k of several": "vLLM takes no such temperature",
    "stream": "vLLM joins what comes quickly",
    "seed": "vLLM takes no such temperature",
    "temperature": "the wider demo model says the same with its own",
    "top_p": "vLLM takes no such temperature",
    "top_k": "vLLM takes no such temperature",
    "min_p": "vLLM takes no such temperature",
    "repetition_detection of beams": "refused: beams with allowed_token_ids",
    "presence_penalty": "made for the narrower demo model",
    "response_format": "the wider demo model writes blanks there for ever",
    "structured_outputs.json": "the wider demo model writes blanks there for ever",
    "structured_outputs.disable_additional_properties": "the wider demo model writes blanks there for ever",
    "structured_outputs.whitespace_pattern": "refused: vLLM lets the pattern come again and again",
}


@pytest.mark.parametrize(
    "case", [case for case in test_fields.CASES if case.name not in OWN], ids=lambda case: case.name
)
def test_field(vllm: VllmNode, case):
    test_fields.test_field(vllm, case)


def said(node: Node, result) -> list[tuple]:
    """What both have to say alike. A character that is not whole at the end is told of by one engine and not by the
    other; a structure that is complete ends the answer on one, and is followed by the token of the end on the other."""
    end = node.loaded.tokenizer.eos_token_id
    return [
        (
            one.text.rstrip("\ufffd"),
            one.reasoning,
            [tuple(call) for call in one.calls],
            one.tokens[:-1] if one.finish != "length" and one.tokens[-1:] == [end] else one.tokens,
            one.finish,
            one.stop,
        )
        for one in result.choices
    ]


GREEDY = [
    case
    for case in test_fields.CASES
    if case.request["temperature"] == 0.0
    and not case.request.get("use_beam_search")
    # Between the parts of JSON vLLM's library allows any number of blanks; below they are kept away.
    and "blanks" not in OWN.get(case.name, "")
    and case.name != "structured_outputs.whitespace_pattern"
]


@pytest.mark.parametrize("case", GREEDY, ids=lambda case: case.name)
def test_a_greedy_answer_is_that_of_the_cpu_engine(node: Node, vllm: VllmNode, case):
    request = {"max_tokens": 48, **test_fields.built(node, case.request), "messages": case.messages}
    ours, theirs = node.ask(**request), vllm.ask(**request)
    assert said(vllm, theirs) == said(node, ours)
    usage = ours.done.usage
    assert theirs.done.usage.prompt_tokens == usage.prompt_tokens
    structured = any(name in request for name in ("structured_outputs", "response_format", "tools"))
    assert theirs.done.usage.completion_tokens - usage.completion_tokens in ((0, 1) if structured else (0,))
    if request.get("logprobs"):
        for one, other in zip(ours.first.logprobs, theirs.first.logprobs, strict=True):
            assert (one.token_id, one.token, one.bytes) == (other.token_id, other.token, other.bytes)
            assert abs(one.logprob - other.logprob) < TOLERANCE


STRUCTURES = [
    ("response_format", {"type": "json_schema", "json_schema": {"name": "x", "schema": test_fields.SCHEMA}}),
    ("response_format", {"type": "json_object"}),
    ("structured_outputs", {"json": test_fields.SCHEMA}),
    ("structured_outputs", {"json": test_fields.SCHEMA, "disable_any_whitespace": True}),
    ("structured_outputs", {"json": test_fields.OPEN, "disable_additional_properties": True}),
    ("structured_outputs", {"json_object": True}),
]


@pytest.mark.parametrize("field, value", STRUCTURES, ids=lambda one: one if isinstance(one, str) else "+".join(one))
def test_a_structure_changes_both_alike(node: Node, vllm: VllmNode, field: str, value):
    tokenizer = node.loaded.tokenizer
    blank = {id: -100.0 for id in range(len(tokenizer)) if re.search(r"\s", tokenizer.decode([id]))}
    request = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 60, "logit_bias": blank}
    ours, theirs = (one.ask(**request, **{field: value}) for one in (node, vllm))
    assert said(vllm, theirs) == said(node, ours)
    assert ours.text.startswith("{") and (ours.first.finish == "length" or isinstance(json.loads(ours.text), dict))
    assert said(vllm, vllm.ask(**request)) != said(vllm, theirs)


@pytest.mark.parametrize(
    "field, value",
    [("presence_penalty", 2.0), ("presence_penalty", -2.0), ("frequency_penalty", 2.0), ("repetition_penalty", 5.0)],
)
def test_a_penalty_changes_both_alike(node: Node, vllm: VllmNode, field: str, value: float):
    changed = 0
    # Pushed more and more towards one token, so that somewhere the penalty decides.
    for push in range(0, 24, 3):
        request = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 24, "ignore_eos": True}
        request["logit_bias"] = {node.token("!"): float(push)}
        ours, theirs = (one.ask(**request, **{field: value}) for one in (node, vllm))
        assert said(vllm, theirs) == said(node, ours)
        changed += said(node, ours) != said(node, node.ask(**request))
    assert changed > 0


@pytest.mark.parametrize("stream", [True, False])
def test_a_parser_of_vllm_reads_a_call_as_the_nodes_own(vllm: VllmNode, stream: bool):
    case = next(case for case in test_fields.CASES if case.name == "tool_choice auto")
    fields = {"max_tokens": 48, **test_fields.built(vllm, case.request), "messages": case.messages, "stream": stream}
    ours = vllm.ask(**fields).first
    other = copy.copy(vllm)
    parsers = output_parsers(vllm.loaded, NodeSettings(tool_parser="hermes"))
    other.preparer = RequestPreparer(vllm.loaded, vllm.engine.facts, parsers)
    theirs = other.ask(**fields).first
    assert (theirs.text, theirs.tokens, theirs.finish) == (ours.text, ours.tokens, "tool_calls")
    assert [(name, json.loads(arguments)) for name, arguments in theirs.calls] == [
        (name, json.loads(arguments)) for name, arguments in ours.calls
    ]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_temperature_is_that_of_the_odds(node: Node, vllm: VllmNode, temperature: float):
    """Two tokens are allowed; how often each is drawn follows from their log-probabilities."""
    pair = [node.token("!"), node.token("?")]
    base = {"messages": user("Hello!"), "allowed_token_ids": pair, "max_tokens": 1}
    likely = node.ask(**base, temperature=0.0, prompt_logprobs=0, logprobs=True, top_logprobs=20)
    known = {one.token_id: one.logprob for one in likely.first.logprobs[0].top}
    known[likely.first.tokens[0]] = likely.first.logprobs[0].logprob
    other = next(token for token in pair if token != likely.first.tokens[0])
    if other not in known:
        known[other] = (
            node.ask(**base | {"allowed_token_ids": [other]}, temperature=0.0, logprobs=True).first.logprobs[0].logprob
        )
    # Evened out, and then two to one.
    bias = {pair[1]: known[pair[0]] - known[pair[1]] + math.log(2.0)}
    expected = 1 / (1 + math.exp(-math.log(2.0) / temperature))
    for one in (node, vllm):
        drawn = [
            choice.tokens[0]
            for seed in range(4)
            for choice in one.ask(**base, temperature=temperature, logit_bias=bias, n=128, seed=seed).choices
        ]
        assert abs(drawn.count(pair[1]) / len(drawn) - expected) < 0.09


def test_top_k_of_several(vllm: VllmNode):
    fields = {"messages": user("Hello!"), "temperature": 2.0, "seed": 3, "logprobs": True, "top_logprobs": 3}
    fields |= test_fields.LONG
    among = lambda result: [t.token_id in [top.token_id for top in t.top] for t in result.first.logprobs]
    first = lambda result: [t.token_id == t.top[0].token_id for t in result.first.logprobs]
    narrowed = vllm.ask(**fields, top_k=3)
    assert all(among(narrowed)) and not all(first(narrowed))
    assert not all(among(vllm.ask(**fields)))


def test_stream(vllm: VllmNode):
    fields = {"messages": user("Hello!"), "temperature": 0.0, "ignore_eos": True, "max_tokens": 80}
    assert len(vllm.ask(**fields, stream=True).events) > 5
    assert len(vllm.ask(**fields).events) == 3


@pytest.mark.parametrize("narrowed", [{"top_k": 1}, {"top_p": 0.00001}, {"min_p": 1.0}], ids=lambda one: min(one))
def test_what_narrows_the_choice(vllm: VllmNode, narrowed: dict):
    result = vllm.ask(messages=user("Hello!"), temperature=2.0, seed=3, n=3, max_tokens=20, **narrowed)
    assert [choice.text for choice in result.choices] == [test_fields.HELLO] * 3
    free = vllm.ask(messages=user("Hello!"), temperature=2.0, seed=3, n=3, max_tokens=20)
    assert [choice.text for choice in free.choices] != [test_fields.HELLO] * 3


def test_a_structure_is_followed(vllm: VllmNode):
    fields = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 40}
    schema = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    }
    result = vllm.ask(**fields, structured_outputs={"json": schema, "disable_any_whitespace": True})
    assert isinstance(json.loads(result.text)["ok"], bool)


def test_seed(vllm: VllmNode):
    ask = lambda seed: (
        vllm.ask(
            messages=user("Hello!"), temperature=2.0, top_k=200, seed=seed, max_tokens=64, ignore_eos=True
        ).first.tokens
    )
    assert ask(11) == ask(11) != ask(12)


def test_logprobs_are_one_a_token(vllm: VllmNode):
    first = vllm.ask(messages=user("Hello!"), temperature=0.0, logprobs=True).first
    assert len(first.logprobs) == len(first.tokens) and all(-9 < one.logprob <= 0 for one in first.logprobs)


def test_beams(vllm: VllmNode):
    result = vllm.ask(messages=user("Hello!"), temperature=0.0, use_beam_search=True, n=3, max_tokens=24)
    assert result.text == test_fields.HELLO and len(result.choices) == 3


@pytest.mark.parametrize(
    "field, value",
    [
        ("temperature", 0.7),
        ("min_tokens", 2),
        ("bad_words", ["Hello"]),
        ("allowed_token_ids", [5, 6]),
        ("logit_bias", {5: 1.0}),
        ("frequency_penalty", 1.0),
        ("presence_penalty", 1.0),
        ("repetition_penalty", 2.0),
    ],
)
def test_what_beams_do_not_support_is_refused(vllm: VllmNode, field: str, value):
    with pytest.raises(NodeError) as error:
        vllm.ask(messages=user("Hello!"), use_beam_search=True, n=2, **{field: value})
    assert (error.value.code, error.value.field) == ("UNSUPPORTED_FIELD", field)


@pytest.mark.parametrize(
    "fields, field",
    [
        ({"kv_transfer_params": {"a": 1}}, "kv_transfer_params"),
        ({"mm_processor_kwargs": {"a": 1}}, "mm_processor_kwargs"),
        ({"backend_xargs": {"strange": 1}}, "backend_xargs"),
        ({"temperature": 2.5}, "temperature"),
        ({"use_beam_search": True, "n": 2, "structured_outputs": {"regex": "a"}}, "use_beam_search"),
        ({"structured_outputs": {"regex": "(a"}}, "structured_outputs.regex"),
        (
            {"structured_outputs": {"json": test_fields.SCHEMA, "whitespace_pattern": "~"}},
            "structured_outputs.whitespace_pattern",
        ),
    ],
)
def test_what_can_not_be_meant_is_refused(vllm: VllmNode, fields: dict, field: str):
    with pytest.raises(NodeError) as error:
        vllm.ask(messages=user("Hello!"), **fields)
    assert error.value.field == field and error.value.message.endswith(".")


def test_many_at_once(vllm: VllmNode):
    waits = [vllm.begin(messages=user(question), temperature=0.0, max_tokens=32) for question, _ in TALK * 3]
    assert [wait().text for wait in waits] == [answer for _, answer in TALK * 3]
    assert vllm.engine.idle


def test_an_abort_ends_the_work(vllm: VllmNode):
    wait = vllm.begin(messages=user("Hello!"), request_id="mine", ignore_eos=True, max_tokens=1900)
    time.sleep(0.3)
    assert vllm.engine.abort("mine")
    assert wait().error.code == "ABORTED"
    assert not vllm.engine.abort("mine")
    assert vllm.ask(messages=user("Hello!"), temperature=0.0).text == test_fields.HELLO


def test_a_cache_salt_keeps_beginnings_apart(vllm: VllmNode):
    ask = lambda salt: (
        vllm.ask(
            messages=user("What is a trace? " * 40), cache_salt=salt, temperature=0.0, max_tokens=2
        ).done.usage.cached_tokens
    )
    assert ask("one") == 0
    assert ask("two") == 0
    assert ask("one") > 20
    assert [ask(""), ask("")] == [0, 0]


def test_adapters_say_the_same_as_on_the_cpu_engine(node: Node, vllm: VllmNode, tmp_path, monkeypatch):
    monkeypatch.setattr(test_adapters, "HIDDEN", HIDDEN)
    monkeypatch.setattr(test_adapters, "KV", HIDDEN // 2)

    async def loaded(cache: AdapterCache, name: str, address: str):
        entry, _ = await cache.load(name, address, "")
        return entry.adapter

    async def compare() -> None:
        with ThreadPoolExecutor(1) as pool:
            caches = [
                (node, AdapterCache(node.engine, pool, 2)),
                (vllm, AdapterCache(vllm.engine, pool, 2)),
            ]
            said = []
            for one, cache in caches:
                texts = []
                # The third takes the place of the first.
                for seed in (1, 2, 3):
                    folder = tmp_path / f"a{seed}"
                    if not folder.exists():
                        write(folder, adapter_files(seed, target_modules=["q_proj", "v_proj"]))
                    adapter = await loaded(cache, f"a{seed}", str(folder))
                    fields = {"messages": user("What is a loom?"), "temperature": 0.0, "max_tokens": 12}
                    # A character that is not whole at the end is told of by one engine and not by the other.
                    texts.append((await asyncio.to_thread(one.ask, adapter, **fields)).text.rstrip("\ufffd"))
                assert len(cache.loaded()) == 2
                for entry in cache.loaded():
                    await cache.unload(entry.name)
                said.append(texts)
            ours, theirs = said
            assert theirs == ours and len(set(ours)) == 3, json.dumps(said)

    asyncio.run(compare())


def engine_processes(vllm: VllmNode) -> list[psutil.Process]:
    mark = vllm.engine._reaper.mark
    return [one for one in psutil.Process().children(recursive=True) if one.environ().get(VARIABLE) == mark]


def test_a_vllm_that_hangs_is_noticed(vllm: VllmNode):
    assert vllm.engine.stuck_for() == 0
    vllm.ask(messages=user("Hello!"), temperature=0.0)
    processes = engine_processes(vllm)
    for process in processes:
        process.suspend()
    try:
        wait = vllm.begin(messages=user("Hello!"), temperature=0.0)
        until(lambda: vllm.engine.stuck_for() >= 1)
    finally:
        for process in processes:
            process.resume()
    assert wait().text == test_fields.HELLO
    assert vllm.engine.stuck_for() == 0


def test_a_vllm_that_dies_is_told_of(folder):
    died: list[bool] = []
    node = VllmNode(folder, died=lambda: died.append(True), max_adapters=0)
    wait = node.begin(messages=user("Hello!"), ignore_eos=True, max_tokens=1900)
    for process in engine_processes(node):
        process.kill()
    assert wait(30).error.code == "ENGINE_DIED"
    until(lambda: died)
    assert not node.engine.load().healthy
    with pytest.raises(NodeError, match="gone"):
        node.ask(messages=user("Hello!"))
    node.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_nothing_is_left_of_a_node_that_ends(folder, how):
    node = ServedNode(folder, "--engine", "vllm", "--vllm-args=--enforce-eager", "--dtype", "float32")
    try:
        assert node.ask(messages=user("Hello!"), temperature=0.0).text == test_fields.HELLO
        left = psutil.Process(node.process.pid).children(recursive=True)
        assert left
        node.process.send_signal(how)
        until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in left), 40)
    finally:
        node.close()
