"""An engine as its node uses it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from .chat.output_parser import OutputParsers
from .errors import NodeError
from .request import Embed, Event, Request
from .settings import NodeSettings


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What stays constant while the engine runs. context, cache_tokens: in tokens. images: whether requests may have some."""

    engine: str
    version: str
    device: str
    dtype: str
    context: int
    vocabulary: int
    parameters: int
    slots: int
    cache_tokens: int
    priorities: bool
    images: bool = False


@dataclass(slots=True)
class EngineLoad:
    """The current load, and counters since the start. shed: choices whose place was needed by others.
    failures: in a row, that were not of a single request."""

    running: int = 0
    waiting: int = 0
    free_slots: int = 0
    free_cache_tokens: int = 0
    generated_tokens: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    requests: int = 0
    shed: int = 0
    failures: int = 0
    memory_bytes: int = 0
    healthy: bool = True


@dataclass(slots=True, eq=False)
class LoadedAdapter:
    """number: its own in the engine. bytes: of its weights."""

    name: str
    number: int
    rank: int
    scaling: float
    bytes: int


class Engine:
    """What a node asks of an engine, and what is the same in all of them."""

    facts: EngineFacts
    # Its own for the model; None: the node's are used.
    output_parsers: OutputParsers | None = None

    def __init__(self, settings: NodeSettings, flush: Callable[[], None]):
        """flush: called on the engine's thread after events were sent."""
        self.settings = settings
        self.counts = EngineLoad()
        self._flush = flush
        # Those that have not got their last event.
        self._requests: dict[str, Any] = {}
        self._changed = threading.Condition()
        self._draining = False
        # Why it can't take requests.
        self._broken: NodeError | None = None

    def start(self) -> None:
        """Starts the engine's thread."""

    def submit(self, request: Request | Embed, send: Callable[[Event], None]) -> None:
        """send gets the request's events on the engine's thread and must not block. Raises NODE_FULL, DRAINING or DUPLICATE_REQUEST."""
        with self._changed:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the request to another node.")
            if self._broken is not None:
                raise self._broken
            if request.id in self._requests:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            if len(self._requests) >= self.settings.queue_limit + self.facts.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            self._take(request, send)
            self._changed.notify()

    def _take(self, request: Request | Embed, send: Callable[[Event], None]) -> None:
        """Puts a request that may be taken into `_requests`. Raises NodeError if it may not."""

    def abort(self, request_id: str) -> bool:
        """Ends a request before its next step; false if no request has this id."""

    def read_adapter(self, files: dict[str, bytes]) -> object:
        """What `add_adapter` takes, from an adapter's files by name. For any thread; takes long. Raises ADAPTER_INVALID."""

    def add_adapter(self, name: str, weights: object) -> Future[LoadedAdapter | None]:
        """The future's result is None while there is no space for it. Requests name the result as their adapter."""

    def remove_adapter(self, adapter: LoadedAdapter) -> Future[None]:
        """Forgets an adapter that no request uses."""

    def load(self) -> EngineLoad:
        """What it does now."""
        running = min(len(self._requests), self.facts.slots)
        waiting, free = len(self._requests) - running, self.facts.slots - running
        return replace(self.counts, running=running, waiting=waiting, free_slots=free, healthy=self._broken is None)

    def stuck_for(self) -> float:
        """Seconds since the engine last made progress; 0 if it has nothing to do."""

    @property
    def idle(self) -> bool:
        """Whether no request is running."""
        return not self._requests

    def sleep(self) -> Future[None]:
        """Frees the device's memory when what runs has ended; requests wait until `wake`."""

    def wake(self) -> Future[None]:
        """Takes the memory back. If it can't, the engine is unhealthy until a later `wake` can."""

    def drain(self) -> None:
        """Refuses new requests from now on."""
        self._draining = True

    def stop(self) -> None:
        """Ends running requests and the engine."""
