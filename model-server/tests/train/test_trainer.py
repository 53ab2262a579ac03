"""The node's hold on its trainer process, with a process that only speaks as a trainer does."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import Future
from dataclasses import replace

import pytest
import served

from heddle_model_server.node.gpu_sharing import GpuSharing
from heddle_model_server.node.jobs import TrainingJobs, turn_length
from heddle_model_server.settings import NodeSettings
from heddle_model_server.train import metrics
from heddle_model_server.train.metrics import StepClock, peak_of
from heddle_model_server.train.process import line_of, message_of, visible_devices
from heddle_model_server.train.spec import JobSpec
from heddle_model_server.train.trainer import Trainer, TrainerDied


def speaker(_settings: NodeSettings, _device: str) -> int:
    """Echoes jobs; one that is called `die` kills it, `leave` is its last, and it takes a while to end."""
    say = lambda message: os.write(1, line_of(message))
    say({"ready": True})
    asked = os.fdopen(0, "rb")
    while (message := message_of(asked.readline())) is not None:
        job = message["run"]["job_id"]
        if job == "die":
            return 1
        say({"event": {"pid": os.getpid()}})
        say({"end": job, "leaves": job == "leave"})
        if job == "leave":
            return 1
    time.sleep(0.5)
    return 0


def pids(steps) -> list:
    """What the jobs' events told; steps: names of jobs, or seconds to wait."""

    async def run() -> list:
        trainer = Trainer(NodeSettings(train_idle=0.2), "cpu", served.FORKS, speaker)
        told = []
        try:
            for step in steps:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                    continue
                try:
                    told += [m["event"]["pid"] async for m in trainer.run({"job_id": step}) if "event" in m]
                except TrainerDied:
                    told.append("died")
        finally:
            await trainer.close()
        assert trainer.pid is None
        return told

    return asyncio.run(run())


def test_a_process_is_kept_until_it_dies_leaves_or_idles():
    one, two, died, three, four = pids(["a", "b", "die", "c", "leave"])
    assert one == two and died == "died" and three == four != one
    one, two = pids(["leave", "a"])
    assert one != two
    # One that is leaving for want of work takes no new job.
    one, two, three = pids(["a", 0.4, "b", "c"])
    assert one != two and two == three


@pytest.mark.parametrize(
    ("first", "count", "given", "visible"),
    [
        ("cuda", 2, "", "0,1"),
        ("cuda:4", 4, "", "4,5,6,7"),
        ("cuda:1", 2, "3,5,7", "5,7"),
        ("cuda:0", 2, "GPU-a,GPU-b", "GPU-a,GPU-b"),
    ],
)
def test_processes_see_the_devices_they_train_on(first, count, given, visible):
    assert visible_devices(first, count, given) == visible


@pytest.mark.parametrize(
    ("least", "overhead", "hand_over", "seconds"),
    [
        (30, 0.2, 0.5, 30),
        # An 8B model that is loaded again for each turn: a fifth of the time, not two fifths.
        (30, 0.2, 20, 100),
        (30, 0.0, 20, 30),
        (0.2, 0.5, 3, 6),
    ],
)
def test_turns_are_longer_where_changing_them_takes_long(least, overhead, hand_over, seconds):
    assert turn_length(least, overhead, hand_over) == pytest.approx(seconds)


class Serving:
    """An engine whose longest answer ends when the test says so."""

    idle = False

    def __init__(self):
        self.asleep: Future[None] = Future()
        self.awake: Future[None] = Future()

    def sleep(self) -> Future[None]:
        return self.asleep

    def wake(self) -> Future[None]:
        assert self.asleep.done()
        self.awake.set_result(None)
        return self.awake


@pytest.mark.parametrize(
    ("card", "tflops"),
    [
        ("NVIDIA A100-SXM4-80GB", 312),
        ("NVIDIA H100 PCIe", 756),
        ("NVIDIA H100 80GB HBM3", 989),
        ("NVIDIA GH200 480GB", 989),
        ("NVIDIA A10G", 70),
        ("NVIDIA L4", 121),
        ("Tesla T4", 0),
    ],
)
def test_what_a_card_can_do_is_known_by_its_name(card, tflops):
    assert peak_of(card) == tflops * 1e12


def test_mfu_is_told_by_four_and_by_six_operations_a_parameter(make_policy, monkeypatch):
    policy = make_policy()
    monkeypatch.setattr(metrics, "peak_flops", lambda device: 1e12)
    clock = StepClock(policy)
    told = clock.measured([30, 50])
    config, seconds = policy.config, told["performance/step_seconds"]
    # 6 operations of attention a layer, head dimension and pair of tokens that see each other or are masked.
    pairs = 6 * config.num_hidden_layers * config.hidden_size * (30**2 + 50**2)
    for name, each in (("performance/mfu", 4), ("performance/mfu_6n", 6)):
        needed = 80 * (each * policy.base_parameters + 6 * policy.trained_parameters) + pairs
        assert told[name] == pytest.approx(needed / seconds / 1e12)
    # What sequences share is computed once, and is work once.
    policy.computed_share = 0.5
    half = clock.measured([30, 50])
    assert half["performance/mfu"] * half["performance/step_seconds"] == pytest.approx(
        told["performance/mfu"] * seconds / 2
    )


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda jobs, job: jobs.stop(job, "CANCELLED"), "CANCELLED"),
        (lambda jobs, job: jobs.begin(replace(job.spec, attempt=2)), "FENCED"),
        (lambda jobs, job: jobs.drain(), "DRAINING"),
    ],
    ids=["cancelled", "fenced", "drained"],
)
def test_a_job_that_waits_for_the_longest_answer_ends_without_it(end, code):
    async def run() -> None:
        serving = Serving()
        trainer = Trainer(NodeSettings(), "cpu", served.FORKS, speaker)
        jobs = TrainingJobs(trainer, GpuSharing(serving, shared=True), NodeSettings(train_grace=served.PATIENCE))
        job = await jobs.begin(JobSpec("one", "/nowhere"))
        while await job.get() != "serving makes room":
            pass
        await asyncio.wait_for(end(jobs, job), served.PATIENCE / 4)
        assert (await job.get()).code == code and jobs.gpu_sharing.paused
        await jobs.drain()
        # Serving goes on as soon as it can.
        serving.asleep.set_result(None)
        await asyncio.wait_for(asyncio.wrap_future(serving.awake), served.PATIENCE)

    asyncio.run(run())
