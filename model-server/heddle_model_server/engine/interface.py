"""What a node asks of an engine, whichever it is. Knows nothing of gRPC, templates or where adapters come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..request import Event, Request


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What stays the same while the engine runs."""

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
    """What it is doing now, and counts since its start."""

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
        """Takes a request; send gets its events on the engine's thread, and must not block. Raises NodeError at once if
        it can't be taken: NODE_FULL, DRAINING, DUPLICATE_REQUEST."""

    def abort(self, request_id: str) -> bool:
        """Ends a request before its next step; false if there is none of that id."""

    def load(self) -> EngineLoad: ...

    def drain(self) -> None:
        """No new requests from now on."""

    def stop(self) -> None:
        """Ends what runs, and the engine."""
