"""The keys and values of what was computed: a row for each choice at work, and the beginnings of ended choices."""

from collections import OrderedDict

import numpy
import torch

from ..attention import common_prefix_length


class KVCache:
    """Rows of equal width, at most `budget` tokens together. Rows get wider and fewer as texts grow.

    Memory starts zeroed: a mask hides positions beyond a row's length, but not a NaN in them."""

    def __init__(
        self, layers: int, heads: int, head_dim: int, budget: int, max_rows: int, max_width: int, dtype: torch.dtype
    ):
        """budget, max_width: in tokens."""
        self.budget = budget
        self.max_width = min(max_width, budget)
        self._max_rows = max_rows
        # [layer · 2 + (0: keys, 1: values), row, head, position, dimension]
        self.all = torch.zeros(layers * 2, 0, heads, 0, head_dim, dtype=dtype)
        self.reshape(self.width_for(1), 0)

    @property
    def rows(self) -> int:
        """How many there are."""
        return self.all.shape[1]

    @property
    def width(self) -> int:
        """Of a row, in tokens."""
        return self.all.shape[3]

    def width_for(self, tokens: int) -> int:
        """The width of rows that hold so many tokens: a power of two, or the largest."""
        return min(max(256, 1 << (tokens - 1).bit_length()), self.max_width)

    def rows_at(self, width: int) -> int:
        """How many rows of this width the budget allows."""
        return min(self._max_rows, self.budget // width)

    def reshape(self, width: int, kept: int) -> None:
        """Changes the width. The first `kept` rows keep their content; it must fit."""
        if width == self.width:
            return
        layers, _, heads, _, head_dim = self.all.shape
        fresh = self.all.new_zeros(layers, self.rows_at(width), heads, width, head_dim)
        common = min(width, self.width)
        fresh[:, :kept, :, :common] = self.all[:, :kept, :, :common]
        self.all = fresh
        self.layers = list(zip(fresh[::2], fresh[1::2]))

    def free(self) -> None:
        """Gives the memory back; there are no rows until `reshape`."""
        self.all, self.layers = self.all[:, :0, :, :0].clone(), []

    def copy(self, sources: list[int], targets: list[int], tokens: int) -> None:
        """Copies the first tokens of some rows to others; a target may be a source."""
        if sources != targets:
            self.all[:, targets, :, :tokens] = self.all[:, sources, :, :tokens]

    def saved(self, row: int, tokens: int) -> torch.Tensor:
        """A copy of a row's first tokens, [layer · 2, head, token, dimension]."""
        return self.all[:, row, :, :tokens].clone()

    def restore(self, row: int, saved: torch.Tensor, tokens: int) -> None:
        """Writes the first tokens of what `saved` returned into a row."""
        self.all[:, row, :, :tokens] = saved[:, :, :tokens]

    def clear(self, row: int) -> None:
        """Zeroes a row that may contain NaN or infinity."""
        self.all[:, row] = 0


class PrefixCache:
    """Beginnings that other texts may share, the least recently used first. Keys tell who may share them."""

    def __init__(self, entries: int, tokens: int):
        """The most entries, and the most tokens of all together."""
        self._most = entries
        self._most_tokens = tokens
        self._entries: OrderedDict[int, tuple[object, numpy.ndarray, torch.Tensor]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, key: object, tokens: list[int], saved: torch.Tensor) -> None:
        """Keeps keys and values of a text, in place of those of its own beginnings."""
        array = numpy.array(tokens)
        for number, (other, known, _) in list(self._entries.items()):
            if other == key and common_prefix_length(array, known) == len(known):
                del self._entries[number]
        self._count += 1
        self._entries[self._count] = (key, array, saved)
        while len(self._entries) > self._most or sum(len(e[1]) for e in self._entries.values()) > self._most_tokens:
            self._entries.popitem(last=False)

    def longest(self, key: object, tokens: list[int]) -> tuple[torch.Tensor | None, int]:
        """What is kept of the longest common beginning, and its length in tokens."""
        wanted = numpy.array(tokens)
        best, length = 0, 0
        for number, (other, known, _) in self._entries.items():
            if other == key and (common := common_prefix_length(wanted, known)) > length:
                best, length = number, common
        if not length:
            return None, 0
        self._entries.move_to_end(best)
        return self._entries[best][2], length

    def clear(self) -> None:
        """Forgets everything."""
        self._entries.clear()

    def drop(self, key: object) -> None:
        """Forgets what is kept for the keys (key, …)."""
        for number, (other, _, _) in list(self._entries.items()):
            if other[0] is key:
                del self._entries[number]
