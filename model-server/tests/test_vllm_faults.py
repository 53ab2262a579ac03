"""What the node does when vLLM sleeps, can't wake, ends, or gives up an answer: a stand-in behaves as vLLM's source does,
since none of it can be had from a real one without a GPU."""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import subprocess
import sys
import threading
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import psutil
import pytest
from served import PATIENCE, ForkedProcess, until
from test_adapters import adapter_files
from wire import wire


class Names(ModuleType):
    """A module of vLLM: it has every name, each of which takes any arguments."""

    __path__: list[str] = []
    __version__ = "stand-in"

    def __getattr__(self, name: str):
        return type(
            name, (SimpleNamespace,), {"DELTA": 0, "__init__": lambda self, *_, **named: vars(self).update(named)}
        )


class Finder(MetaPathFinder, Loader):
    """Finds `vllm` and all below it."""

    def find_spec(self, name, path, target=None):
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] == "vllm" else None

    def create_module(self, spec):
        return Names(spec.name)

    def exec_module(self, module):
        pass


FINDER = Finder()


def without_vllm() -> None:
    """Other tests ask whether there is a vLLM."""
    if FINDER in sys.meta_path:
        sys.meta_path.remove(FINDER)
    for name in [name for name in sys.modules if isinstance(sys.modules[name], Names)]:
        del sys.modules[name]


if find_spec("vllm") is None:
    sys.meta_path.append(FINDER)
from heddle_model_server.engine_vllm import engine as engine_module
from heddle_model_server.engine_vllm.answer import Answer
from heddle_model_server.engine_vllm.engine import VllmEngine
from heddle_model_server.errors import NodeError
from heddle_model_server.model import read_model
from heddle_model_server.node.fields import params_of
from heddle_model_server.request import Params, Request
from heddle_model_server.settings import NodeSettings

HAS_VLLM = FINDER not in sys.meta_path
without_vllm()


class StandIn:
    """As AsyncLLM: what is written to the weights while they are away ends the engine."""

    vllm_config = SimpleNamespace(
        model_config=SimpleNamespace(dtype="float32", max_model_len=512),
        cache_config=SimpleNamespace(num_gpu_blocks=8, block_size=16),
        scheduler_config=SimpleNamespace(max_num_seqs=4),
    )

    def __init__(self):
        self.errored = self.asleep = False
        self.failing_wakes = 0
        self.loras: list[str] = []
        self.levels: list[int] = []
        self.asked = threading.Event()
        # Set when what reads vLLM's outputs has found that it is dead.
        self.told = asyncio.Event()

    async def sleep(self, level, mode):
        self.levels.append(level)
        self.asleep = True

    async def wake_up(self, tags=None):
        if self.failing_wakes:
            self.failing_wakes -= 1
            raise RuntimeError("CUDA out of memory")
        self.asleep = False

    async def add_lora(self, lora):
        self.errored = self.errored or self.asleep
        self.loras.append("one more")

    async def remove_lora(self, number):
        self.errored = self.errored or self.asleep
        self.loras.pop()

    async def add_request(self, *_, **__):
        self.asked.set()
        await self.told.wait()
        raise RuntimeError("EngineCore encountered an issue.")

    def shutdown(self):
        pass


