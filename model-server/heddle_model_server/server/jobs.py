"""One training job at a time: who may begin, who has to stop first, what is told when the trainer dies. Lives on the event
loop. Knows nothing of gRPC or of what training is."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable

from ..errors import NodeError
from ..train.errors import STOPPED
from ..train.events import Event, TrainingFailed, of_json
from ..train.spec import JobSpec
from ..train.trainer import Trainer, TrainerDied
from .gpu_sharing import GpuSharing

log = logging.getLogger(__name__)

# Events that wait for a slow reader; the trainer then waits, too.
MAX_BUFFERED_EVENTS = 256
MAX_REMEMBERED_JOBS = 10_000


class RunningJob:
    """A job that has the trainer, and what it still has to tell."""

    def __init__(self, spec: JobSpec):
        self.spec = spec
        self.reason = "the trainer starts"
        self.finished = asyncio.Event()
        self.code = ""
        self._number = spec.after
        self._updates: deque[Event | str | None] = deque()
        self._arrived = asyncio.Event()
        self._capacity = asyncio.Event()
        self._reader_gone = False

    async def get(self) -> Event | str | None:
        """The next event, or the reason why there is none yet; None: it was the last."""
        while not self._updates:
            self._arrived.clear()
            await self._arrived.wait()
        if len(self._updates) <= MAX_BUFFERED_EVENTS:
            self._capacity.set()
        return self._updates.popleft()

    async def put(self, update: Event | str | None) -> None:
        while len(self._updates) > MAX_BUFFERED_EVENTS and not self._reader_gone:
            self._capacity.clear()
            await self._capacity.wait()
        if isinstance(update, str):
            self.reason = update
        elif update is not None:
            self._number = update.number
        if not self._reader_gone:
            self._updates.append(update)
            self._arrived.set()

    def disconnect(self) -> None:
        """Nobody reads any more."""
        self._reader_gone = True
        self._updates.clear()
        self._capacity.set()

    def failed(self, code: str, message: str) -> TrainingFailed:
        return TrainingFailed(code, message, self._number + 1)


class TrainingJobs:
    def __init__(
        self,
        trainer: Trainer,
        gpu_sharing: GpuSharing,
        grace: float,
        on_change: Callable[[], None] = lambda: None,
    ):
        """grace: seconds for a gradient step, after which a trainer that should stop is killed. changed: called when a job
        begins or ends."""
        self._trainer = trainer
        self._gpu_sharing = gpu_sharing
        self._grace = grace
        self._on_change = on_change
        self._attempts: OrderedDict[str, int] = OrderedDict()
        self._draining = False
        self.running: RunningJob | None = None

    @property
    def job_id(self) -> str:
        return self.running.spec.job_id if self.running else ""

    @property
    def paused(self) -> bool:
        return self._gpu_sharing.paused

    @property
    def shared(self) -> bool:
        return self._gpu_sharing.shared

    async def begin(self, spec: JobSpec) -> RunningJob:
        """Raises DRAINING, FENCED, TRAINER_BUSY."""
        while True:
            if self._draining:
                raise NodeError("DRAINING", "This node is being stopped; send the job to another one.")
            if self._attempts.get(spec.job_id, 0) > spec.attempt:
                raise NodeError("FENCED", "A newer attempt of this job was seen here; this one is over.")
            self._remember(spec)
            running = self.running
            if running is None:
                break
            if running.spec.job_id != spec.job_id or running.spec.attempt >= spec.attempt:
                # Whose caller is gone ends soon; another attempt of it waits for that.
                raise NodeError("TRAINER_BUSY", "Another training job runs on this node; try later or elsewhere.")
            await self.stop(running, "FENCED")
        self.running = RunningJob(spec)
        self._on_change()
        task = asyncio.create_task(self._run(self.running))
        task.add_done_callback(lambda done: done.exception() if not done.cancelled() else None)
        return self.running

    async def stop(self, running: RunningJob, code: str) -> None:
        """Returns when the job is over. code: of errors.STOPPED."""
        if not running.finished.is_set():
            if not running.code:
                running.code = code
                self._trainer.stop(running.spec.job_id, code)
            try:
                await asyncio.wait_for(running.finished.wait(), self._grace)
            except TimeoutError:
                log.warning("the trainer did not stop within %g s and is killed", self._grace)
                await self._trainer.kill()
                await running.finished.wait()

    async def disconnect(self, running: RunningJob) -> None:
        """The caller is gone: so is the job."""
        running.disconnect()
        await self.stop(running, "CANCELLED")

    async def drain(self) -> None:
        self._draining = True
        if self.running:
            await self.stop(self.running, "DRAINING")
        await self._trainer.close()

    def _remember(self, spec: JobSpec) -> None:
        self._attempts[spec.job_id] = max(spec.attempt, self._attempts.get(spec.job_id, 0))
        self._attempts.move_to_end(spec.job_id)
        if len(self._attempts) > MAX_REMEMBERED_JOBS:
            self._attempts.popitem(last=False)

    async def _restore_serving(self) -> None:
        if self._gpu_sharing.yielded:
            try:
                # The base model that it holds is in the way of serving's cache.
                await self._trainer.close()
            finally:
                await self._gpu_sharing.restore()

    async def _run(self, running: RunningJob) -> None:
        """From the trainer to the job's reader, until its end."""
        spec = running.spec
        shape = (spec.rank, spec.alpha, spec.dropout, spec.targets, spec.gradient_checkpointing)
        try:
            await running.put("serving makes room" if self._gpu_sharing.shared else running.reason)
            await self._gpu_sharing.yield_memory()
            self._on_change()
            async for message in self._trainer.run(spec.as_json(), shape):
                if running.code and not running.finished.is_set():
                    # It may have been asked before the trainer knew of the job.
                    self._trainer.stop(spec.job_id, running.code)
                await running.put(of_json(message["event"]) if "event" in message else message["waiting"])
        except TrainerDied:
            if running.code:
                await running.put(running.failed(running.code, STOPPED[running.code]))
            else:
                log.error("the trainer died while it trained %s", spec.job_id)
                why = "The trainer process died, perhaps for want of memory; see the node's log."
                await running.put(running.failed("TRAINER_DIED", why))
        except Exception:
            log.exception("training failed on the node's side")
            await self._trainer.kill()
            await running.put(running.failed("INTERNAL", "The node failed at this job; see its log."))
        finally:
            await running.put(None)
            try:
                await self._restore_serving()
            except Exception:
                log.exception("serving can't have its memory back")
            finally:
                self.running = None
                running.finished.set()
                self._on_change()
