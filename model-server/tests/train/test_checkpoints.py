"""Checkpoints and saved states are there whole or not at all, each attempt's under names of its own."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from toy import made_in

from heddle_model_server.artifacts import store as module
from heddle_model_server.artifacts.folders import Folders
from heddle_model_server.artifacts.store import open_store
from heddle_model_server.train.checkpoints import Checkpoints, read_weights
from heddle_model_server.train.errors import Control, TrainingError
from heddle_model_server.train.job import Job, JobOptions


def checkpoints(folder: Path, step: int = 1, attempt: int = 1) -> Checkpoints:
    return Checkpoints(Folders(open_store(str(folder))), step, attempt)


def test_a_checkpoint_comes_back_as_it_was(policy, tmp_path):
    store = checkpoints(tmp_path, 3, 2)
    written = store.write(policy, {"reward": 0.5})
    assert written.address == str(tmp_path / "checkpoints/step3-a2") and made_in(tmp_path) == ["step3-a2"]
    weights = read_weights(written.address, written.manifest_sha256)
    assert all(torch.equal(tensor, weights[name]) for name, tensor in policy.weights().items())
    assert store.write(policy, {"reward": 0.5}) == written
    files = sorted(os.listdir(written.address))
    assert files == ["adapter_config.json", "adapter_model.safetensors", "manifest.json"]
    assert written.bytes == sum(os.path.getsize(Path(written.address) / name) for name in files)


@pytest.mark.parametrize("at", range(1, 8))
def test_a_disk_that_fills_up_leaves_what_was_there(policy, tmp_path, monkeypatch, at):
    """Whichever of the writes fails: the old checkpoint is whole, the new one isn't listed, nothing else lies about."""
    first = checkpoints(tmp_path, 1).write(policy, {})
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
        checkpoints(tmp_path, 2).write(policy, {})
    except TrainingError as error:
        failed = error
    monkeypatch.undo()
    assert read_weights(first.address, first.manifest_sha256).keys() == policy.weights().keys()
    if failed:
        assert failed.code == "DISK" and "the disk is full" in failed.message
    # The last sync comes after the rename: then it is there, whole.
    assert made_in(tmp_path) in (["step1-a1"], ["step1-a1", "step2-a1"])
    assert set(os.listdir(tmp_path / "checkpoints")) == set(made_in(tmp_path))


def test_a_limit_of_the_system_is_a_full_disk(tmp_path):
    """The kernel's own refusal in the middle of a file: a process that may write no more than 64 KiB to one."""
    code = f"""
import resource, signal
from heddle_model_server.artifacts.folders import Folders
from heddle_model_server.artifacts.store import FolderStore
from heddle_model_server.train.errors import TrainingError
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
try:
    Folders(FolderStore(Path({str(tmp_path)!r}))).write("checkpoints/one", {{"a": b"x" * 1000, "b": b"x" * 10**6}}, {{}})
except TrainingError as error:
    print(error.code, error.message)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert run.stdout.startswith("DISK The checkpoint can't be written: the disk is full."), run.stderr
    assert os.listdir(tmp_path) == []


def test_what_a_dead_writer_began_is_no_checkpoint_and_goes(tmp_path):
    state(checkpoints(tmp_path), 5)
    # As older nodes began them, too.
    for name in ("step1/a1-10/state.pt", "step1/a1-10/.manifest.json.999.part", "step1/.a1-10.999.part/manifest.json"):
        begun = tmp_path / "state" / name
        begun.parent.mkdir(exist_ok=True)
        begun.write_bytes(b"{}")
    assert [one.folder for one in checkpoints(tmp_path).states(1)] == ["step1/a1-5"]
    state(checkpoints(tmp_path, 3), 1)
    assert os.listdir(tmp_path / "state") == ["step3"]


def test_a_damaged_checkpoint_is_not_started_from(make_policy, tmp_path):
    policy = make_policy()
    written = checkpoints(tmp_path).write(policy, {})
    job = lambda policy, **options: Job(policy, JobOptions("job", str(tmp_path), **options), "sft", Control())
    with pytest.raises(TrainingError, match="another rank"):
        job(make_policy(rank=4), start=written.address)
    with pytest.raises(TrainingError, match="not the one that was announced"):
        job(policy, start=written.address, start_sha256="0" * 64)
    weights = Path(written.address) / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(TrainingError, match="damaged"):
        job(policy, start=written.address)


def state(store: Checkpoints, done: int, job_id: str = "job", number: int | None = None, made: str = "") -> None:
    number = done + 1 if number is None else number
    facts = {"job_id": job_id, "recipe": "sft", "number": number, "first": 1, "made": made}
    store.write_state({"done": done}, facts, done)


def test_the_newest_whole_state_of_any_attempt_is_found(tmp_path):
    old, new = checkpoints(tmp_path, 2, 1), checkpoints(tmp_path, 2, 2)
    state(old, 10)
    state(new, 20)
    # One that lost its job goes on for a while: it takes nothing from the other.
    state(old, 15)
    assert [one.folder for one in new.states(2)] == ["step2/a2-20", "step2/a1-15"]
    assert new.read_state(new.states(2)[0]) == {"done": 20}
    # What is damaged is passed over.
    (tmp_path / "state/step2/a2-20/state.pt").write_bytes(b"x")
    assert new.read_state(new.states(2)[0]) is None
    state(new, 30)
    assert [one.folder for one in new.states(2)] == ["step2/a2-30"]


def test_states_go_when_no_attempt_can_want_them(tmp_path):
    for step in (1, 2, 3):
        store = checkpoints(tmp_path, step)
        state(store, 4)
        state(store, 4, made="sha")
    assert store._folders.begun("state") == ["step2/a1-4-end", "step3/a1-4-end"]
    assert os.listdir(tmp_path / "state") and "step1" not in os.listdir(tmp_path / "state")


def test_a_state_resumes_while_all_its_events_can_still_be_reported(tmp_path):
    store = checkpoints(tmp_path)
    facts = {"job_id": "job", "recipe": "rl", "number": 50, "first": 31, "made": ""}
    store.write_state({}, facts, 49)
    (saved,) = store.states(1)
    assert [saved.resumes(after) for after in (29, 30, 49, 50, 60)] == [False, True, True, True, True]
