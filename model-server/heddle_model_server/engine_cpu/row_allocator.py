"""Assigns cache rows to choices, and keeps prefixes for reuse. Active choices have the first rows, without gaps, so
that a pass reads them as one slice; the rows after them hold cached prefixes. Knows nothing of passes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy

from .choice import Choice
from .kv_cache import KVCache

# A new row gets space for this many more tokens.
MARGIN = 16


@dataclass(slots=True, eq=False)
class CachedPrefix:
    """A reusable prefix: adapter and salt, its tokens, when it was last used."""

    key: tuple
    tokens: numpy.ndarray
    used: int


class RowAllocator:
    def __init__(self, cache: KVCache, reuse: bool = True):
        """reuse: whether prefixes of ended choices are kept."""
        self.cache = cache
        self.reuse = reuse
        self.active: list[Choice] = []
        self.prefixes: dict[int, CachedPrefix] = {}
        # Lower than the cache's row count while memory is short.
        self.limit = cache.max_rows
        self._clock = itertools.count()

    # -- rows -----------------------------------------------------------------------------------------------------

    def fits(self, tokens: int) -> bool:
        """Whether a text of so many tokens can ever have a row."""
        return tokens + 1 <= self.cache.max_width

    def _width_of_all(self, extra: int) -> int:
        """The smallest width that holds every active choice and one of `extra` tokens."""
        longest = max([extra, *(len(choice.all) + 1 for choice in self.active)])
        return self.cache.width_for(longest, min(256, self.cache.max_width))

    def can_admit(self, tokens: int, rows: int = 1) -> bool:
        """Whether `rows` rows for texts of so many tokens are free now, without preempting active choices."""
        count = len(self.active) + rows
        if count > self.limit or not self.fits(tokens):
            return False
        width = self.cache.width_for(min(tokens + MARGIN, self.cache.max_width))
        if self.cache.rows_at(width) >= count:
            return True
        return self.cache.rows_at(self._width_of_all(min(tokens + MARGIN, self.cache.max_width))) >= count

    def admit(self, choice: Choice, share: bool) -> None:
        """Gives a choice the next row, with the longest cached prefix copied into it. Call can_admit first."""
        need = min(len(choice.all) + MARGIN, self.cache.max_width)
        width = self.cache.width_for(need)
        if self.cache.rows_at(width) <= len(self.active):
            width = self._width_of_all(need)
        self._reshape(width)
        row = len(self.active)
        source, length = self._longest_prefix(choice) if share and self.reuse else (None, 0)
        if source != row:
            self._vacate(row, source)
            if source is not None:
                # Copied after _vacate, which never overwrites the source.
                self.cache.copy(source, row, length)
        else:
            del self.prefixes[row]
        choice.row = row
        choice.computed = length
        self.active.append(choice)

    def release(self, choice: Choice, keep: bool = True) -> None:
        """Takes a choice's row back; the last active choice moves into the gap."""
        row, last = choice.row, len(self.active) - 1
        moved = self.active[last]
        tokens = choice.all[: choice.computed]
        if keep and self.reuse and tokens:
            if row != last:
                self.cache.swap(row, last, max(choice.computed, moved.computed))
            self._drop_contained_prefixes(choice.prefix_key, tokens)
            self.prefixes[last] = CachedPrefix(choice.prefix_key, numpy.array(tokens), next(self._clock))
        elif row != last:
            self.cache.copy(last, row, moved.computed)
        self.active[row] = moved
        moved.row = row
        self.active.pop()
        choice.row = -1

    def grow(self, width: int) -> bool:
        """Widens all rows to at least `width` tokens; false if that needs fewer active choices."""
        target = self.cache.width_for(width)
        if self.cache.rows_at(target) < len(self.active):
            return False
        self._reshape(target)
        return True

    def drop_prefixes(self, adapter: object = None, everything: bool = False) -> None:
        """Drops the cached prefixes of an adapter, or all."""
        self.prefixes = {
            row: prefix for row, prefix in self.prefixes.items() if not everything and prefix.key[0] is not adapter
        }

    @property
    def free_tokens(self) -> int:
        """Tokens of the cache that active choices don't use."""
        return self.cache.budget - sum(len(choice.all) for choice in self.active)

    # -- prefixes -------------------------------------------------------------------------------------------------

    def _longest_prefix(self, choice: Choice) -> tuple[int | None, int]:
        """The row with the longest common prefix, and its length in tokens. The last token is always computed again,
        since its logits are needed."""
        key = choice.prefix_key
        wanted = numpy.array(choice.all[:-1])
        best: tuple[int | None, int] = (None, 0)
        for row, prefix in self.prefixes.items():
            if prefix.key == key:
                length = common_prefix_length(wanted, prefix.tokens)
                if length > best[1]:
                    best = (row, length)
                    prefix.used = next(self._clock)
        for other in self.active:
            if not other.parked and other.prefix_key == key and other.computed > best[1]:
                length = common_prefix_length(wanted, numpy.array(other.all[: other.computed]))
                if length > best[1]:
                    best = (other.row, length)
        return best

    def _drop_contained_prefixes(self, key: tuple, tokens: list[int]) -> None:
        """Drops cached prefixes that `tokens` contain."""
        array = numpy.array(tokens)
        for row, prefix in list(self.prefixes.items()):
            length = len(prefix.tokens)
            if prefix.key == key and length <= len(array) and common_prefix_length(array, prefix.tokens) == length:
                del self.prefixes[row]

    def _vacate(self, row: int, source: int | None) -> None:
        """Frees `row`: its prefix moves to a free row, or replaces the least recently used one."""
        if row not in self.prefixes:
            return
        for free in range(row + 1, self.cache.rows):
            if free not in self.prefixes:
                break
        else:
            free = min((r for r in self.prefixes if r != source), key=lambda r: self.prefixes[r].used)
        moved = self.prefixes.pop(row)
        if free != row:
            self.cache.copy(row, free, len(moved.tokens))
            self.prefixes[free] = moved

    def _reshape(self, width: int) -> None:
        if width == self.cache.width:
            return
        rows = self.cache.rows_at(width)
        for row, prefix in list(self.prefixes.items()):
            if row >= rows:
                del self.prefixes[row]
            else:
                prefix.tokens = prefix.tokens[:width]
        held = max([len(self.active) - 1, *self.prefixes], default=-1) + 1
        self.cache.reshape(width, held)


def common_prefix_length(one: numpy.ndarray, other: numpy.ndarray) -> int:
    """Tokens that two texts share at their beginning."""
    length = min(len(one), len(other))
    differ = one[:length] != other[:length]
    at = int(differ.argmax()) if length else 0
    return at if length and differ[at] else length
