"""Embeddings: how a model's files say they are made, both engines, and the node's call."""

from __future__ import annotations

import json
import queue
import shutil
from types import SimpleNamespace

import grpc
import pytest
import torch
from served import PATIENCE, ServedNode
from test_vllm_faults import StandIn, over_stand_in  # noqa: F401
from transformers import AutoModel, AutoTokenizer

from heddle.node.v1 import node_pb2 as pb
from heddle_model_server.demo.corpus import TALK
from heddle_model_server.demo.make_embedder import SIZES, make_demo_embedder
from heddle_model_server.embedding import Embedding
from heddle_model_server.engine_cpu.embedder import CpuEmbedder, pooled
from heddle_model_server.model import load_model, read_model
from heddle_model_server.request import Done, Embed, Embedded, Failed, Started
from heddle_model_server.settings import NodeSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_demo_embedder(tmp_path_factory.mktemp("embedder") / "demo-embedding")


@pytest.fixture(scope="module")
def embedder(folder):
    node = ServedNode(folder)
    yield node
    node.close()


def ask(node: ServedNode, *texts: str, tokens=(), **fields) -> list[pb.GenerateEvent]:
    inputs = [pb.EmbedInput(text=pb.TextPrompt(text=text)) for text in texts]
    inputs += [pb.EmbedInput(tokens=pb.TokenPrompt(token_ids=ids)) for ids in tokens]
    return list(node.stub.Embed(pb.EmbedRequest(inputs=inputs, **fields), timeout=PATIENCE))


def vectors(events: list[pb.GenerateEvent]) -> torch.Tensor:
    found = {event.embedding.index: event.embedding.values for event in events if event.HasField("embedding")}
    return torch.stack([torch.frombuffer(bytearray(found[i]), dtype=torch.float32) for i in range(len(found))])


def by_hand(folder, text: str) -> torch.Tensor:
    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    hidden = AutoModel.from_pretrained(folder).eval()(tokens.input_ids).last_hidden_state[0]
    return torch.nn.functional.normalize(hidden.mean(0), dim=-1).detach()


def test_vectors_are_the_model_s_own_whatever_is_beside_them(embedder, folder):
    texts = ["Hello!", "What is a loom?", "x " * 100, "What is a loom?"]
    events = ask(embedder, *texts)
    found = vectors(events)
    for text, vector in zip(texts, found):
        assert torch.allclose(vector, by_hand(folder, text), atol=1e-5)
    assert events[0].HasField("started") and events[-1].HasField("done")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer(text)["input_ids"] for text in texts]
    assert events[-1].done.usage.prompt_tokens == sum(map(len, ids))
    assert torch.allclose(vectors(ask(embedder, tokens=ids)), found, atol=1e-5)


@pytest.mark.parametrize("size", SIZES)
def test_a_question_is_nearest_to_its_answer_at_each_size(embedder, size):
    questions, answers = (vectors(ask(embedder, *texts, dimensions=size)) for texts in zip(*TALK))
    assert torch.allclose(questions.norm(dim=1), torch.ones(len(TALK)), atol=1e-5)
    nearest = (questions @ answers.T).argmax(1).tolist()
    right = sum(TALK[i][1] == TALK[at][1] for i, at in enumerate(nearest))
    assert questions.shape[1] == size and right >= 0.9 * len(TALK)


@pytest.mark.parametrize(
    "given, code, words",
    [
        ({"texts": []}, "BAD_FIELD", "1 to 2048"),
        ({"texts": ["x"] * 2049}, "BAD_FIELD", "1 to 2048"),
        ({"texts": ["fine", "x " * 600]}, "PROMPT_TOO_LONG", "at 1 has"),
        ({"tokens": [[]]}, "BAD_FIELD", "is empty"),
        ({"tokens": [[10**6]]}, "BAD_FIELD", "not a token"),
        ({"texts": ["x"], "dimensions": 20}, "BAD_FIELD", "16, 32, 64"),
    ],
)
def test_what_can_t_be_embedded_is_refused(embedder, given, code, words):
    with pytest.raises(grpc.RpcError) as refused:
        ask(embedder, *given.pop("texts", ()), **given)
    assert dict(refused.value.trailing_metadata())["heddle-code"] == code and words in refused.value.details()


def test_a_node_says_what_it_does_and_refuses_the_rest(embedder, served):
    info = embedder.stub.Info(pb.InfoRequest())
    assert (info.embeds, info.embedding_dimensions, info.together, info.max_adapters) == (True, max(SIZES), False, 0)
    embedder.stub.Health(pb.HealthRequest())
    for call, code in (
        (lambda: embedder.ask(text={"text": "x"}), "NO_CHAT"),
        (lambda: list(embedder.stub.GenerateTogether(iter([pb.TogetherRequest()]))), "NO_CHAT"),
        (lambda: ask(served, "x"), "NO_EMBEDDINGS"),
    ):
        with pytest.raises(grpc.RpcError) as refused:
            call()
        assert dict(refused.value.trailing_metadata())["heddle-code"] == code


