"""The trainer process: a child of the node that trains one job after another, so that a crash, an exhausted memory or a
leak of training harms no chat. Reads jobs and stops from its standard input, writes events to its standard output; ends
when the input does. Under torchrun there is one a device, and the first of them reads and writes. Knows nothing of gRPC.

In:  {"run": JobSpec}, {"stop": job_id, "code": of errors.STOPPED}
Out: {"ready": true}, {"waiting": reason}, {"event": …}, {"end": job_id, "leaves": whether the process ends, too}, and so
on with the next.
A message is a line of JSON."""

from __future__ import annotations

import ctypes
import json
import logging
import os
import queue
import signal
import sys
import threading
from typing import BinaryIO

from .errors import Control

# The node's model settings as JSON: arguments of load_model, and `device`.
ENVIRONMENT = "HEDDLE_TRAINER"
# After these errors the process's memory is in an unknown state.
FATAL_CODES = {"OUT_OF_MEMORY", "INTERNAL"}

log = logging.getLogger(__name__)


def line_of(message: dict) -> bytes:
    """A message as it is written."""
    return json.dumps(message, allow_nan=False).encode() + b"\n"


def message_of(line: bytes) -> dict | None:
    """A message as it was read; None at the end of the pipe."""
    return json.loads(line) if line.endswith(b"\n") else None


class JobInbox:
    """Jobs in order of arrival. A stop reaches its job whether it runs or waits."""

    def __init__(self, report):
        self._new_control = lambda: Control(report)
        self._controls: dict[str, Control] = {}
        self.jobs: queue.Queue = queue.Queue()

    def forget(self, job_id: str, control: Control) -> None:
        """Drops the controls of a finished job."""
        if self._controls.get(job_id) is control:
            del self._controls[job_id]

    def read(self, pipe: BinaryIO) -> None:
        """Reads messages until the pipe ends."""
        while (message := message_of(pipe.readline())) is not None:
            if "run" in message:
                control = self._controls[message["run"]["job_id"]] = self._new_control()
                self.jobs.put((message["run"], control))
            elif (control := self._controls.get(message["stop"])) is not None:
                control.stop(message["code"])
        # The node is gone or shutting down; a running job resumes from its saved state.
        if self._controls:
            os._exit(0)
        self.jobs.put((None, None))


def main() -> None:
    """The process's main loop."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s trainer: %(message)s")
    die_with_parent()
    # Output of libraries must not mix with the messages.
    out = os.dup(1)
    os.dup2(2, 1)
    settings = json.loads(os.environ[ENVIRONMENT])

    def send(message: dict) -> None:
        content = memoryview(line_of(message))
        while content:
            content = content[os.write(out, content) :]

    first = os.environ.get("RANK", "0") == "0"
    inbox = JobInbox(lambda reason: send({"waiting": reason}) if first else None)
    if first:
        threading.Thread(target=inbox.read, args=(os.fdopen(0, "rb"),), daemon=True).start()

    from ..model import load_model
    from .errors import TURN
    from .events import TrainingFailed, as_json
    from .distributed import distributed_from_environment
    from .run import PolicyCache, run
    from .spec import JobSpec

    distributed, device = distributed_from_environment(settings.pop("device"))
    kernels = settings.pop("kernels", "auto")
    models = PolicyCache(
        lambda: load_model(device=device, weights=distributed.read_weights, **settings), distributed, kernels
    )
    models.load()
    if first:
        send({"ready": True})
    while True:
        asked, control = inbox.jobs.get() if first else (None, Control())
        asked = distributed.broadcast(asked)
        if asked is None:
            distributed.shutdown()
            return
        spec = JobSpec.of_json(asked)
        last = None
        for last in run(spec, models, control):
            if first:
                send({"event": as_json(last)})
        # Processes that failed at different places would never synchronise again; a turn ends at the same place in all.
        alone = distributed.size == 1 or (isinstance(last, TrainingFailed) and last.code == TURN)
        leaves = isinstance(last, TrainingFailed) and (last.code in FATAL_CODES or not alone)
        if first:
            inbox.forget(spec.job_id, control)
            send({"end": spec.job_id, "leaves": leaves})
        if leaves:
            sys.exit(1)


def die_with_parent() -> None:
    """Linux: the process is killed with its parent, and first when memory runs out."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except (OSError, AttributeError):
        pass


if __name__ == "__main__":
    main()
