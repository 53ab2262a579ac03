"""The node's side of the trainer process: starts it, gives it one job at a time, reads its events, and ends it. Runs
on the event loop. Knows nothing of gRPC or of training itself."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from .process import ENVIRONMENT, line_of, message_of

log = logging.getLogger(__name__)

EXIT_SECONDS = 5.0
MAX_MESSAGE_BYTES = 2**24


@dataclass(frozen=True, slots=True)
class TrainerSettings:
    """model: arguments of load_model. devices: processes, one per device. idle: seconds without a job after which
    the process ends; 0: never."""

    model: dict
    devices: int = 1
    idle: float = 600.0
    environment: dict[str, str] = field(default_factory=dict)


class TrainerDied(RuntimeError):
    """The process ended before its job did."""

    def __init__(self):
        super().__init__("the trainer process ended; see its log")


class Trainer:
    def __init__(self, settings: TrainerSettings):
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self._retiring: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """None if it isn't running."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def start(self) -> None:
        """Returns when the model is loaded. Raises TrainerDied."""
        async with self._starting:
            if self.pid is not None:
                return
            if self._process is not None:
                await self.kill()
            self._process = await asyncio.create_subprocess_exec(
                *command(self._settings.devices),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment(self._settings),
                start_new_session=True,
                limit=MAX_MESSAGE_BYTES,
            )
            while "ready" not in (message := await self._read()):
                log.info("trainer: %s", message)
            self._retire_later()

    async def run(self, spec: dict) -> AsyncIterator[dict]:
        """The process's messages about the job. Raises TrainerDied."""
        if self._retiring is not None:
            self._retiring.cancel()
        yield {"waiting": "the trainer starts"}
        await self.start()
        if self._retiring is not None:
            self._retiring.cancel()
        self._send({"run": spec})
        while "end" not in (message := await self._read()):
            yield message
        if message["leaves"]:
            await self.kill()
        self._retire_later()

    def stop(self, job_id: str, code: str) -> None:
        """Asks the job to end after its current gradient step."""
        self._send({"stop": job_id, "code": code})

    async def kill(self) -> None:
        """Kills the process and its children."""
        process, self._process = self._process, None
        await kill_group(process)

    async def close(self) -> None:
        """Lets the process end; kills it after a few seconds."""
        if self._retiring is not None:
            self._retiring.cancel()
        # A job that comes meanwhile gets a new one.
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), EXIT_SECONDS)
            except TimeoutError:
                pass
        await kill_group(process)

    def _retire_later(self) -> None:
        if self._settings.idle > 0:
            loop = asyncio.get_running_loop()
            self._retiring = loop.call_later(self._settings.idle, lambda: loop.create_task(self.close()))

    def _send(self, message: dict) -> None:
        process = self._process
        if process is not None and not process.stdin.is_closing():
            process.stdin.write(line_of(message))

    async def _read(self) -> dict:
        process = self._process
        message = message_of(await process.stdout.readline()) if process is not None else None
        if message is None:
            await self.kill()
            raise TrainerDied
        return message


async def kill_group(process: asyncio.subprocess.Process | None) -> None:
    """Kills the process with its children, unless it has ended."""
    if process is None:
        return
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    await process.wait()


def command(devices: int) -> list[str]:
    """The command line for so many devices."""
    module = "heddle_model_server.train.process"
    if devices == 1:
        return [sys.executable, "-m", module]
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={devices}"]
    return [*launcher, "-m", module]


def environment(settings: TrainerSettings) -> dict[str, str]:
    """The node's environment, without its token, and of its GPUs with only those that several processes train on."""
    kept = {name: value for name, value in os.environ.items() if name != "HEDDLE_NODE_TOKEN"}
    model = settings.model
    if settings.devices > 1 and model["device"].startswith("cuda"):
        given = kept.get("CUDA_VISIBLE_DEVICES", "")
        kept["CUDA_VISIBLE_DEVICES"] = visible_devices(model["device"], settings.devices, given)
        model = {**model, "device": "cuda"}
    return {**kept, ENVIRONMENT: json.dumps(model), **settings.environment}


def visible_devices(first: str, count: int, given: str) -> str:
    """CUDA_VISIBLE_DEVICES of processes on so many devices, from cuda or cuda:N on. given: its present value."""
    at = int(first.partition(":")[2] or 0)
    return ",".join(given.split(",")[at : at + count] if given else map(str, range(at, at + count)))
