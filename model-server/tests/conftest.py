"""What the tests share: the demo model, made once, and nodes over it."""

from __future__ import annotations

import itertools
import os
import queue
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
for folder in ("train", "..", "."):
    sys.path.insert(0, str((Path(__file__).parent / folder).resolve()))

from heddle_model_server.forks import load

# First, for it is what takes long.
load("heddle_model_server.node.serve")

import pytest
import torch
from served import PATIENCE, AdapterStore, ServedNode
from wire import Result, read, wire

from heddle_model_server.demo.make import make_demo_model
from heddle_model_server.model import load_model
from heddle_model_server.engine_cpu.engine import CpuEngine
from heddle_model_server.settings import NodeSettings
from heddle_model_server.request import Done, Failed
from heddle_model_server.node.event_buffer import EventBuffer
from heddle_model_server.node.prepare import RequestPreparer


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory) -> Path:
    """TEST_MODEL names one that was made before."""
    made = os.environ.get("TEST_MODEL")
    return Path(made) if made else make_demo_model(tmp_path_factory.mktemp("model") / "demo")


class Node:
    """An engine with what prepares its requests and reads its answers, in this process."""

    def __init__(self, folder: Path, **settings):
        self.loaded = load_model(str(folder))
        self.engine = CpuEngine(self.loaded, NodeSettings(**settings))
        self.preparer = RequestPreparer(self.loaded, self.engine.facts)
        self._ids = itertools.count()
        self.engine.start()

    def begin(self, adapter=None, **fields):
        """Sends a request; returns what waits for its result."""
        fields.setdefault("request_id", f"request-{next(self._ids)}")
        prepared = self.preparer.prepare(wire(fields))
        prepared.request.adapter = adapter
        events: queue.Queue = queue.Queue()
        self.engine.submit(prepared.request, events.put)

        def wait(timeout: float = PATIENCE) -> Result:
            buffer = EventBuffer(prepared)
            sent = []
            while not buffer.finished:
                event = events.get(timeout=timeout)
                buffer.put(event)
                sent += buffer.take()
                assert isinstance(event, Done | Failed) == buffer.finished
            return read(sent)

        return wait

    def ask(self, adapter=None, **fields) -> Result:
        return self.begin(adapter, **fields)()

    def tokens(self, text: str) -> list[int]:
        return self.loaded.tokenizer(text, add_special_tokens=False)["input_ids"]

    def token(self, text: str) -> int:
        (token,) = self.tokens(text)
        return token

    def close(self) -> None:
        self.engine.stop()


@pytest.fixture(scope="session")
def node(model_folder):
    node = Node(model_folder)
    yield node
    node.close()


@pytest.fixture
def make_node(model_folder):
    """Nodes with settings of their own."""
    nodes = []

    def make(**settings) -> Node:
        nodes.append(Node(model_folder, **settings))
        return nodes[-1]

    yield make
    for one in nodes:
        one.close()


@pytest.fixture(scope="session")
def reference(model_folder):
    """The model as transformers runs it, and its tokenizer."""
    loaded = load_model(str(model_folder))
    return loaded.model, loaded.tokenizer


@pytest.fixture(scope="session")
def adapter_store():
    store = AdapterStore()
    yield store
    store.server_close()


@pytest.fixture(scope="session")
def served(model_folder, adapter_store):
    node = ServedNode(model_folder, "--max-adapters", "2", environment=adapter_store.environment)
    yield node
    node.close()


@pytest.fixture
def make_policy(model_folder):
    """The demo model with a new adapter."""
    from heddle_model_server.train.policy import LoraOptions, Policy

    def make(rank: int = 8, **settings) -> Policy:
        loaded = load_model(str(model_folder), name="demo", device="cpu")
        return Policy(loaded, LoraOptions(rank=rank, alpha=2 * rank), **settings)

    return make


@pytest.fixture
def policy(make_policy):
    return make_policy()


@pytest.fixture
def answer():
    from toy import likeliest

    return likeliest


torch.set_num_threads(1)
