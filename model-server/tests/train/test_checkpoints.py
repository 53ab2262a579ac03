"""Checkpoints are there whole or not at all, and the right ones are kept."""

from __future__ import annotations

import errno
import os
import random

import pytest
import torch

from heddle_model_server.train import checkpoints as module
from heddle_model_server.train.checkpoints import Checkpoints, steps_to_drop
from heddle_model_server.train.errors import TrainingError
from heddle_model_server.train.job import Job, JobOptions


def test_a_checkpoint_comes_back_as_it_was(make_policy, tmp_path):
    policy, store = make_policy(), Checkpoints(tmp_path)
    written = store.write(3, policy, {"reward": 0.5})
    assert store.steps() == [3] and store.metrics(3) == {"reward": 0.5}
    assert all(torch.equal(tensor, store.weights(3)[name]) for name, tensor in policy.weights().items())
    assert store.write(3, policy, {"reward": 0.5}) == written
    assert sorted(os.listdir(written.address)) == ["adapter_config.json", "adapter_model.safetensors", "manifest.json"]


@pytest.mark.parametrize("at", range(1, 8))
def test_a_disk_that_fills_up_leaves_what_was_there(make_policy, tmp_path, monkeypatch, at):
    """Whichever of the writes fails: the old checkpoint is whole, the new one isn't listed, nothing else lies about."""
    policy, store = make_policy(), Checkpoints(tmp_path)
    store.write(1, policy, {})
    calls = 0

    def full(real):
        def fail(*arguments):
            nonlocal calls
            calls += 1
            if calls == at:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*arguments)

        return fail

    monkeypatch.setattr(module.os, "fsync", full(os.fsync))
    failed = None
    try:
        store.write(2, policy, {})
    except TrainingError as error:
        failed = error
    monkeypatch.undo()
    assert store.weights(1).keys() == policy.weights().keys()
    if failed:
        assert failed.code == "DISK" and "the disk is full" in failed.message
    # The last sync comes after the rename: then it is there, whole.
    assert store.steps() in ([1], [1, 2])
    assert set(os.listdir(tmp_path / "checkpoints")) == {f"step{step}" for step in store.steps()}


def test_a_damaged_checkpoint_is_not_started_from(make_policy, tmp_path):
    policy, store = make_policy(), Checkpoints(tmp_path)
    written = store.write(1, policy, {})
    weights = tmp_path / "checkpoints" / "step1" / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(TrainingError, match="damaged"):
        Job(policy, JobOptions("job", tmp_path / "other", start=written.address))
    with pytest.raises(TrainingError, match="another rank"):
        Job(
            make_policy(rank=4),
            JobOptions("job", tmp_path / "third", start=Checkpoints(tmp_path / "x").write(1, policy, {}).address),
        )


def test_retention_keeps_the_newest_and_the_best():
    known = [(step, {"reward": reward}) for step, reward in enumerate([0.1, 0.9, 0.3, 0.9, 0.2, 0.1], 1)]
    assert steps_to_drop(known, 0) == []
    assert steps_to_drop(known, 2) == [1, 2, 3, 4]
    assert steps_to_drop(known, 2, "reward") == [1, 2, 3]
    assert steps_to_drop(known, 1, "reward", lower_is_better=True) == [1, 2, 3, 4, 5]
    assert steps_to_drop(known, 1, "nothing") == [1, 2, 3, 4, 5]
    draw = random.Random(2)
    for _ in range(100):
        known = [(step, {"loss": draw.random()}) for step in draw.sample(range(50), draw.randint(1, 12))]
        last = draw.randint(1, 4)
        kept = {step for step, _ in known} - set(steps_to_drop(known, last, "loss", lower_is_better=True))
        best = min(known, key=lambda one: one[1]["loss"])[0]
        assert kept == set(sorted(step for step, _ in known)[-last:]) | {best}


def test_retention_removes_folders(make_policy, tmp_path):
    policy, store = make_policy(), Checkpoints(tmp_path)
    for step, reward in enumerate([0.9, 0.1, 0.2], 1):
        store.write(step, policy, {"reward": reward})
    assert store.retain(1, "reward") == [2]
    assert store.steps() == [1, 3] and sorted(os.listdir(tmp_path / "checkpoints")) == ["step1", "step3"]
