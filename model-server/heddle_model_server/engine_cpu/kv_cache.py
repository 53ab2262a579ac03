"""The key-value cache: one arena of fixed size, divided into rows of equal width, one row per choice. Knows nothing
of requests, prefixes or who uses a row."""

from __future__ import annotations

import torch


class KVCache:
    """Always rows × width ≤ budget. The width doubles when a text outgrows it; rows keep their content.

    Memory starts zeroed: positions beyond a row's length are masked, but a mask doesn't hide a NaN."""

    def __init__(
        self,
        layers: int,
        heads: int,
        head_dim: int,
        budget: int,
        max_rows: int,
        max_width: int,
        dtype: torch.dtype,
        device: torch.device,
        width: int = 256,
    ):
        self.max_rows = max_rows
        self._layers = layers
        self._heads = heads
        self._head_dim = head_dim
        self._longest = max_width
        self._first_width = width
        self._arena = torch.empty(0, dtype=dtype, device=device)
        self.reallocate(budget)

    def reallocate(self, budget: int) -> None:
        """Allocates a new budget (tokens); all content is lost. 0: no rows and no memory, which is also the state
        after this raises because memory is short."""
        self.budget = self.max_width = 0
        dtype, device = self._arena.dtype, self._arena.device
        # The old arena is freed before the new one is allocated.
        self.all = self._arena = torch.empty(0, dtype=dtype, device=device)
        self.layers = []
        self.width = self.rows = 0
        if budget:
            size = budget * self._heads * self._head_dim
            self._arena = torch.zeros(self._layers * 2, size, dtype=dtype, device=device)
            self.budget = budget
            self.max_width = min(self._longest, budget)
            self._shape(min(self._first_width, self.max_width))

    @property
    def bytes_used(self) -> int:
        """Bytes of the arena."""
        return self._arena.numel() * self._arena.element_size()

    @staticmethod
    def bytes_per_token(layers: int, heads: int, head_dim: int, dtype: torch.dtype) -> int:
        """Bytes of one token's keys and values in all layers."""
        return layers * 2 * heads * head_dim * dtype.itemsize

    def rows_at(self, width: int) -> int:
        """How many rows there would be at this width."""
        return min(self.max_rows, self.budget // width)

    def width_for(self, tokens: int, width: int = 0) -> int:
        """The row width for so many tokens, doubling from `width`; 0: from the current width. Raises RuntimeError if
        the cache has no rows."""
        width = width or self.width
        if width < 1:
            raise RuntimeError("the cache has no rows")
        while width < tokens:
            width *= 2
        return min(width, self.max_width)

    def _shape(self, width: int) -> None:
        self.width = width
        self.rows = self.rows_at(width)
        used = self.rows * width * self._heads * self._head_dim
        # [layer · 2 + (0: keys, 1: values), row, head, position, dimension]
        self.all = self._arena[:, :used].view(-1, self.rows, self._heads, width, self._head_dim)
        self.layers = [(self.all[i], self.all[i + 1]) for i in range(0, self.all.shape[0], 2)]

    def reshape(self, width: int, rows_kept: int) -> None:
        """Changes the width. The first `rows_kept` rows keep their content as far as it fits; the others lose it."""
        if width == self.width:
            return
        old = self.all
        keep = min(self.width, width)
        self._shape(width)
        if rows_kept > self.rows:
            raise ValueError("more rows are held than the new width leaves")
        for layer in range(old.shape[0]):
            saved = old[layer, :rows_kept, :, :keep].clone()
            # Old content stays beyond the rows' lengths: finite numbers, masked.
            self.all[layer, :rows_kept, :, :keep] = saved

    def copy(self, source: int, target: int, tokens: int) -> None:
        """Copies the first tokens of a row to another row."""
        if source != target and tokens > 0:
            self.all[:, target, :, :tokens] = self.all[:, source, :, :tokens]

    def swap(self, one: int, other: int, tokens: int) -> None:
        """Swaps the first tokens of two rows."""
        if one != other and tokens > 0:
            saved = self.all[:, one, :, :tokens].clone()
            self.all[:, one, :, :tokens] = self.all[:, other, :, :tokens]
            self.all[:, other, :, :tokens] = saved

    def clear(self, row: int) -> None:
        """Zeroes a row that may contain NaN or infinity."""
        self.all[:, row] = 0