def test_texts_of_requests_come_in_turn_and_an_aborted_one_ends(folder):
    model = read_model(str(folder))
    engine = CpuEmbedder(load_model(str(folder), known=model), NodeSettings())
    events: queue.Queue = queue.Queue()

    def send(name):
        return lambda event: events.put((name, event))

    # Longer than a pass, so that there are several.
    long = Embed("long", [[5] * 400] * 30)
    engine.submit(long, send("long"))
    engine.submit(Embed("short", [[5]], arrived=1.0), send("short"))
    engine.submit(Embed("gone", [[5]], arrived=2.0), send("gone"))
    assert engine.abort("gone") and not engine.abort("gone")
    engine.start()
    order = []
    while {"long", "short"} - {name for name, event in order if isinstance(event, Done)}:
        order.append(events.get(timeout=PATIENCE))
    engine.stop()
    ends = [name for name, event in order if isinstance(event, Done)]
    assert ends == ["short", "long"] and engine.idle
    assert [type(event) for name, event in order if name == "gone"] == [Failed]
    assert sum(isinstance(event, Embedded) for name, event in order if name == "long") == 30


@pytest.mark.parametrize(
    "pooling, expected", [("cls", [1.0, 2.0]), ("last", [3.0, 6.0]), ("max", [3.0, 6.0]), ("mean", [2.0, 4.0])]
)
def test_padding_has_no_part_in_a_vector(pooling, expected):
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [9.0, 9.0]]])
    how = Embedding(pooling, False, 2)
    assert pooled(hidden, torch.tensor([[1, 1, 0]]), how).tolist() == [expected]


@pytest.mark.parametrize(
    "change, task, expected",
    [
        ({"1_Pooling/config.json": {"pooling_mode_cls_token": True}}, "auto", "cls"),
        ({"1_Pooling/config.json": {"pooling_mode": "lasttoken"}}, "auto", "last"),
        ({"1_Pooling/config.json": {"pooling_mode_weightedmean_tokens": True}}, "auto", ValueError),
        (
            {"1_Pooling/config.json": {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}},
            "auto",
            ValueError,
        ),
        ({"modules.json": [{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]}, "auto", ValueError),
        ({"modules.json": None}, "auto", "mean"),
        ({}, "chat", None),
    ],
)
def test_the_files_of_a_model_say_how(folder, tmp_path, change, task, expected):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    for name, content in change.items():
        if content is None:
            (copy / name).unlink()
        else:
            (copy / name).write_text(json.dumps(content))
    if expected is ValueError:
        with pytest.raises(ValueError, match="can't"):
            read_model(str(copy), task=task)
    else:
        found = read_model(str(copy), task=task).embedding
        assert (found and found.pooling) == expected


def test_a_model_that_chats_is_no_embedding_model_unless_that_is_set(model_folder):
    assert read_model(str(model_folder)).embedding is None
    found = read_model(str(model_folder), task="embed").embedding
    assert (found.pooling, found.normalize, found.shortened) == ("last", True, False)


class PoolingStandIn(StandIn):
    """As AsyncLLM with a pooling model: an output a prompt, or what is raised for it."""

    def __init__(self):
        super().__init__()
        self.encoded: list[tuple] = []

    async def encode(
        self,
        prompt,
        pooling_params,
        request_id,
        lora_request=None,
        trace_headers=None,
        priority=0,
        tokenization_kwargs=None,
        reasoning_ended=None,
    ):
        self.encoded.append(
            (prompt["prompt_token_ids"], pooling_params.task, pooling_params.dimensions, request_id, priority)
        )
        if prompt["prompt_token_ids"] == [9]:
            raise ValueError("no nines")
        data = torch.tensor([float(len(prompt["prompt_token_ids"])), 0.5], dtype=torch.bfloat16)
        yield SimpleNamespace(outputs=SimpleNamespace(data=data), finished=True)


def test_vllm_is_asked_for_a_vector_of_each_text(over_stand_in, folder):  # noqa: F811
    vllm = PoolingStandIn()
    engine = over_stand_in(read_model(str(folder)), vllm)
    events: queue.Queue = queue.Queue()
    engine.submit(Embed("one", [[1], [2, 3]], dimensions=16, priority=2), events.put)
    found = [events.get(timeout=PATIENCE) for _ in range(4)]
    assert [type(event) for event in found] == [Started, Embedded, Embedded, Done]
    assert sorted(vllm.encoded) == [([1], "embed", 16, "one-0", 2), ([2, 3], "embed", 16, "one-1", 2)]
    by_index = {
        event.index: torch.frombuffer(bytearray(event.values), dtype=torch.float32).tolist() for event in found[1:3]
    }
    assert by_index == {0: [1.0, 0.5], 1: [2.0, 0.5]} and found[-1].prompt_tokens == 3
    engine.submit(Embed("two", [[9]]), events.put)
    assert events.get(timeout=PATIENCE).error.code == "BAD_FIELD"
    assert engine.idle
