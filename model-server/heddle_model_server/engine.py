"""The interface of an engine to its node. Knows nothing of gRPC, templates or where adapters come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from .request import Event, Request


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What stays constant while the engine runs. context, cache_tokens: in tokens."""

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


class Engine(Protocol):
    facts: EngineFacts

    def submit(self, request: Request, send: Callable[[Event], None]) -> None:
        """Takes a request. send gets its events on the engine's thread and must not block. Raises NODE_FULL,
        DRAINING or DUPLICATE_REQUEST at once."""

    def abort(self, request_id: str) -> bool:
        """Ends a request before its next step; false if no request has this id."""

    def load(self) -> EngineLoad: ...

    def drain(self) -> None:
        """Refuses new requests from now on."""

    def stop(self) -> None:
        """Ends running requests and the engine."""