@pytest.fixture
def over_stand_in(monkeypatch):
    """Makes engines over a stand-in."""
    engines = []

    def make(model, stand_in, died=lambda: None) -> VllmEngine:
        async def open_it(self, sleeps):
            return stand_in

        monkeypatch.setattr(VllmEngine, "_open", open_it)
        engines.append(VllmEngine(model, NodeSettings(model=model.name, max_adapters=2), died=died, sleeps=True))
        return engines[-1]

    if not HAS_VLLM:
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, FINDER])
    monkeypatch.setattr(engine_module, "output_parsers", lambda *_: None)
    monkeypatch.setattr(engine_module, "WAKE_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(engine_module, "free_memory", lambda: 2**40)
    monkeypatch.setattr(engine_module, "bytes_of_weights", lambda _: 0)
    yield make
    for engine in engines:
        engine.stop()
    without_vllm()


@pytest.fixture
def started(node, over_stand_in):
    """An engine over a stand-in, that, and what is set when the node should end."""
    stand_in, ended = StandIn(), threading.Event()
    return over_stand_in(node.loaded, stand_in, ended.set), stand_in, ended


def loading_node(model: str) -> None:
    """A node whose vLLM has started a process and loads; it tells the process's number, and how vLLM is to start others."""

    async def open_it(self, sleeps):
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; print(flush=True); time.sleep(1000)"], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        os.write(1, f"{child.pid} {os.environ['VLLM_WORKER_MULTIPROC_METHOD']}\n".encode())
        await asyncio.Event().wait()

    if not HAS_VLLM:
        sys.meta_path.append(FINDER)
    VllmEngine._open = open_it
    engine_module.output_parsers = lambda *_: None
    VllmEngine(read_model(model), NodeSettings(model=model))


def test_nothing_is_left_of_a_node_that_is_killed_while_vllm_loads(model_folder):
    node = ForkedProcess(loading_node, str(model_folder))
    number, method = node.stdout.readline().split()
    child = psutil.Process(int(number))
    assert method == "spawn"
    node.send_signal(signal.SIGKILL)
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
    node.close()


def test_an_adapter_that_comes_while_vllm_sleeps_is_loaded_after_it(started):
    engine, vllm, ended = started
    first = engine.add_adapter("first", adapter_files(1)).result(PATIENCE)
    engine.sleep().result(PATIENCE)
    second = engine.add_adapter("second", adapter_files(2))
    gone = engine.remove_adapter(first)
    # What would be wrong happens within these turns of the engine's loop.
    for _ in range(20):
        engine._call(asyncio.sleep(0.005)).result(PATIENCE)
    assert not second.done() and not gone.done() and len(vllm.loras) == 1
    engine.wake().result(PATIENCE)
    second.result(PATIENCE)
    gone.result(PATIENCE)
    assert len(vllm.loras) == 1 and not vllm.errored and not ended.is_set()


def test_the_memory_of_an_earlier_sleep_is_there_for_the_next(started, monkeypatch):
    engine, vllm, _ = started
    engine.sleep().result(PATIENCE)
    engine.wake().result(PATIENCE)
    monkeypatch.setattr(engine_module, "free_memory", lambda: 0)
    engine.sleep().result(PATIENCE)
    assert vllm.levels == [1, 1]


def test_a_wake_that_fails_is_tried_again(started):
    engine, vllm, ended = started
    engine.sleep().result(PATIENCE)
    vllm.failing_wakes = 2
    engine.wake().result(PATIENCE)
    assert engine.load().healthy and not vllm.asleep and not ended.is_set()


def test_a_node_whose_vllm_never_wakes_ends(started):
    engine, vllm, ended = started
    engine.sleep().result(PATIENCE)
    vllm.failing_wakes = 99
    with pytest.raises(RuntimeError):
        engine.wake().result(PATIENCE)
    assert ended.is_set() and not engine.load().healthy


@pytest.mark.parametrize("told", [False, True])
def test_requests_that_vllm_worked_on_when_it_ended_are_told_apart(started, told):
    """One of them may be why; what comes later is innocent."""
    engine, vllm, ended = started
    events: queue.Queue = queue.Queue()
    request = Request("one", [1, 2, 3], Params())
    engine.submit(request, events.put)
    assert vllm.asked.wait(PATIENCE)
    vllm.errored = True
    if told:
        engine._loop.call_soon_threadsafe(vllm.told.set)
    assert events.get(timeout=PATIENCE).error.code == "ENGINE_DIED"
    assert ended.wait(PATIENCE)
    with pytest.raises(NodeError) as refused:
        engine.submit(Request("two", [1, 2, 3], Params()), events.put)
    assert refused.value.code == "UNHEALTHY"


def test_an_answer_that_vllm_gives_up_is_an_error(node):
    answer = Answer(Request("one", [1, 2, 3], Params()), node.loaded)
    choice = SimpleNamespace(index=0, finish_reason="error", token_ids=[], logprobs=None, stop_reason=None)
    output = SimpleNamespace(outputs=[choice], finished=True, num_cached_tokens=0, prompt_logprobs=None)
    with pytest.raises(NodeError) as failed:
        list(answer.events(output))
    assert failed.value.code == "INTERNAL"


@pytest.mark.parametrize(
    "field, value",
    [
        ("logit_bias", lambda room: {token: 1.0 for token in range(1024 + room)}),
        ("allowed_token_ids", lambda room: list(range(1024 + room))),
        ("stop_token_ids", lambda room: list(range(112 + room))),
        # Each is two sequences, of which one begins with a space.
        ("bad_words", lambda room: [f"w{number}" for number in range(64 + room)]),
        ("bad_words", lambda room: ["w" * (511 + room)]),
    ],
)
def test_what_vllm_s_sampler_has_no_room_for_is_refused(field, value):
    """A GPU's sampler raises for it within a step, which would end the engine. The vocabulary has more tokens than it takes."""
    params = lambda room: params_of(wire({field: value(room)}), 4096, None, lambda text: map(ord, text))
    assert params(0)
    with pytest.raises(NodeError) as refused:
        params(1)
    assert (refused.value.code, refused.value.field) == ("BAD_FIELD", field)
