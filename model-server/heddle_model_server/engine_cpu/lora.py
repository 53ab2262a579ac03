"""LoRA adapters on a model's linear layers, several in one batch: each layer has a table of all adapters' A and B, and a pass
gathers those of its rows. LoRA: Hu et al., arXiv:2106.09685."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from ..artifacts.peft_files import LoraWeights
from ..engine import LoadedAdapter


class LoraLinear(nn.Module):
    """A linear layer with its adapters, in the layer's place."""

    def __init__(self, linear: nn.Linear, lora: Lora):
        super().__init__()
        # Models read these of their layers.
        self.weight, self.bias = linear.weight, linear.bias
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self._lora = lora
        # [slot, in, rank] and [slot, rank, out]; None: no adapter changes the layer.
        self._a: torch.Tensor | None = None
        self._b: torch.Tensor | None = None
        # What the present selection needs of them.
        self._gathered: tuple[torch.Tensor, torch.Tensor] | None = None
        self._selection = -1

    def put(self, slot: int, weights: LoraWeights) -> None:
        """Writes an adapter's weights."""
        if self._a is None:
            slots, rank = self._lora.slots, self._lora.max_rank
            self._a = self.weight.new_zeros(slots, self.in_features, rank)
            self._b = self.weight.new_zeros(slots, rank, self.out_features)
        rank = weights.a.shape[0]
        self._a[slot, :, :rank] = weights.a.T
        self._b[slot, :rank] = weights.b.float().T * weights.scaling

    def drop(self, slot: int) -> None:
        """Forgets an adapter's weights."""
        if self._a is not None:
            self._a[slot] = 0
            self._b[slot] = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: [rows, tokens, in] or [rows · tokens, in]."""
        y = F.linear(x, self.weight, self.bias)
        lora = self._lora
        if self._a is None or lora.rows is None:
            return y
        if self._selection != lora.selection:
            self._selection = lora.selection
            self._gathered = (self._a[lora.rows, :, : lora.rank], self._b[lora.rows, : lora.rank])
        a, b = self._gathered
        by_row = lambda one, width: one.reshape(len(lora.rows), -1, width)
        return torch.baddbmm(by_row(y, self.out_features), by_row(x, self.in_features) @ a, b).view_as(y)


class Lora:
    """The adapters of a model, and which of them each row of the next pass uses."""

    def __init__(self, model: nn.Module, max_adapters: int, max_rank: int):
        """Replaces the model's linear layers."""
        self.slots = max_adapters + 1
        self.max_rank = max_rank
        # Under the paths that adapters use.
        self._layers: dict[str, LoraLinear] = {}
        for path, module in list(model.named_modules()):
            if type(module) is nn.Linear:
                self._layers[path] = LoraLinear(module, self)
                model.set_submodule(path, self._layers[path])
        self._free = list(range(max_adapters, 0, -1))
        # The slot of each row, and the highest rank among them; None: the base model alone.
        self.rows: torch.Tensor | None = None
        self.rank = 0
        # Counts the changes of `rows`.
        self.selection = 0
        self._selected: list[LoadedAdapter | None] = []

    def shapes(self) -> dict[str, tuple[int, int]]:
        """(in, out) of each layer, by path."""
        return {path: (layer.in_features, layer.out_features) for path, layer in self._layers.items()}

    def add(self, name: str, weights: dict[str, LoraWeights]) -> LoadedAdapter | None:
        """weights: by layer path. Its number is its slot, from 1 on; 0 is the base model. None: all are taken. Adds all or nothing."""
        if not self._free:
            return None
        every = list(weights.values())
        size = sum(one.a.nbytes + one.b.nbytes for one in every)
        adapter = LoadedAdapter(name, self._free.pop(), max(one.a.shape[0] for one in every), every[0].scaling, size)
        try:
            for path, made in weights.items():
                self._layers[path].put(adapter.number, made)
        except BaseException:
            self.remove(adapter)
            raise
        return adapter

    def remove(self, adapter: LoadedAdapter) -> None:
        """Forgets an adapter that no row uses any more."""
        for layer in self._layers.values():
            layer.drop(adapter.number)
        self._free.append(adapter.number)
        self._selected, self.rows = [], None

    def select(self, rows: list[LoadedAdapter | None]) -> None:
        """Sets the adapter of each row of the next pass; None: the base model."""
        if rows == self._selected:
            return
        self._selected = rows
        self.selection += 1
        self.rank = max((adapter.rank for adapter in rows if adapter), default=0)
        self.rows = torch.tensor([adapter.number if adapter else 0 for adapter in rows]) if self.rank else None
