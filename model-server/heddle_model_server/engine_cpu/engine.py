"""The engine for development, tests and the demo: runs a transformers model on the CPU, one step after another, on a
thread of its own. Knows nothing of gRPC, templates or files."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

import torch

from ..artifacts.peft_files import LoraWeights, read_adapter
from ..engine import EngineFacts, EngineLoad
from ..errors import NodeError
from ..model import LoadedModel
from ..request import Event, Request
from ..settings import NodeSettings
from .lora import Adapter
from .choice import RunningRequest
from .scheduler import Scheduler

log = logging.getLogger(__name__)

FAILURES_UNTIL_UNHEALTHY = 3


class CpuEngine:
    """Implements engine.Engine in this process."""

    output_parsers = None

    def __init__(self, loaded: LoadedModel, settings: NodeSettings, flush: Callable[[], None] = lambda: None):
        """flush: called on the engine's thread after each step."""
        self.loaded = loaded
        self.settings = settings
        self._flush = flush
        self.scheduler = Scheduler(loaded, settings)
        cache = self.scheduler.cache
        if cache.max_width < loaded.context:
            log.warning(
                "the context is reduced from %d tokens to the cache's %d; raise HEDDLE_NODE_CACHE_TOKENS",
                loaded.context,
                cache.max_width,
            )
        self.facts = EngineFacts(
            engine="cpu",
            version=torch.__version__,
            device="cpu",
            dtype=str(loaded.dtype).removeprefix("torch."),
            context=cache.max_width,
            vocabulary=loaded.vocabulary,
            parameters=loaded.parameters,
            slots=self.scheduler.slots,
            cache_tokens=cache.budget,
            priorities=settings.scheduling == "priority",
        )
        self._inbox: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._requests: dict[str, RunningRequest] = {}
        self._draining = self._stopping = False
        # Why the engine has no memory to work in.
        self._without_memory: NodeError | None = None
        self.steps = 0
        self._step_since = 0.0
        self._thread = threading.Thread(target=self._loop, name="engine", daemon=True)

    # -- called from other threads ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def submit(self, request: Request, send: Callable[[Event], None]) -> None:
        """See Engine.submit."""
        # The receiver of the last event may reuse the id.
        running = RunningRequest(request, send, lambda ended: self._requests.pop(ended.request.id, None))
        with self._wake:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the request to another node.")
            if self._without_memory is not None:
                raise self._without_memory
            if request.id in self._requests:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            if len(request.prompt) >= self.facts.context:
                raise NodeError("NODE_FULL", "The prompt is longer than this node's whole cache.", "messages")
            if len(self._requests) >= self.settings.queue_limit + self.scheduler.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            if request.params.beam and request.params.n > self.scheduler.slots:
                raise NodeError("BAD_FIELD", f"n is at most {self.scheduler.slots} here.", "n")
            self._requests[request.id] = running
            self._inbox.append(lambda: self.scheduler.add(running))
            self._wake.notify()

    def abort(self, request_id: str) -> bool:
        """See Engine.abort."""
        running = self._requests.get(request_id)
        if running is None:
            return False
        error = NodeError("ABORTED", "The caller aborted the request.")
        self.between_steps(lambda: self.scheduler.fail(running, error))
        return True

    def between_steps(self, work: Callable[[], object]) -> Future:
        """Runs `work` on the engine's thread between two steps; the future has its result."""
        future: Future = Future()

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        with self._wake:
            self._inbox.append(run)
            self._wake.notify()
        return future

    def read_adapter(self, files: dict[str, bytes]) -> dict[str, LoraWeights]:
        """See Engine.read_adapter."""
        return read_adapter(files, self.scheduler.lora.shapes(), self.settings.max_adapter_rank)

    def add_adapter(self, name: str, weights: dict[str, LoraWeights]) -> Future:
        """See Engine.add_adapter."""
        return self.between_steps(lambda: self.scheduler.lora.add(name, weights))

    def remove_adapter(self, adapter: Adapter) -> Future:
        """See Engine.remove_adapter."""

        def remove() -> None:
            self.scheduler.prefixes.drop(adapter)
            self.scheduler.lora.remove(adapter)

        return self.between_steps(remove)

    def sleep(self) -> Future:
        """See Engine.sleep: it frees the cache."""
        asleep: Future[None] = Future()
        self.between_steps(lambda: setattr(self.scheduler, "asleep", asleep))
        return asleep

    def wake(self) -> Future:
        """See Engine.wake."""
        return self.between_steps(self._take_memory_back)

    def load(self) -> EngineLoad:
        """See EngineLoad."""
        scheduler, counts = self.scheduler, self.scheduler.counts
        running = len(scheduler.active)
        weights = self.loaded.parameters * self.loaded.dtype.itemsize
        used = sum(len(choice.all) for choice in list(scheduler.active))
        return EngineLoad(
            running=running,
            waiting=max(0, len(self._requests) - running),
            free_slots=max(0, self.scheduler.slots - running),
            free_cache_tokens=max(0, scheduler.cache.budget - used),
            generated_tokens=counts.generated_tokens,
            prompt_tokens=counts.prompt_tokens,
            cached_tokens=counts.cached_tokens,
            requests=counts.requests,
            shed=counts.set_aside,
            memory_bytes=weights + scheduler.cache.bytes_used,
            healthy=counts.failures < FAILURES_UNTIL_UNHEALTHY and self._without_memory is None,
        )

    def stuck_for(self) -> float:
        """Seconds the current step has taken; 0 between steps."""
        since = self._step_since
        return time.monotonic() - since if since else 0.0

    @property
    def idle(self) -> bool:
        """Whether no request is running."""
        return not self._requests

    def drain(self) -> None:
        """Refuses new requests from now on."""
        self._draining = True

    def stop(self) -> None:
        """Ends the thread; requests that still run fail."""
        with self._wake:
            self._draining = self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    # -- the loop -----------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        with torch.inference_mode():
            while not self._stopping:
                with self._wake:
                    while not (self._inbox or self.scheduler.has_work or self._stopping):
                        self._wake.wait()
                self._step_since = time.monotonic()
                try:
                    while self._inbox:
                        self._inbox.popleft()()
                    self.scheduler.step()
                except Exception:
                    # No error may end the loop. Errors of a single pass are handled in the scheduler.
                    log.exception("a step of the engine failed")
                    self.scheduler.counts.failures += 1
                    self._fail_all(NodeError("INTERNAL", "The node failed to process this request; try again."))
                self._step_since = 0.0
                self.steps += 1
                self._flush()
            self._fail_all(NodeError("DRAINING", "The node was shut down."))
            self._flush()

    def _take_memory_back(self) -> None:
        try:
            self.scheduler.wake()
        except RuntimeError as error:
            why = " ".join(str(error).split()).rstrip(".")
            said = f"This node can't get its memory back after a training job: {why}."
            self._without_memory = NodeError("UNHEALTHY", said)
            self._fail_all(self._without_memory)
            raise self._without_memory from error
        self._without_memory = None

    def _fail_all(self, error: NodeError) -> None:
        for running in list(self._requests.values()):
            self.scheduler.fail(running, error)
        self.scheduler.clear_queue()
