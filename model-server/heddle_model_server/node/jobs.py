"""Runs one training job at a time: admits, fences and stops jobs, and reports a trainer that dies. Runs on the event
loop. Knows nothing of gRPC or of training itself."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from ..errors import NodeError
from ..train.errors import STOPPED
from ..train.events import Event, TrainingFailed, of_json
from ..train.spec import JobSpec
from ..train.trainer import Trainer, TrainerDied
from .gpu_sharing import GpuSharing

log = logging.getLogger(__name__)

# With more unread events than this the trainer waits for the reader.
MAX_BUFFERED_EVENTS = 256
MAX_REMEMBERED_JOBS = 10_000


class RunningJob:
    """The job that has the trainer, with the updates that its reader hasn't taken yet. An update is an event, the
    reason why the job waits, or None at the end."""

    def __init__(self, spec: JobSpec):
        self.spec = spec
        self.reason = "the trainer starts"
        self.finished = asyncio.Event()
        self.code = ""
        self._number = spec.after
        self._updates: asyncio.Queue[Event | str | None] = asyncio.Queue(MAX_BUFFERED_EVENTS)
        self._reader_gone = False

    async def get(self) -> Event | str | None:
        """The next update; waits for one."""
        return await self._updates.get()

    async def put(self, update: Event | str | None) -> None:
        """Adds an update; waits while too many are unread."""
        if isinstance(update, str):
            self.reason = update
        elif update is not None:
            self._number = update.number
        if not self._reader_gone:
            await self._updates.put(update)

    def disconnect(self) -> None:
        """The reader is gone: drops unread and later updates."""
        self._reader_gone = True
        while not self._updates.empty():
            self._updates.get_nowait()

    def failed(self, code: str, message: str) -> TrainingFailed:
        """The event of a failure, numbered after the last event."""
        return TrainingFailed(code, message, self._number + 1)


class TrainingJobs:
    def __init__(
        self,
        trainer: Trainer,
        gpu_sharing: GpuSharing,
        grace: float,
        on_change: Callable[[], None] = lambda: None,
    ):
        """grace: seconds that a stopping trainer gets for its gradient step before it is killed. on_change: called
        when a job begins or ends."""
        self._trainer = trainer
        self._gpu_sharing = gpu_sharing
        self._grace = grace
        self._on_change = on_change
        self._attempts: OrderedDict[str, int] = OrderedDict()
        self._draining = False
        self.running: RunningJob | None = None

    @property
    def job_id(self) -> str:
        """The running job's id; empty: none."""
        return self.running.spec.job_id if self.running else ""

    @property
    def paused(self) -> bool:
        """Whether serving is paused for a job."""
        return self._gpu_sharing.paused

    @property
    def shared(self) -> bool:
        """Whether serving yields its memory to jobs."""
        return self._gpu_sharing.shared

    async def begin(self, spec: JobSpec) -> RunningJob:
        """Starts a job, after stopping an older attempt of it. Raises DRAINING, FENCED or TRAINER_BUSY."""
        while True:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the job to another node.")
            if self._attempts.get(spec.job_id, 0) > spec.attempt:
                raise NodeError("FENCED", "A newer attempt of this job has started; this attempt is over.")
            self._remember(spec)
            running = self.running
            if running is None:
                break
            if running.spec.job_id != spec.job_id or running.spec.attempt >= spec.attempt:
                # A job without a caller ends soon; callers retry until then.
                raise NodeError("TRAINER_BUSY", "Another training job is running on this node; try again later or on another node.")
            await self.stop(running, "FENCED")
        self.running = RunningJob(spec)
        self._on_change()
        task = asyncio.create_task(self._run(self.running))
        task.add_done_callback(lambda done: done.exception() if not done.cancelled() else None)
        return self.running

    async def stop(self, running: RunningJob, code: str) -> None:
        """Stops a job and returns when it has ended. code: a key of errors.STOPPED."""
        if not running.finished.is_set():
            if not running.code:
                running.code = code
                self._trainer.stop(running.spec.job_id, code)
            try:
                await asyncio.wait_for(running.finished.wait(), self._grace)
            except TimeoutError:
                log.warning("the trainer did not stop within %g s; killing it", self._grace)
                await self._trainer.kill()
                await running.finished.wait()

    async def disconnect(self, running: RunningJob) -> None:
        """The caller is gone: cancels its job."""
        running.disconnect()
        await self.stop(running, "CANCELLED")

    async def drain(self) -> None:
        """Refuses new jobs, stops the running one and ends the trainer."""
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
        if self._gpu_sharing.paused:
            try:
                # The trainer's base model takes memory that serving's cache needs.
                await self._trainer.close()
            finally:
                await self._gpu_sharing.restore()

    async def _run(self, running: RunningJob) -> None:
        """Passes the trainer's messages to the job's reader until the job ends."""
        spec = running.spec
        shape = (spec.rank, spec.alpha, spec.dropout, spec.targets, spec.gradient_checkpointing)
        try:
            await running.put("serving makes room" if self._gpu_sharing.shared else running.reason)
            await self._gpu_sharing.yield_memory()
            self._on_change()
            async for message in self._trainer.run(spec.as_json(), shape):
                if running.code and not running.finished.is_set():
                    # The first stop may have come before the trainer knew of the job.
                    self._trainer.stop(spec.job_id, running.code)
                await running.put(of_json(message["event"]) if "event" in message else message["waiting"])
        except TrainerDied:
            if running.code:
                await running.put(running.failed(running.code, STOPPED[running.code]))
            else:
                log.error("the trainer died while it trained %s", spec.job_id)
                why = "The trainer process died, possibly out of memory; see the node's log."
                await running.put(running.failed("TRAINER_DIED", why))
        except Exception:
            log.exception("training failed on the node's side")
            await self._trainer.kill()
            await running.put(running.failed("INTERNAL", "The node failed to run this job; see its log."))
        finally:
            await running.put(None)
            try:
                await self._restore_serving()
            except Exception:
                log.exception("serving can't get its memory back")
            finally:
                self.running = None
                running.finished.set()
                self._on_change()
