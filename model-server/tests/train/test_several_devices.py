"""Two processes train as one does: on CPUs, where what they send each other goes over gloo."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import torch
from test_crash_recovery import LINES
from test_train_service import group

from heddle_model_server.model import load_model
from heddle_model_server.train.checkpoints import read_weights
from heddle_model_server.train.errors import Control
from heddle_model_server.train.events import as_json
from heddle_model_server.train.run import PolicyCache, run
from heddle_model_server.train.spec import JobSpec
from heddle_model_server.train.trainer import Trainer, TrainerSettings

SFT = {"recipe": "sft", "config_json": json.dumps({"batch_size": 5, "learning_rate": 1e-3}), "epochs": 5}
# Every kind of pass: old logprobs computed anew, and the reference's.
CONFIG = {"learning_rate": 1e-3, "precalculate_logprobs": True, "kl_penalty_coef": 0.1}
RL = {"recipe": "rl", "config_json": json.dumps(CONFIG), "groups_per_step": 2}


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
    models = PolicyCache(lambda: load_model(str(model), name="demo"))
    return [[as_json(event) for event in run(JobSpec.of_json(one), models, Control())] for one in specs]


async def together(model: Path, devices: int, specs: list[dict]) -> list[list[dict]]:
    trainer = Trainer(TrainerSettings({"source": str(model), "name": "demo", "device": "cpu"}, devices))
    try:
        return [[m["event"] async for m in trainer.run(one, ()) if "event" in m] for one in specs]
    finally:
        await trainer.close()


def test_two_processes_make_the_weights_of_one(model_folder, tmp_path):
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
            results[devices] = alone(model_folder, jobs)
        else:
            results[devices] = asyncio.run(together(model_folder, devices, jobs))
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
