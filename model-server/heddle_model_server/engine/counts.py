"""What an engine counts since its start. Written by its thread alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    requests: int = 0
    generated_tokens: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    # Choices set aside or given up for want of memory.
    shed: int = 0
    # Passes in a row that failed by themselves.
    failures: int = 0
    # Something was sent in this step.
    sent: bool = False
