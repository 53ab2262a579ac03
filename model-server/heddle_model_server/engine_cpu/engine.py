"""The engine for development, tests and the demo: runs a transformers model on the CPU."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from ..artifacts.peft_files import LoraWeights, read_adapter
from ..engine import EngineLoad, LoadedAdapter
from ..errors import NodeError, one_line
from ..model import LoadedModel
from ..request import Event, Request
from ..settings import NodeSettings
from .choice import RunningRequest
from .scheduler import Scheduler
from .thread import ThreadEngine

log = logging.getLogger(__name__)


class CpuEngine(ThreadEngine):
    """For models that chat."""

    def __init__(self, loaded: LoadedModel, settings: NodeSettings, flush: Callable[[], None] = lambda: None):
        self.scheduler = Scheduler(loaded, settings)
        cache = self.scheduler.cache
        if cache.max_width < loaded.context:
            log.warning(
                "the context is reduced from %d tokens to the cache's %d; raise HEDDLE_NODE_CACHE_TOKENS",
                loaded.context,
                cache.max_width,
            )
        shape = {"context": cache.max_width, "slots": self.scheduler.slots, "cache_tokens": cache.budget}
        super().__init__(loaded, settings, flush, **shape)
        self.counts = self.scheduler.counts

    def _take(self, request: Request, send: Callable[[Event], None]) -> None:
        if len(request.prompt) >= self.facts.context:
            raise NodeError("NODE_FULL", "The prompt is longer than this node's whole cache.", "messages")
        if request.params.beam and request.params.n > self.scheduler.slots:
            raise NodeError("BAD_FIELD", f"n is at most {self.scheduler.slots} here.", "n")
        running = self._requests[request.id] = RunningRequest(request, send, self._forget)
        self._inbox.append(lambda: self.scheduler.add(running))

    def read_adapter(self, files: dict[str, bytes]) -> dict[str, LoraWeights]:
        return read_adapter(files, self.scheduler.lora.shapes(), self.settings.max_adapter_rank)

    def add_adapter(self, name: str, weights: dict[str, LoraWeights]) -> Future:
        return self.between_steps(lambda: self.scheduler.lora.add(name, weights))

    def remove_adapter(self, adapter: LoadedAdapter) -> Future:
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
        return self.between_steps(self._take_memory_back)

    def load(self) -> EngineLoad:
        scheduler = self.scheduler
        running, used = len(scheduler.active), sum(len(choice.all) for choice in list(scheduler.active))
        found = super().load()
        return replace(
            found,
            running=running,
            waiting=max(0, len(self._requests) - running),
            free_slots=max(0, scheduler.slots - running),
            free_cache_tokens=max(0, scheduler.cache.budget - used),
            memory_bytes=found.memory_bytes + scheduler.cache.all.nbytes,
        )

    def _has_work(self) -> bool:
        return self.scheduler.has_work

    def _step(self) -> None:
        self.scheduler.step()

    def _fail(self, running: RunningRequest, error: NodeError) -> None:
        self.scheduler.fail(running, error)

    def _fail_all(self, error: NodeError) -> None:
        super()._fail_all(error)
        self.scheduler.queue.clear()

    def _take_memory_back(self) -> None:
        try:
            self.scheduler.wake()
        except RuntimeError as error:
            said = f"This node can't get its memory back after a training job: {one_line(error)}."
            self._broken = NodeError("UNHEALTHY", said)
            self._fail_all(self._broken)
            raise self._broken from error
        self._broken = None
