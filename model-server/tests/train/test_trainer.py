"""The node's hold on its trainer process, with a process that only speaks as a trainer does."""

from __future__ import annotations

import asyncio
import sys

from heddle_model_server.train import trainer as module
from heddle_model_server.train.trainer import Trainer, TrainerDied, TrainerSettings

# Echoes jobs; one that is called `die` kills it, `leave` is its last, and it takes a while to end.
SPEAKER = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from heddle_model_server.train.process import frame, read_frame
say = lambda message: os.write(1, frame(message))
say({"ready": True})
while (message := read_frame(sys.stdin.buffer)) is not None:
    job = message["run"]["job_id"]
    if job == "die":
        os._exit(1)
    say({"event": {"pid": os.getpid()}})
    say({"end": job, "leaves": job == "leave"})
    if job == "leave":
        os._exit(1)
time.sleep(0.5)
"""


def pids(steps) -> list:
    """What the jobs' events told; steps: names of jobs, or seconds to wait."""

    async def run() -> list:
        trainer = Trainer(TrainerSettings({}, idle=0.2))
        told = []
        try:
            for step in steps:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                    continue
                try:
                    told += [m["event"]["pid"] async for m in trainer.run({"job_id": step}, ()) if "event" in m]
                except TrainerDied:
                    told.append("died")
        finally:
            await trainer.close()
        assert trainer.pid is None
        return told

    return asyncio.run(run())


def test_a_process_is_kept_until_it_dies_leaves_or_idles(monkeypatch):
    root = module.__file__.rsplit("/heddle_model_server/", 1)[0]
    monkeypatch.setattr(module, "command", lambda devices: [sys.executable, "-c", SPEAKER, root])
    one, two, died, three, four = pids(["a", "b", "die", "c", "leave"])
    assert one == two and died == "died" and three == four != one
    one, two = pids(["leave", "a"])
    assert one != two
    # One that is leaving for want of work takes no new job.
    one, two, three = pids(["a", 0.4, "b", "c"])
    assert one != two and two == three
