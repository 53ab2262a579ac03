"""Counters of an engine since its start. Written only by the engine's thread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    requests: int = 0
    generated_tokens: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    # Choices preempted or failed because memory was short.
    shed: int = 0
    # Consecutive passes that failed even with a single choice.
    failures: int = 0
    # Whether this step sent events.
    sent: bool = False
