"""Keys and values of every token in one arena, cut into rows: one row a choice. The arena never grows; rows are wider or
more by turns. Knows nothing of requests, prefixes or who may have a row."""

from __future__ import annotations

import torch


class KVCache:
    """rows × width ≤ budget, always. Width doubles when a longer text comes, and what rows hold moves along.

    Zeroed at birth: what lies beyond a row's length is masked, but a NaN there would not stay masked.
    """

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
        """Another budget; what rows held is lost. 0: no rows, and no memory; so it is, too, where this raises because the
        memory can't be had."""
        self.budget = self.max_width = 0
        dtype, device = self._arena.dtype, self._arena.device
        # The old one goes before the new one comes.
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
        return self._arena.numel() * self._arena.element_size()

    @staticmethod
    def bytes_per_token(layers: int, heads: int, head_dim: int, dtype: torch.dtype) -> int:
        return layers * 2 * heads * head_dim * dtype.itemsize

    def rows_at(self, width: int) -> int:
        return min(self.max_rows, self.budget // width)

    def width_for(self, tokens: int, width: int = 0) -> int:
        """The width a row of so many tokens needs, doubling from `width`; 0: from the present one. Raises RuntimeError
        where there are no rows."""
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
        """Another width; the first `held` rows keep what they hold (as far as it fits), the others lose it."""
        if width == self.width:
            return
        old = self.all
        keep = min(self.width, width)
        self._shape(width)
        if rows_kept > self.rows:
            raise ValueError("more rows are held than the new width leaves")
        for layer in range(old.shape[0]):
            saved = old[layer, :rows_kept, :, :keep].clone()
            # What lay elsewhere in the arena stays behind the lengths of rows: finite numbers, masked.
            self.all[layer, :rows_kept, :, :keep] = saved

    def copy(self, source: int, target: int, tokens: int) -> None:
        """The first tokens of a row into another one."""
        if source != target and tokens > 0:
            self.all[:, target, :, :tokens] = self.all[:, source, :, :tokens]

    def swap(self, one: int, other: int, tokens: int) -> None:
        if one != other and tokens > 0:
            saved = self.all[:, one, :, :tokens].clone()
            self.all[:, one, :, :tokens] = self.all[:, other, :, :tokens]
            self.all[:, other, :, :tokens] = saved

    def clear(self, row: int) -> None:
        """Zeroes a row, for one that may hold what is not finite."""
        self.all[:, row] = 0
