"""The node's side of the trainer process: has it forked, gives it jobs, reads its events, ends it. Runs on the event loop."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from ..forks import Fork, Forks
from ..settings import NodeSettings
from .process import line_of, main, message_of

log = logging.getLogger(__name__)

EXIT_SECONDS = 5.0
POLL_SECONDS = 0.01
MAX_MESSAGE_BYTES = 2**24


class TrainerDied(RuntimeError):
    """The process ended before its job did."""

    def __init__(self):
        super().__init__("the trainer process ended; see its log")


@dataclass(slots=True)
class Process:
    """A trainer process, with our ends of its pipes."""

    fork: Fork
    stdin: asyncio.WriteTransport
    stdout: asyncio.StreamReader


class Trainer:
    def __init__(self, settings: NodeSettings, device: str, forks: Forks, main: Callable = main):
        """device: the first one to train on. main: what the process runs, with both; it gets no secret."""
        self._given = (replace(settings, token=""), device)
        self._idle = settings.train_idle
        self._forks = forks
        self._main = main
        self._process: Process | None = None
        self._retiring: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """None if it isn't running."""
        return self._process.fork.pid if self._process is not None and not self._process.stdout.at_eof() else None

    async def start(self) -> None:
        """Returns when the model is loaded. Raises TrainerDied."""
        async with self._starting:
            if self.pid is not None:
                return
            await self.kill()
            self._process = await self._fork()
            while "ready" not in (message := await self._read()):
                log.info("trainer: %s", message)
            self._retire_later()

    async def run(self, spec: dict) -> AsyncIterator[dict]:
        """The process's messages about the job. Raises TrainerDied."""
        self._stay()
        yield {"waiting": "the trainer starts"}
        await self.start()
        self._stay()
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
        await self.close(wait=0.0)

    async def close(self, wait: float = EXIT_SECONDS) -> None:
        """Returns when the process is gone, and its memory free. wait: seconds until it and its children are killed."""
        self._stay()
        # A job that comes meanwhile gets a new one.
        process, self._process = self._process, None
        if process is None:
            return
        process.stdin.close()
        kill_at = asyncio.get_running_loop().time() + wait
        while self._forks.exit_status(process.fork.pid) is None:
            if asyncio.get_running_loop().time() >= kill_at:
                os.killpg(process.fork.pid, signal.SIGKILL)
            await asyncio.sleep(POLL_SECONDS)

    async def _fork(self) -> Process:
        try:
            fork = await asyncio.to_thread(self._forks.start, self._main, *self._given)
        except (OSError, EOFError) as error:
            log.critical(
                "there is no more process that forks trainers: the node stops, so that its supervisor starts both again"
            )
            os.kill(os.getpid(), signal.SIGTERM)
            raise TrainerDied from error
        loop, stdout = asyncio.get_running_loop(), asyncio.StreamReader(MAX_MESSAGE_BYTES)
        stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(fork.stdin, "wb", 0))
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(fork.stdout, "rb", 0))
        return Process(fork, stdin, stdout)

    def _stay(self) -> None:
        if self._retiring is not None:
            self._retiring.cancel()

    def _retire_later(self) -> None:
        if self._idle > 0:
            loop = asyncio.get_running_loop()
            self._retiring = loop.call_later(self._idle, lambda: loop.create_task(self.close()))

    def _send(self, message: dict) -> None:
        if self._process is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(line_of(message))

    async def _read(self) -> dict:
        process = self._process
        message = message_of(await process.stdout.readline()) if process is not None else None
        if message is None:
            await self.kill()
            raise TrainerDied
        return message
