"""Runs training jobs in turns on one trainer: admits, fences and stops jobs, and reports a trainer that dies. Runs on the
event loop.

A turn ends with its job, or after some time if others wait (longer where changing turns takes long): the job's state is saved after a gradient step, and its next
turn resumes there. The base model stays loaded. Whose entity had the trainer for the shortest time is next. Where serving
pauses for jobs and chat waits, serving has every second turn, for which the trainer ends."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import asdict, replace

from ..errors import NodeError
from ..settings import NodeSettings
from ..train.errors import STOPPED, TURN
from ..train.events import Event, TrainingFailed, of_json
from ..train.spec import JobSpec
from ..train.trainer import Trainer, TrainerDied
from .gpu_sharing import GpuSharing

log = logging.getLogger(__name__)

# With more unread events than this the trainer waits for the reader.
MAX_BUFFERED_EVENTS = 256
MAX_REMEMBERED_JOBS = 10_000
# Serving's turn is over when nobody has waited for an answer for so long.
QUIET_SECONDS = 1.0
POLL_SECONDS = 0.05


class AdmittedJob:
    """A job that has the trainer or waits for its turn, with the updates that its reader hasn't taken yet. An update is an
    event, the reason why the job waits, or None at the end."""

    def __init__(self, spec: JobSpec, entity: str):
        self.spec = spec
        self.entity = entity
        self.reason = "the trainer starts"
        self.finished = asyncio.Event()
        # Why it should stop; empty: it should not.
        self.code = ""
        self.asked_to_stop = asyncio.Event()
        # Of the last event.
        self.number = spec.after
        # Turns of all jobs before its own last one.
        self.last_turn = 0
        self._updates: asyncio.Queue[Event | str | None] = asyncio.Queue(MAX_BUFFERED_EVENTS)
        # The next update; waits for one.
        self.get = self._updates.get
        self._reader_gone = False

    async def put(self, update: Event | str | None) -> None:
        """Adds an update; waits while too many are unread."""
        if isinstance(update, str):
            self.reason = update
        elif update is not None:
            self.number = update.number
        if not self._reader_gone:
            await self._updates.put(update)

    def disconnect(self) -> None:
        """The reader is gone: drops unread and later updates."""
        self._reader_gone = True
        while not self._updates.empty():
            self._updates.get_nowait()

    async def fail(self, code: str, message: str) -> None:
        """Adds the event of a failure, numbered after the last event."""
        await self.put(TrainingFailed(code, message, self.number + 1))


def whose_turn(jobs: Iterable[AdmittedJob], served: dict[str, float]) -> AdmittedJob:
    """The job of the entity that had the trainer for the shortest time; of its jobs the one that has waited longest."""
    return min(jobs, key=lambda one: (served[one.entity], one.last_turn))


def turn_length(least: float, overhead: float, hand_over: float) -> float:
    """Seconds of a turn after a hand-over that took so long. overhead: what that may be of the turn; 0: of any length."""
    return max(least, hand_over / overhead if overhead else 0.0)


async def done_before(work: Coroutine, event: asyncio.Event) -> bool:
    """Waits for the work, at most until the event; returns whether it is done. Raises what it does."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(event.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0].done():
            tasks[0].result()
        return tasks[0].done()
    finally:
        for task in tasks:
            task.cancel()


