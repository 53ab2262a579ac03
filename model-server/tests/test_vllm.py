"""The vLLM engine beside the torch engine, over the same model: the same greedy text and log-probabilities, the same
meaning of every field, adapters, aborts. Runs where HEDDLE_NODE_VLLM_COMMAND names a vLLM (`make test-vllm`)."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import test_adapters
import test_fields
from conftest import Node
from test_adapters import adapter_files, write
from wire import user

COMMAND = os.environ.get("HEDDLE_NODE_VLLM_COMMAND", "")
if not COMMAND:
    pytest.skip("make test-vllm sets up a vLLM and runs these", allow_module_level=True)

from heddle_model_server.adapters.s3 import S3Access
from heddle_model_server.adapters.shelf import Shelf
from heddle_model_server.demo.corpus import TALK
from heddle_model_server.demo.make import make_demo_model
from heddle_model_server.errors import NodeError
from heddle_model_server.server.prepare import Preparation
from heddle_model_server.vllm.engine import VllmEngine
from heddle_model_server.vllm.model import served_model
from heddle_model_server.vllm.process import VllmSettings
from heddle_model_server.vllm.shelf import VllmShelf

TOLERANCE = 2e-3
HIDDEN = 128


class VllmNode(Node):
    """The same node with the other engine in it."""

    def __init__(self, folder, **settings):
        self.loaded = served_model(str(folder), device="cpu")
        self.engine = VllmEngine(
            self.loaded,
            VllmSettings(
                model=str(folder),
                command=COMMAND,
                arguments=os.environ.get("HEDDLE_NODE_VLLM_ARGS", "--enforce-eager"),
                dtype="float32",
                max_adapters=2,
                **settings,
            ),
        )
        self.preparation = Preparation(self.loaded, self.engine.facts)
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


def test_greedy_text_and_logprobs_are_those_of_the_torch_engine(node: Node, vllm: VllmNode):
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


def test_prompt_logprobs_are_those_of_the_torch_engine(node: Node, vllm: VllmNode):
    fields = {"messages": user("What is a loom?"), "temperature": 0.0, "max_tokens": 2, "prompt_logprobs": 2}
    ours, theirs = (one.ask(**fields).done.prompt_logprobs for one in (node, vllm))
    assert len(ours) == len(theirs) and not theirs[0].tokens
    for one, other in zip(ours[1:], theirs[1:]):
        assert one.tokens[0].token_id == other.tokens[0].token_id
        assert one.tokens[0].rank == other.tokens[0].rank
        assert abs(one.tokens[0].logprob - other.tokens[0].logprob) < TOLERANCE


# What differs between the two engines, or can't be seen on both in the same way.
OWN = {
    "top_k of several": "vLLM tells no ranks beside those that were asked for",
    "length_penalty": "vLLM's beams end by another rule",
    "use_beam_search": "vLLM's beams end by another rule",
    "stream": "vLLM joins what comes quickly",
    "seed": "vLLM draws from other random numbers",
    "temperature": "the wider demo model says the same with its own",
    "top_p": "vLLM takes no such temperature",
    "top_k": "vLLM takes no such temperature",
    "min_p": "vLLM takes no such temperature",
    "spaces_between_special_tokens": "vLLM never puts spaces there",
    "presence_penalty": "made for the narrower demo model",
    "response_format": "the wider demo model does not end there",
    "structured_outputs.json": "the wider demo model does not end there",
    "structured_outputs.disable_additional_properties": "the wider demo model does not end there",
    "logprobs": "vLLM tells no ranks beside those that were asked for",
}


@pytest.mark.parametrize(
    "case", [case for case in test_fields.CASES if case.name not in OWN], ids=lambda case: case.name
)
def test_field(vllm: VllmNode, case):
    test_fields.test_field(vllm, case)


@pytest.mark.parametrize("narrowed", [{"top_k": 1}, {"top_p": 0.00001}, {"min_p": 1.0}], ids=lambda one: min(one))
def test_what_narrows_the_choice(vllm: VllmNode, narrowed: dict):
    result = vllm.ask(messages=user("Hello!"), temperature=2.0, seed=3, n=3, max_tokens=20, **narrowed)
    assert [choice.text for choice in result.choices] == [test_fields.HELLO] * 3


def test_a_structure_is_followed(vllm: VllmNode):
    fields = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 40}
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": False}
    result = vllm.ask(**fields, structured_outputs={"json": schema, "disable_any_whitespace": True})
    assert isinstance(json.loads(result.text)["ok"], bool)


def test_seed(vllm: VllmNode):
    ask = lambda seed: vllm.ask(
        messages=user("Hello!"), temperature=2.0, top_k=200, seed=seed, max_tokens=64, ignore_eos=True
    ).first.tokens
    assert ask(11) == ask(11) != ask(12)


def test_logprobs_are_one_a_token(vllm: VllmNode):
    first = vllm.ask(messages=user("Hello!"), temperature=0.0, logprobs=True).first
    assert len(first.logprobs) == len(first.tokens) and all(-9 < one.logprob <= 0 for one in first.logprobs)


def test_beams(vllm: VllmNode):
    result = vllm.ask(messages=user("Hello!"), temperature=0.0, use_beam_search=True, n=3, max_tokens=24)
    assert result.text == test_fields.HELLO and len(result.choices) == 3


@pytest.mark.parametrize(
    "fields, field",
    [
        ({"kv_transfer_params": {"a": 1}}, "kv_transfer_params"),
        ({"mm_processor_kwargs": {"a": 1}}, "mm_processor_kwargs"),
        ({"backend_xargs": {"strange": 1}}, "backend_xargs"),
        ({"temperature": 2.5}, "temperature"),
        ({"use_beam_search": True, "n": 2, "structured_outputs": {"regex": "a"}}, "use_beam_search"),
        ({"structured_outputs": {"regex": "(a"}}, "structured_outputs.regex"),
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


def test_adapters_say_the_same_as_on_the_torch_engine(node: Node, vllm: VllmNode, tmp_path, monkeypatch):
    monkeypatch.setattr(test_adapters, "HIDDEN", HIDDEN)
    monkeypatch.setattr(test_adapters, "KV", HIDDEN // 2)
    async def loaded(shelf: Shelf, name: str, address: str):
        place, _ = await shelf.load(name, address, "")
        return place.adapter

    async def compare() -> None:
        with ThreadPoolExecutor(1) as pool:
            shelves = [
                (node, Shelf(node.engine, pool, S3Access.of_environment(), 2, 16)),
                (vllm, VllmShelf(vllm.engine, pool, S3Access.of_environment(), 2, 16)),
            ]
            said = []
            for one, shelf in shelves:
                texts = []
                # The third takes the place of the first.
                for seed in (1, 2, 3):
                    folder = tmp_path / f"a{seed}"
                    if not folder.exists():
                        write(folder, adapter_files(seed, target_modules=["q_proj", "v_proj"]))
                    adapter = await loaded(shelf, f"a{seed}", str(folder))
                    fields = {"messages": user("What is a loom?"), "temperature": 0.0, "max_tokens": 12}
                    # A character that is not whole at the end is told of by one engine and not by the other.
                    texts.append((await asyncio.to_thread(one.ask, adapter, **fields)).text.rstrip("\ufffd"))
                assert len(shelf.listed()) == 2
                for place in shelf.listed():
                    await shelf.unload(place.name)
                shelf.close()
                said.append(texts)
            ours, theirs = said
            assert theirs == ours and len(set(ours)) == 3, json.dumps(said)

    asyncio.run(compare())


def test_a_server_that_dies_is_told_of(folder):
    died: list[bool] = []
    node = VllmNode.__new__(VllmNode)
    node.loaded = served_model(str(folder), device="cpu")
    settings = VllmSettings(
        model=str(folder), command=COMMAND, arguments="--enforce-eager", dtype="float32", max_adapters=0
    )
    node.engine = VllmEngine(node.loaded, settings, died=lambda: died.append(True))
    node.preparation = Preparation(node.loaded, node.engine.facts)
    node._ids = itertools.count()
    node.engine.start()
    wait = node.begin(messages=user("Hello!"), ignore_eos=True, max_tokens=1900)
    time.sleep(0.3)
    os.killpg(node.engine._server._process.pid, signal.SIGKILL)
    assert wait(30).error.code in ("UNHEALTHY", "INTERNAL")
    until = time.monotonic() + 10
    while not died and time.monotonic() < until:
        time.sleep(0.05)
    assert died and not node.engine.load().healthy
    with pytest.raises(NodeError, match="gone"):
        node.ask(messages=user("Hello!"))
    node.close()
