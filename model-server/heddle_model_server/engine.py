"""The interface of an engine to its node. Knows nothing of gRPC, templates or where adapters come from."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from .chat.output_parser import OutputParsers
from .request import Embed, Event, Request


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


@dataclass(frozen=True, slots=True)
class EngineLoad:
    """The current load, and counters since the start."""

    running: int
    waiting: int
    free_slots: int
    free_cache_tokens: int
    generated_tokens: int
    prompt_tokens: int
    cached_tokens: int
    requests: int
    shed: int
    memory_bytes: int
    healthy: bool


class LoadedAdapter(Protocol):
    """bytes: of its weights."""

    name: str
    rank: int
    scaling: float
    bytes: int


class Engine(Protocol):
    """output_parsers: its own for the model; None: the node's is used."""

    facts: EngineFacts
    output_parsers: OutputParsers | None

    def start(self) -> None:
        """Starts the engine's thread."""

    def submit(self, request: Request | Embed, send: Callable[[Event], None]) -> None:
        """Takes a request: an Embed, if the model makes embeddings. send gets its events on the engine's thread and must not block. Raises NODE_FULL,
        DRAINING or DUPLICATE_REQUEST at once."""

    def abort(self, request_id: str) -> bool:
        """Ends a request before its next step; false if no request has this id."""

    def read_adapter(self, files: dict[str, bytes]) -> object:
        """What `add_adapter` takes, from an adapter's files by name. Takes long, on any thread. Raises
        ADAPTER_INVALID."""

    def add_adapter(self, name: str, weights: object) -> Future[LoadedAdapter | None]:
        """The future's result is None while there is no space for it. Requests name the result as their adapter."""

    def remove_adapter(self, adapter: LoadedAdapter) -> Future[None]:
        """Forgets an adapter that no request uses."""

    def load(self) -> EngineLoad: ...

    def stuck_for(self) -> float:
        """Seconds since the engine last made progress; 0 if it has nothing to do."""

    @property
    def idle(self) -> bool:
        """Whether no request is running."""

    def sleep(self) -> Future[None]:
        """Frees the device's memory when what runs has ended; requests wait until `wake`."""

    def wake(self) -> Future[None]:
        """Takes the memory back. If it can't, the engine is unhealthy until a later `wake` can."""

    def drain(self) -> None:
        """Refuses new requests from now on."""

    def stop(self) -> None:
        """Ends running requests and the engine."""
