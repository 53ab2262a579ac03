"""Adapters from a folder or an S3-compatible store: verified, counted, given up for others."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import grpc
import pytest
import torch
from safetensors.torch import save
from served import PATIENCE, ServedNode, until
from wire import user, wire

from heddle.node.v1 import node_pb2 as pb

HIDDEN, LAYERS = 96, 2
KV = 48


def adapter_files(seed: int, rank: int = 4, **config) -> dict[str, bytes]:
    """A LoRA adapter of the demo model, as peft would write it."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for layer in range(LAYERS):
        for name, out in (("q_proj", HIDDEN), ("v_proj", KV)):
            path = f"base_model.model.model.layers.{layer}.self_attn.{name}"
            tensors[f"{path}.lora_A.weight"] = torch.randn(rank, HIDDEN, generator=generator) * 0.3
            tensors[f"{path}.lora_B.weight"] = torch.randn(out, rank, generator=generator) * 0.3
    settings = {"peft_type": "LORA", "r": rank, "lora_alpha": 8, "bias": "none", **config}
    return {"adapter_config.json": json.dumps(settings).encode(), "adapter_model.safetensors": save(tensors)}


def manifest(files: dict[str, bytes]) -> bytes:
    listed = [
        {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
    ]
    return json.dumps({"files": listed}).encode()


def write(folder: Path, files: dict[str, bytes]) -> str:
    """Returns the manifest's hash."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "manifest.json").write_bytes(manifest(files))
    return hashlib.sha256(manifest(files)).hexdigest()


def load(node: ServedNode, name: str, address: str, sha256: str = "") -> pb.LoadAdapterResponse:
    return node.stub.LoadAdapter(
        pb.LoadAdapterRequest(adapter_id=name, address=address, manifest_sha256=sha256), timeout=PATIENCE
    )


def names(node: ServedNode) -> list[str]:
    return [adapter.adapter_id for adapter in node.stub.ListAdapters(pb.ListAdaptersRequest()).adapters]


@pytest.fixture(autouse=True)
def no_adapters_left(served):
    yield
    for name in names(served):
        served.stub.UnloadAdapter(pb.UnloadAdapterRequest(adapter_id=name))
    until(lambda: names(served) == [])


def refused(call) -> str:
    """The code with which a call is refused."""
    with pytest.raises(grpc.RpcError) as error:
        call()
    assert error.value.details().endswith(".")
    return dict(error.value.trailing_metadata())["heddle-code"]


ASK = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 12}


def test_loaded_used_and_unloaded(served, tmp_path):
    sha256 = write(tmp_path / "one", adapter_files(1))
    assert refused(lambda: served.ask(adapter="one", **ASK)) == "ADAPTER_NOT_LOADED"
    answer = load(served, "one", str(tmp_path / "one"), sha256)
    assert answer.loaded and answer.adapter.rank == 4 and answer.adapter.scaling == 2.0 and answer.adapter.bytes > 0
    assert not load(served, "one", str(tmp_path / "one")).loaded
    base, tuned = served.ask(**ASK).text, served.ask(adapter="one", **ASK).text
    assert base == "Hello! How can I help you today?" and tuned != base
    assert served.stub.UnloadAdapter(pb.UnloadAdapterRequest(adapter_id="one")).found
    assert not served.stub.UnloadAdapter(pb.UnloadAdapterRequest(adapter_id="one")).found
    assert refused(lambda: served.ask(adapter="one", **ASK)) == "ADAPTER_NOT_LOADED"


def test_the_least_recently_used_makes_room_unless_in_use(served, tmp_path):
    for i in range(4):
        write(tmp_path / str(i), adapter_files(i))
    load(served, "a", f"file://{tmp_path}/0")
    load(served, "b", f"{tmp_path}/1")
    served.ask(adapter="a", **ASK)
    load(served, "c", f"{tmp_path}/2")
    assert names(served) == ["c", "a"]
    # Both places in use: no room for another.
    streams = [
        served.stub.Generate(wire({**ASK, "adapter": name, "ignore_eos": True, "max_tokens": 2000, "stream": True}))
        for name in ("a", "c")
    ]
    for stream in streams:
        next(stream)
    assert refused(lambda: load(served, "d", f"{tmp_path}/3")) == "ADAPTERS_FULL"
    assert [a.requests for a in served.stub.ListAdapters(pb.ListAdaptersRequest()).adapters] == [1, 1]
    # Unloaded while in use: it stays until its request has ended.
    assert served.stub.UnloadAdapter(pb.UnloadAdapterRequest(adapter_id="a")).found
    assert refused(lambda: served.ask(adapter="a", **ASK)) == "ADAPTER_NOT_LOADED"
    assert next(streams[0]).WhichOneof("event") == "delta"
    for stream in streams:
        stream.cancel()
    until(lambda: "a" not in names(served))
    load(served, "d", f"{tmp_path}/3")
    assert "d" in names(served)


def test_many_ask_for_the_same_one_at_once(served, tmp_path):
    write(tmp_path / "one", adapter_files(1))
    calls = [
        served.stub.LoadAdapter.future(pb.LoadAdapterRequest(adapter_id="one", address=f"{tmp_path}/one"))
        for _ in range(8)
    ]
    assert sum(call.result(PATIENCE).loaded for call in calls) == 1


def broken(files: dict[str, bytes], tmp_path: Path, change) -> str:
    write(tmp_path / "broken", files)
    change(tmp_path / "broken")
    return str(tmp_path / "broken")


def cut(folder: Path) -> None:
    path = folder / "adapter_model.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"x")


REFUSED = [
    ("no manifest", lambda f: (f / "manifest.json").unlink(), {}, "ADAPTER_NOT_FOUND"),
    ("a changed byte", cut, {}, "ADAPTER_CORRUPT"),
    ("a missing file", lambda f: (f / "adapter_config.json").unlink(), {}, "ADAPTER_CORRUPT"),
    ("a manifest that is none", lambda f: (f / "manifest.json").write_text("[]"), {}, "ADAPTER_CORRUPT"),
    (
        "a file elsewhere",
        lambda f: (f / "manifest.json").write_text(
            json.dumps({"files": [{"name": "../x", "sha256": "0" * 64, "bytes": 1}]})
        ),
        {},
        "ADAPTER_CORRUPT",
    ),
    ("another kind", lambda f: None, {"peft_type": "IA3"}, "ADAPTER_INVALID"),
    ("dora", lambda f: None, {"use_dora": True}, "ADAPTER_INVALID"),
    ("whole modules", lambda f: None, {"modules_to_save": ["lm_head"]}, "ADAPTER_INVALID"),
    ("biases", lambda f: None, {"bias": "all"}, "ADAPTER_INVALID"),
]


@pytest.mark.parametrize("name, change, config, code", REFUSED, ids=[case[0] for case in REFUSED])
def test_refused(served, tmp_path, name, change, config, code):
    address = broken(adapter_files(1, **config), tmp_path, change)
    assert refused(lambda: load(served, "broken", address)) == code
    assert names(served) == []


def test_refused_for_what_it_is(served, tmp_path):
    write(tmp_path / "wide", adapter_files(1, rank=64))
    assert refused(lambda: load(served, "wide", f"{tmp_path}/wide")) == "ADAPTER_INVALID"
    files = adapter_files(1)
    files["adapter_model.safetensors"] = save({"base_model.model.model.norm.weight": torch.ones(HIDDEN)})
    write(tmp_path / "norm", files)
    assert refused(lambda: load(served, "norm", f"{tmp_path}/norm")) == "ADAPTER_INVALID"
    files["adapter_model.safetensors"] = save({})
    write(tmp_path / "empty", files)
    assert refused(lambda: load(served, "empty", f"{tmp_path}/empty")) == "ADAPTER_INVALID"
    write(tmp_path / "one", adapter_files(1))
    assert refused(lambda: load(served, "one", f"{tmp_path}/one", "0" * 64)) == "ADAPTER_CORRUPT"
    assert refused(lambda: load(served, "one", f"{tmp_path}/none")) == "ADAPTER_NOT_FOUND"
    assert refused(lambda: load(served, "one", "relative/path")) == "BAD_FIELD"
    assert refused(lambda: load(served, "one", "http://example.com/")) == "BAD_FIELD"
    assert refused(lambda: load(served, "", f"{tmp_path}/one")) == "BAD_FIELD"
    load(served, "one", f"{tmp_path}/one")
    assert refused(lambda: load(served, "one", f"{tmp_path}/wide")) == "ADAPTER_CONFLICT"


def test_from_an_s3_compatible_store(served, adapter_store):
    # Nodes that read folders alone do without, as on a card's machine without a network.
    pytest.importorskip("boto3")
    files = adapter_files(2)
    adapter_store.objects |= {f"/bucket/pre/fix/{name}": content for name, content in files.items()}
    adapter_store.objects["/bucket/pre/fix/manifest.json"] = manifest(files)
    adapter_store.flaky.add("/bucket/pre/fix/manifest.json")
    assert load(served, "far", "s3://bucket/pre/fix").loaded
    assert served.ask(adapter="far", **ASK).text != served.ask(**ASK).text
    assert refused(lambda: load(served, "none", "s3://bucket/none")) == "ADAPTER_NOT_FOUND"
    adapter_store.shutdown()
    adapter_store.server_close()
    assert refused(lambda: load(served, "gone", "s3://bucket/gone")) == "ADAPTER_UNREACHABLE"