class TrainingJobs:
    def __init__(
        self,
        trainer: Trainer,
        gpu_sharing: GpuSharing,
        settings: NodeSettings,
        on_change: Callable[[], None] = lambda: None,
    ):
        """settings: those of training count. on_change: called when a turn begins or ends."""
        self._trainer = trainer
        self.gpu_sharing = gpu_sharing
        self._grace = settings.train_grace
        self.limit = settings.train_jobs
        self._turn_length = lambda: turn_length(
            settings.train_turn_seconds, settings.train_turn_overhead, self._hand_over
        )
        # Seconds that the last change of turns took.
        self._hand_over = 0.0
        self._on_change = on_change
        self._attempts: dict[str, int] = {}
        # By their ids.
        self.admitted: dict[str, AdmittedJob] = {}
        self._turns = 0
        # Seconds that each entity has had the trainer; of those that have jobs here.
        self._served: dict[str, float] = {}
        self._turn_is_over = self._serving_is_next = False
        self._loop: asyncio.Task[None] | None = None
        self._draining = False
        self.running: AdmittedJob | None = None

    @property
    def job_id(self) -> str:
        """The id of the job whose turn it is; empty: none."""
        return self.running.spec.job_id if self.running else ""

    def chat_waits(self) -> None:
        """Somebody waits for an answer: if serving is paused, it has the next turn."""
        if self.gpu_sharing.paused:
            self._serving_is_next = True
            self._end_turn_if_due()

    async def begin(self, spec: JobSpec, entity: str = "") -> AdmittedJob:
        """Admits a job, after stopping an older attempt. entity: whose it is. Raises DRAINING, FENCED or TRAINER_BUSY."""
        while True:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the job to another node.")
            if self._attempts.get(spec.job_id, 0) > spec.attempt:
                raise NodeError("FENCED", "A newer attempt of this job has started; this attempt is over.")
            self._remember(spec)
            older = self.admitted.get(spec.job_id)
            if older is None and len(self.admitted) < self.limit:
                break
            if older is None or older.spec.attempt >= spec.attempt:
                # A job without a caller ends soon; callers retry until then.
                raise NodeError(
                    "TRAINER_BUSY",
                    "This node has as many training jobs as it takes; try again later or on another node.",
                )
            await self.stop(older, "FENCED")
        job = AdmittedJob(spec, entity)
        if entity not in self._served:
            # No more than the others have: it must not keep them waiting for all the time that it wasn't here.
            self._served[entity] = min(self._served.values(), default=0.0)
        self.admitted[spec.job_id] = job
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._take_turns())
        else:
            job.reason = "another job has its turn"
            self._end_turn_if_due()
        return job

    async def stop(self, job: AdmittedJob, code: str) -> None:
        """Stops a job and returns when it has ended. code: a key of errors.STOPPED."""
        if job.finished.is_set():
            return
        first, job.code = not job.code, job.code or code
        job.asked_to_stop.set()
        if job is not self.running:
            if first:
                self._forget(job)
                await job.fail(code, STOPPED[code])
                await job.put(None)
                job.finished.set()
            await job.finished.wait()
            return
        if first:
            self._trainer.stop(job.spec.job_id, code)
        try:
            await asyncio.wait_for(job.finished.wait(), self._grace)
        except TimeoutError:
            log.warning("the trainer did not stop within %g s; killing it", self._grace)
            await self._trainer.kill()
            await job.finished.wait()

    async def disconnect(self, job: AdmittedJob) -> None:
        """The caller is gone: cancels its job."""
        job.disconnect()
        await self.stop(job, "CANCELLED")

    async def drain(self) -> None:
        """Refuses new jobs, stops all others and ends the trainer."""
        self._draining = True
        # Those that wait first, so that none of them gets a turn.
        for job in sorted(self.admitted.values(), key=lambda one: one is self.running):
            await self.stop(job, "DRAINING")
        await self._trainer.close()

    def _remember(self, spec: JobSpec) -> None:
        # The latest is the last.
        self._attempts[spec.job_id] = max(spec.attempt, self._attempts.pop(spec.job_id, 0))
        if len(self._attempts) > MAX_REMEMBERED_JOBS:
            del self._attempts[next(iter(self._attempts))]

    def _forget(self, job: AdmittedJob) -> None:
        del self.admitted[job.spec.job_id]
        if all(other.entity != job.entity for other in self.admitted.values()):
            self._served.pop(job.entity, None)

    async def _take_turns(self) -> None:
        clock = asyncio.get_running_loop().time
        while self.admitted:
            job = self.running = whose_turn(self.admitted.values(), self._served)
            began = clock()
            try:
                over = await self._turn(job)
            except Exception:
                log.exception("training failed on the node's side")
                await self._trainer.kill()
                await job.fail("INTERNAL", "The node failed to run this job; see its log.")
                over = True
            self._served[job.entity] += clock() - began
            self._turns += 1
            job.last_turn = self._turns
            if over:
                await job.put(None)
                self._forget(job)
            if over and self.gpu_sharing.pending:
                # It never began: nothing of it has to end first.
                job.finished.set()
            served = self.gpu_sharing.paused and (self._serving_is_next or not self.admitted)
            if served:
                await self._hand_back()
            self.running = None
            self._on_change()
            if over:
                job.finished.set()
            if served:
                await self._serve()

    async def _turn(self, job: AdmittedJob) -> bool:
        """Passes the trainer's messages to the job's reader until its turn ends. Returns whether the job is over."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        spec = replace(job.spec, after=job.number)
        self._turn_is_over = yielded = False
        timer: asyncio.TimerHandle | None = None
        try:
            await job.put("serving makes room" if self.gpu_sharing.shared else "the trainer starts")
            if not await done_before(self.gpu_sharing.yield_memory(), job.asked_to_stop):
                await job.fail(job.code, STOPPED[job.code])
                return True
            if not self.gpu_sharing.engine.idle:
                self.chat_waits()
            self._on_change()
            async for message in self._trainer.run(asdict(spec)):
                if job.code:
                    # The first stop may have come before the trainer knew of the job.
                    self._trainer.stop(spec.job_id, job.code)
                if "event" not in message:
                    await job.put(message["waiting"])
                    continue
                if timer is None:
                    # What came before the first event is no part of the turn: loading the base, reading the data.
                    self._hand_over = loop.time() - began
                    timer = loop.call_later(self._turn_length(), self._end_turn)
                event = of_json(message["event"])
                yielded = isinstance(event, TrainingFailed) and event.code == TURN
                if not yielded:
                    await job.put(event)
        except TrainerDied:
            if job.code:
                await job.fail(job.code, STOPPED[job.code])
            else:
                log.error("the trainer died while it trained %s", spec.job_id)
                await job.fail("TRAINER_DIED", "The trainer process died, possibly out of memory; see the node's log.")
            return True
        finally:
            if timer:
                timer.cancel()
        if yielded and job.code:
            await job.fail(job.code, STOPPED[job.code])
            return True
        if yielded:
            await job.put("chat or another job has its turn")
        return not yielded

    def _end_turn(self) -> None:
        self._turn_is_over = True
        self._end_turn_if_due()

    def _end_turn_if_due(self) -> None:
        if self._turn_is_over and self.running and (len(self.admitted) > 1 or self._serving_is_next):
            self._trainer.stop(self.running.spec.job_id, TURN)

    async def _hand_back(self) -> None:
        """Gives serving its memory back."""
        self._serving_is_next = False
        began = asyncio.get_running_loop().time()
        try:
            try:
                # The trainer's base model takes memory that serving's cache needs.
                await self._trainer.close()
            finally:
                await self.gpu_sharing.restore()
        except Exception:
            log.exception("serving can't get its memory back")
        self._hand_over = asyncio.get_running_loop().time() - began

    async def _serve(self) -> None:
        """Serving's turn, while jobs wait."""
        clock = asyncio.get_running_loop().time
        end, quiet_since = clock() + self._turn_length(), clock()
        while self.admitted and clock() < min(end, quiet_since + QUIET_SECONDS):
            await asyncio.sleep(POLL_SECONDS)
            if not self.gpu_sharing.engine.idle:
                quiet_since = clock()
