"""The engine's thread: runs one scheduler step after another; calls from other threads wait for the end of a step.
Knows nothing of gRPC, templates or files."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

import torch

from ..errors import NodeError
from ..request import Event, Request
from .counts import Counts
from .forward import Forward
from ..engine import EngineFacts, EngineLoad
from .kv_cache import KVCache
from .memory import cache_budget, memory_bytes
from ..model import LoadedModel
from .row_allocator import RowAllocator
from .runner import runner_for
from .running_request import RunningRequest
from .scheduler import Scheduler

log = logging.getLogger(__name__)

FAILURES_UNTIL_UNHEALTHY = 3


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """slots: choices at the same time. cache_tokens: of all rows together; 0: what fits in memory. prefill_tokens:
    prompt tokens per step. lora_columns: ranks of all adapters together."""

    slots: int = 32
    cache_tokens: int = 0
    prefill_tokens: int = 512
    queue_limit: int = 256
    priorities: bool = True
    reuse_prefixes: bool = True
    lora_columns: int = 128


class TorchEngine:
    """Implements engine.interface.Engine in this process."""

    def __init__(self, loaded: LoadedModel, settings: EngineSettings, flush: Callable[[], None] = lambda: None):
        """flush: called on the engine's thread after each step that sent events."""
        self.loaded = loaded
        self.settings = settings
        self._flush = flush
        run, self.pool = runner_for(loaded, settings.lora_columns)
        cache_budget_now = lambda: cache_budget(loaded, settings.slots, settings.cache_tokens)
        cache = KVCache(
            loaded.layers,
            loaded.kv_heads,
            loaded.head_dim,
            cache_budget_now(),
            settings.slots + 1,
            loaded.context,
            loaded.dtype,
            loaded.device,
        )
        if cache.max_width < loaded.context:
            log.warning(
                "the context is reduced from %d tokens to the cache's %d; raise HEDDLE_NODE_CACHE_TOKENS",
                loaded.context,
                cache.max_width,
            )
        self.rows = RowAllocator(cache, settings.reuse_prefixes)
        self.counts = Counts()
        self.scheduler = Scheduler(
            loaded,
            self.rows,
            Forward(run, cache, loaded.device),
            self.pool,
            self.counts,
            settings.slots,
            settings.prefill_tokens,
            cache_budget_now,
        )
        name = f" ({torch.cuda.get_device_name(loaded.device)})" if loaded.device.type == "cuda" else ""
        self.facts = EngineFacts(
            engine="torch",
            version=torch.__version__,
            device=f"{loaded.device}{name}",
            dtype=str(loaded.dtype).removeprefix("torch."),
            context=min(loaded.context, cache.max_width),
            vocabulary=loaded.vocabulary,
            parameters=loaded.parameters,
            slots=settings.slots,
            cache_tokens=cache.budget,
            priorities=settings.priorities,
        )
        self._inbox: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._requests: dict[str, RunningRequest] = {}
        self._draining = self._stopping = False
        # Why no request can be served; None: healthy.
        self._unhealthy: NodeError | None = None
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
            if self._unhealthy:
                raise self._unhealthy
            if request.id in self._requests:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            # While paused the cache has no size; requests wait.
            fits = self.scheduler.paused or self.rows.fits(len(request.prompt) + min(request.params.max_tokens, 1))
            if not fits:
                raise NodeError("NODE_FULL", "The prompt is longer than this node's whole cache.", "messages")
            if len(self._requests) >= self.settings.queue_limit + self.settings.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            if request.params.beam and request.params.n > self.settings.slots:
                raise NodeError("BAD_FIELD", f"n is at most {self.settings.slots} here.", "n")
            self._requests[request.id] = running
            self._inbox.append(lambda: self.scheduler.add(running))
            self._wake.notify()

    def abort(self, request_id: str) -> bool:
        """See Engine.abort."""
        with self._wake:
            running = self._requests.get(request_id)
            if running is None:
                return False
            error = NodeError("ABORTED", "The caller aborted the request.")
            self._inbox.append(lambda: self.scheduler.results.fail(running, error))
            self._wake.notify()
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

    def set_memory_share(self, share: float) -> Future:
        """Keeps this share of memory and slots; 0: pauses; 1: takes what is free. If that fails the engine is
        unhealthy and refuses all requests until a later call succeeds."""
        return self.between_steps(lambda: self._set_memory_share(share))

    def load(self) -> EngineLoad:
        """See EngineLoad."""
        running = len(self.rows.active)
        return EngineLoad(
            running=running,
            waiting=max(0, len(self._requests) - running),
            free_slots=max(0, self.rows.limit - running),
            free_cache_tokens=max(0, self.rows.free_tokens),
            generated_tokens=self.counts.generated_tokens,
            prompt_tokens=self.counts.prompt_tokens,
            cached_tokens=self.counts.cached_tokens,
            requests=self.counts.requests,
            shed=self.counts.shed,
            memory_bytes=memory_bytes(self.loaded, self.rows.cache),
            healthy=self.counts.failures < FAILURES_UNTIL_UNHEALTHY and self._unhealthy is None,
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
                    self._step()
                except Exception:
                    # No error may end the loop. Errors of a single pass are handled in the scheduler.
                    log.exception("a step of the engine failed")
                    self.counts.failures += 1
                    self._fail_all(NodeError("INTERNAL", "The node failed to process this request; try again."))
                self._step_since = 0.0
                self.steps += 1
                if self.counts.sent:
                    self.counts.sent = False
                    self._flush()
            self._fail_all(NodeError("DRAINING", "The node was shut down."))
            self._flush()

    def _step(self) -> None:
        while self._inbox:
            self._inbox.popleft()()
            self.counts.sent = True
        self.scheduler.step()

    def _set_memory_share(self, share: float) -> None:
        try:
            self.scheduler.set_memory_share(share)
            self._unhealthy = None
        except Exception as error:
            why = str(error).strip().partition("\n")[0].rstrip(".")
            self._unhealthy = NodeError("UNHEALTHY", f"The node can't get its memory back after a training job: {why}.")
            self._fail_all(self._unhealthy)
            raise

    def _fail_all(self, error: NodeError) -> None:
        for running in list(self._requests.values()):
            self.scheduler.results.fail(running, error)
        self.scheduler.clear_queue()
        self.counts.sent = True
