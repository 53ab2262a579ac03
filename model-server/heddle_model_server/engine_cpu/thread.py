"""An engine on a thread of this process, which does one step after another."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import torch

from ..engine import Engine, EngineFacts, EngineLoad
from ..errors import NodeError
from ..model import LoadedModel
from ..settings import NodeSettings

log = logging.getLogger(__name__)

FAILURES_UNTIL_UNHEALTHY = 3
DEFAULT_SLOTS = 32


class ThreadEngine(Engine):
    """What a subclass adds: `_take`, `_has_work`, `_step`, `_fail`; `_step` and `_fail` run on the thread."""

    def __init__(self, loaded: LoadedModel, settings: NodeSettings, flush: Callable[[], None], **facts):
        """facts: those that the loaded model doesn't tell."""
        super().__init__(settings, flush)
        self.loaded = loaded
        self.facts = EngineFacts(
            engine="cpu",
            version=torch.__version__,
            device="cpu",
            dtype=str(loaded.dtype).removeprefix("torch."),
            vocabulary=loaded.vocabulary,
            parameters=loaded.parameters,
            priorities=settings.scheduling == "priority",
            **facts,
        )
        self.steps = 0
        self._inbox: deque[Callable[[], None]] = deque()
        self._stopping = False
        self._step_since = 0.0
        self._thread = threading.Thread(target=self._loop, name="engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def abort(self, request_id: str) -> bool:
        with self._changed:
            running = self._requests.pop(request_id, None)
        if running is None:
            return False
        self.between_steps(lambda: self._fail(running, NodeError("ABORTED", "The caller aborted the request.")))
        return True

    def between_steps(self, work: Callable[[], object]) -> Future:
        """Runs `work` on the engine's thread between two steps; the future has its result."""
        future: Future = Future()

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        with self._changed:
            self._inbox.append(run)
            self._changed.notify()
        return future

    def load(self) -> EngineLoad:
        found, weights = super().load(), self.loaded.parameters * self.loaded.dtype.itemsize
        healthy = found.healthy and found.failures < FAILURES_UNTIL_UNHEALTHY
        return replace(found, healthy=healthy, memory_bytes=weights)

    def stuck_for(self) -> float:
        since = self._step_since
        return time.monotonic() - since if since else 0.0

    def stop(self) -> None:
        with self._changed:
            self._draining = self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()

    def _loop(self) -> None:
        with torch.inference_mode():
            while not self._stopping:
                with self._changed:
                    while not (self._inbox or self._has_work() or self._stopping):
                        self._changed.wait()
                self._step_since = time.monotonic()
                try:
                    self._empty_inbox()
                    self._step()
                except Exception:
                    # No error may end the loop.
                    log.exception("a step of the engine failed")
                    self.counts.failures += 1
                    self._fail_all(NodeError("INTERNAL", "The node failed to process this request; try again."))
                self._step_since = 0.0
                self.steps += 1
                self._flush()
            self._fail_all(NodeError("DRAINING", "The node was shut down."))
            self._empty_inbox()
            self._flush()

    def _empty_inbox(self) -> None:
        while self._inbox:
            self._inbox.popleft()()

    def _fail_all(self, error: NodeError) -> None:
        for running in list(self._requests.values()):
            self._fail(running, error)

    def _forget(self, running: Any) -> None:
        """Before a request's last event: its receiver may use the id again."""
        if self._requests.get(running.request.id) is running:
            del self._requests[running.request.id]
