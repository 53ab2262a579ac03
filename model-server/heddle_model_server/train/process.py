"""The trainer process: a child of the node that trains one job after another, so that a crash, an exhausted memory or a leak
of training harms no chat. Reads jobs and stops from its standard input, writes events to its standard output; ends when the
input does. On several devices there is one for each, and the first of them reads and writes.

In:  {"run": JobSpec}, {"stop": job_id, "code": of errors.STOPPED}
Out: {"ready": true}, {"waiting": reason}, {"event": …}, {"end": job_id, "leaves": whether the process ends, too}, and the next.
A message is a line of JSON."""

import contextlib
import json
import logging
import os
import queue
import signal
import socket
import threading
from pathlib import Path
from typing import BinaryIO

from ..forks import run_alone
from ..settings import NodeSettings
from .errors import TURN, Control
from .events import TrainingFailed, as_json
from .spec import JobSpec

# After these errors the process's memory is in an unknown state.
FATAL_CODES = {"OUT_OF_MEMORY", "INTERNAL"}

# What takes long to load, and only trainers need.
LOADED = f"{__package__}.run"

log = logging.getLogger(__name__)


def line_of(message: dict) -> bytes:
    """A message as it is written."""
    return json.dumps(message, allow_nan=False).encode() + b"\n"


def message_of(line: bytes) -> dict | None:
    """A message as it was read; None at the end of the pipe."""
    return json.loads(line) if line.endswith(b"\n") else None


class JobInbox:
    """The jobs, one after another, and their stops."""

    def __init__(self, report):
        self._report = report
        # Of the jobs that haven't ended, by their ids.
        self.controls: dict[str, Control] = {}
        self.jobs: queue.Queue = queue.Queue()

    def read(self, pipe: BinaryIO) -> None:
        """Reads messages until the pipe ends."""
        while (message := message_of(pipe.readline())) is not None:
            if "run" in message:
                control = self.controls[message["run"]["job_id"]] = Control(self._report)
                self.jobs.put((message["run"], control))
            elif (control := self.controls.get(message["stop"])) is not None:
                control.stop(message["code"])
        # The node is gone or shutting down; a running job resumes from its saved state.
        if self.controls:
            os._exit(0)
        self.jobs.put((None, None))


def main(settings: NodeSettings, device: str) -> int:
    """The main function; returns the exit status. device: the first one to train on; each has a process, forked from this one."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s trainer: %(message)s", force=True)
    os.environ.pop("HEDDLE_NODE_TOKEN", None)
    be_killed_first()
    devices = settings.train_devices
    if devices == 1:
        return train(settings, device)
    if device.startswith("cuda"):
        given = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        os.environ["CUDA_VISIBLE_DEVICES"] = visible_devices(device, devices, given)
        device = "cuda"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    os.environ |= {"WORLD_SIZE": str(devices), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    for rank in range(devices):
        if os.fork() == 0:
            os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank)}
            run_alone(train, settings, device)
    for _ in range(devices):
        # Those that are left would wait for one that failed.
        if os.wait()[1] != 0:
            os.killpg(0, signal.SIGKILL)
    return 0


def visible_devices(first: str, count: int, given: str) -> str:
    """CUDA_VISIBLE_DEVICES of processes on so many devices, from cuda or cuda:N on. given: its present value."""
    at = int(first.partition(":")[2] or 0)
    return ",".join(given.split(",")[at : at + count] if given else map(str, range(at, at + count)))


def be_killed_first() -> None:
    """Linux: when memory runs out, this process goes before others."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")


def train(settings: NodeSettings, device: str) -> int:
    """Trains job after job, until the input ends or the process has to."""
    # Output of libraries must not mix with the messages.
    out = os.dup(1)
    os.dup2(2, 1)

    def send(message: dict) -> None:
        content = memoryview(line_of(message))
        while content:
            content = content[os.write(out, content) :]

    first = os.environ.get("RANK", "0") == "0"
    inbox = JobInbox(lambda reason: send({"waiting": reason}) if first else None)
    if first:
        threading.Thread(target=inbox.read, args=(os.fdopen(0, "rb"),), daemon=True).start()

    from ..model import load_model
    from .distributed import distributed_from_environment
    from .run import PolicyCache, run

    distributed, device = distributed_from_environment(device)
    how = {name: getattr(settings, name) for name in ("dtype", "context", "threads")}
    loaded = load_model(settings.model, settings.model_name, device, weights=distributed.read_weights, **how)
    models = PolicyCache(loaded, distributed, settings.train_kernels)
    if first:
        send({"ready": True})
    while True:
        asked, control = inbox.jobs.get() if first else (None, Control())
        asked = distributed.broadcast(asked)
        if asked is None:
            distributed.shutdown()
            return 0
        spec = JobSpec(**asked)
        last = None
        for last in run(spec, models, control):
            if first:
                send({"event": as_json(last)})
        # Processes that failed at different places would never synchronise again; a turn ends at the same place in all.
        alone = distributed.size == 1 or (isinstance(last, TrainingFailed) and last.code == TURN)
        leaves = isinstance(last, TrainingFailed) and (last.code in FATAL_CODES or not alone)
        if first:
            # The node sends no other attempt of the job before this.
            del inbox.controls[spec.job_id]
            send({"end": spec.job_id, "leaves": leaves})
        if leaves:
            return 1
