"""LoRA adapters on linear layers, several in one batch: each layer has a table of all adapters' A and B, and a pass
gathers those of its rows. Knows nothing of files or requests. LoRA: Hu et al., arXiv:2106.09685."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from ..artifacts.peft_files import LoraWeights


@dataclass(slots=True, eq=False)
class Adapter:
    """A loaded adapter. slot: its place in the tables, from 1 on; 0 is the base model. bytes: of its weights."""

    name: str
    slot: int
    rank: int
    scaling: float
    bytes: int


class LoraGroup:
    """Linear layers with the same input, as one product; the outputs are concatenated."""

    def __init__(self, linears: list[nn.Linear], lora: Lora):
        self._lora = lora
        self.in_features = linears[0].in_features
        self.sizes = [linear.out_features for linear in linears]
        self.weight = linears[0].weight.data
        self.bias = None
        if len(linears) > 1:
            self.weight = torch.cat([linear.weight.data for linear in linears])
            for linear, part in zip(linears, self.weight.split(self.sizes)):
                linear.weight = nn.Parameter(part, requires_grad=False)
        if any(linear.bias is not None for linear in linears):
            zeros = self.weight.new_zeros
            self.bias = torch.cat([zeros(one.out_features) if one.bias is None else one.bias for one in linears])
        # [slot, layer, rank, in] and [slot, layer, rank, sum of the layers' out]; None: no adapter changes the group.
        self._a: torch.Tensor | None = None
        self._b: torch.Tensor | None = None
        # What the present selection needs of them, [row, layer · rank, in] and [row, layer · rank, out].
        self._gathered: tuple[torch.Tensor, torch.Tensor] | None = None
        self._selection = -1

    def put(self, part: int, slot: int, weights: LoraWeights) -> None:
        """Writes an adapter's weights for layer `part`."""
        parts, out = len(self.sizes), sum(self.sizes)
        if self._a is None:
            self._a = self.weight.new_zeros(self._lora.slots, parts, self._lora.max_rank, self.in_features)
            self._b = self.weight.new_zeros(self._lora.slots, parts, self._lora.max_rank, out)
        rank, begin = weights.a.shape[0], sum(self.sizes[:part])
        self._a[slot, part, :rank] = weights.a.to(self._a)
        scaled = (weights.b.float() * weights.scaling).T
        self._b[slot, part, :rank, begin : begin + self.sizes[part]] = scaled.to(self._b)

    def drop(self, slot: int) -> None:
        """Forgets an adapter's weights."""
        if self._a is not None:
            self._a[slot] = 0
            self._b[slot] = 0

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """x: [rows, tokens, in]. Returns [rows, tokens, sum of the layers' out]."""
        y = F.linear(x, self.weight, self.bias)
        lora = self._lora
        if self._a is None or lora.rows is None:
            return y
        if self._selection != lora.selection:
            self._selection = lora.selection
            self._gathered = (
                self._a[lora.rows, :, : lora.rank].flatten(1, 2).transpose(1, 2),
                self._b[lora.rows, :, : lora.rank].flatten(1, 2),
            )
        a, b = self._gathered
        return torch.baddbmm(y, torch.bmm(x, a), b)


class Lora:
    """The adapters of a model, and which of them each row of the next pass uses."""

    def __init__(self, max_adapters: int, max_rank: int):
        self.slots = max_adapters + 1
        self.max_rank = max_rank
        # A linear layer is a part of a group, under the path that adapters use.
        self.layers: dict[str, tuple[LoraGroup, int]] = {}
        self._free = list(range(max_adapters, 0, -1))
        # The slot of each row, and the highest rank among them; None: the base model alone.
        self.rows: torch.Tensor | None = None
        self.rank = 0
        # Counts the changes of `rows`.
        self.selection = 0
        self._selected: list[Adapter | None] = []

    def group(self, linears: dict[str, nn.Linear]) -> LoraGroup:
        """Joins linear layers with the same input, by path."""
        made = LoraGroup(list(linears.values()), self)
        self.layers.update({path: (made, part) for part, path in enumerate(linears)})
        return made

    def shapes(self) -> dict[str, tuple[int, int]]:
        """(in, out) of each layer, by path."""
        return {path: (group.in_features, group.sizes[part]) for path, (group, part) in self.layers.items()}

    def add(self, name: str, weights: dict[str, LoraWeights]) -> Adapter | None:
        """weights: by layer path. None: every slot is taken. If this raises, nothing was added."""
        if not self._free:
            return None
        slot = self._free.pop()
        try:
            for path, made in weights.items():
                group, part = self.layers[path]
                group.put(part, slot, made)
        except BaseException:
            self._clear(slot)
            raise
        every = list(weights.values())
        size = sum(one.a.nbytes + one.b.nbytes for one in every)
        return Adapter(name, slot, max(one.a.shape[0] for one in every), every[0].scaling, size)

    def remove(self, adapter: Adapter) -> None:
        """Forgets an adapter that no row uses any more."""
        self._clear(adapter.slot)

    def _clear(self, slot: int) -> None:
        for group, _ in self.layers.values():
            group.drop(slot)
        self._free.append(slot)
        self._selected, self.rows = [], None

    def select(self, rows: list[Adapter | None]) -> None:
        """Sets the adapter of each row of the next pass; None: the base model."""
        if rows == self._selected:
            return
        self._selected = rows
        self.selection += 1
        self.rank = max((adapter.rank for adapter in rows if adapter), default=0)
        self.rows = torch.tensor([adapter.slot if adapter else 0 for adapter in rows]) if self.rank else None
