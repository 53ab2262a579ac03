"""Two processes train as one does: on CPUs, where what they send each other goes over gloo."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
from pathlib import Path

import pytest
import served
import torch
from served import PATIENCE, ForkedProcess
from test_crash_recovery import LINES
from test_train_service import group
from transformers import AutoConfig, GPTNeoXConfig, GPTNeoXForCausalLM, LlamaConfig, LlamaForCausalLM

from heddle_model_server.model import load_model
from heddle_model_server.settings import NodeSettings
from heddle_model_server.train.distributed import distributed_from_environment, shards
from heddle_model_server.train.checkpoints import read_weights
from heddle_model_server.train.errors import Control
from heddle_model_server.train.events import as_json
from heddle_model_server.train.run import PolicyCache, run
from heddle_model_server.train.spec import JobSpec
from heddle_model_server.train.trainer import Trainer

SFT = {"recipe": "sft", "config_json": json.dumps({"batch_size": 5, "learning_rate": 1e-3}), "epochs": 5}
# Every kind of pass: old logprobs computed anew, and the reference's.
CONFIG = {"learning_rate": 1e-3, "precalculate_logprobs": True, "kl_penalty_coef": 0.1}
# With other layers than the job before.
RL = {"recipe": "rl", "rank": 4, "config_json": json.dumps(CONFIG), "groups_per_step": 2}


def spec(folder: Path, name: str, lines: list[str], recipe: dict) -> dict:
    data = folder / f"{name}.jsonl"
    data.write_text("\n".join(lines))
    return {
        **{"job_id": name, "attempt": 1, "after": 0, "step": 1, "start": "", "start_sha256": "", "data_sha256": ""},
        **{"address": str(folder / name), "data": str(data), "count": len(lines), "targets": [], "seed": 3},
        **recipe,
    }


def alone(model: Path, specs: list[dict]) -> list[list[dict]]:
    """What one process tells: this one."""
    models = PolicyCache(load_model(str(model), name="demo"))
    return [[as_json(event) for event in run(JobSpec(**one), models, Control())] for one in specs]


async def together(model: Path, devices: int, specs: list[dict]) -> list[list[dict]]:
    trainer = Trainer(NodeSettings(model=str(model), model_name="demo", train_devices=devices), "cpu", served.FORKS)
    try:
        return [[m["event"] async for m in trainer.run(one) if "event" in m] for one in specs]
    finally:
        await trainer.close()


def other_model(demo: Path, folder: Path) -> Path:
    """One that transformers can't shard while it reads it."""
    shutil.copytree(demo, folder)
    config = AutoConfig.from_pretrained(demo)
    torch.manual_seed(5)
    GPTNeoXForCausalLM(
        GPTNeoXConfig(
            vocab_size=config.vocab_size,
            **{"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
            **{name: getattr(config, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")},
        )
    ).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("sharded", ["by transformers", pytest.param("layer by layer", marks=pytest.mark.slow)])
def test_two_processes_make_the_weights_of_one(model_folder, tmp_path, sharded):
    model = model_folder if sharded == "by transformers" else other_model(model_folder, tmp_path / "model")
    assert shards(str(model)) == (sharded == "by transformers")
    groups = []
    for i in range(6):
        one = group(0.0, 0.5, 1.0)
        for j, trajectory in enumerate(one["trajectories"]):
            trajectory["messages_and_choices"][1]["message"]["content"] = f"Hello {'you ' * j} {i}!"
        groups.append(json.dumps(one))
    results = {}
    for devices in (1, 2):
        folder = tmp_path / str(devices)
        folder.mkdir()
        jobs = [spec(folder, "sft", LINES, SFT), spec(folder, "rl", groups, RL)]
        if devices == 1:
            results[devices] = alone(model, jobs)
        else:
            results[devices] = asyncio.run(together(model, devices, jobs))
    for one_alone, both in zip(results[1], results[2]):
        assert [(one["number"], one["type"]) for one in one_alone] == [(one["number"], one["type"]) for one in both]
        assert one_alone[-1]["type"] == "training_ended", one_alone[-1]
        for one, other in zip(one_alone, both):
            if one["type"] == "gradient_step":
                for name in ("loss", "grad_norm", "num_trainable_tokens", "num_datums"):
                    assert other["metrics"][name] == pytest.approx(one["metrics"][name], rel=1e-3, abs=1e-3)
        made, theirs = (read_weights(events[-2]["address"]) for events in (one_alone, both))
        assert made.keys() == theirs.keys()
        assert max(float(tensor.abs().max()) for tensor in made.values()) > 1e-3
        for name, tensor in made.items():
            assert torch.allclose(tensor, theirs[name], atol=1e-4), name


def memory(name: str) -> int:
    """Bytes, by the kernel's name."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def read_share(rank: int, model: str, port: int, results: str) -> None:
    """Reads a process's share of a model; leaves behind what memory it took."""
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    distributed, device = distributed_from_environment("cpu")
    before = memory("VmRSS")
    model = distributed.read_weights(model, torch.float32, torch.device(device))
    # Files are read where they are touched.
    total = sum(float(parameter.detach().to_local().sum()) for parameter in model.parameters())
    took = memory("VmHWM") - before
    Path(results, str(rank)).write_text(json.dumps({"took": took, "total": total}))
    distributed.shutdown()


def test_a_process_reads_its_share_of_the_weights(tmp_path):
    torch.manual_seed(6)
    sizes = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 3, "num_attention_heads": 8}
    whole = LlamaForCausalLM(LlamaConfig(vocab_size=8000, **sizes))
    whole.save_pretrained(tmp_path / "model")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    both = [ForkedProcess(read_share, rank, str(tmp_path / "model"), port, str(tmp_path)) for rank in (0, 1)]
    assert [one.wait(PATIENCE) for one in both] == [0, 0]
    for one in both:
        one.close()
    told = [json.loads((tmp_path / str(rank)).read_text()) for rank in (0, 1)]
    weight = sum(parameter.numel() * 4 for parameter in whole.parameters())
    assert all(0.4 * weight < one["took"] < 0.85 * weight for one in told), (weight, told)
    sums = sum(float(parameter.detach().sum()) for parameter in whole.parameters())
    assert sum(one["total"] for one in told) == pytest.approx(sums, rel=1e-3)
