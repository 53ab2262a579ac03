"""Detects that a text has begun to repeat itself. Pure."""

from __future__ import annotations

from ..request import Repetition


def repeats(tokens: list[int], rule: Repetition) -> bool:
    """Whether the last tokens are one pattern of min_size to max_size tokens, min_count times in a row."""
    for size in range(rule.min_size, rule.max_size + 1):
        length = size * rule.min_count
        if length > len(tokens):
            return False
        # A cheap test that rules out most patterns.
        if tokens[-1] == tokens[-1 - size]:
            tail = tokens[-length:]
            if tail[size:] == tail[:-size]:
                return True
    return False
