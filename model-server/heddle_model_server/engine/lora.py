"""LoRA adapters over a model's linear layers, several in one batch. Every adapter has columns of its own in each layer;
a row of the batch sees its adapter's columns, by a mask, and nobody else's. Knows nothing of files or requests."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(slots=True, eq=False)
class Adapter:
    """One loaded adapter: columns [start, end) of every layer it changes. Identity is what counts."""

    name: str
    rank: int
    scaling: float
    start: int
    end: int
    bytes: int
    layers: list["LoraLinear"] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class LoraWeights:
    """Of one layer: a [rank, in], b [out, rank], to be multiplied by scaling."""

    a: torch.Tensor
    b: torch.Tensor
    scaling: float


class Selection:
    """Which columns each row of the present batch sees; None: the base model alone. Shared by all layers of a model."""

    def __init__(self) -> None:
        self.mask: torch.Tensor | None = None
        # The adapters in the batch with the rows of each, for batches where masking would waste too much.
        self.groups: list[tuple[Adapter, torch.Tensor]] | None = None


class LoraLinear(nn.Module):
    """A linear layer whose weight lies on top of all adapters' A matrices, so that one product gives both."""

    def __init__(self, base: nn.Linear, columns: int, selection: Selection):
        super().__init__()
        self.in_features = base.in_features
        self.out_features = base.out_features
        self.selection = selection
        self.columns = columns
        # Columns in use are below this; 0: no adapter changes this layer.
        self.high = 0
        self._base = base.weight
        self._stack: torch.Tensor | None = None
        self._b: torch.Tensor | None = None
        self.bias = base.bias

    @property
    def weight(self) -> torch.Tensor:
        return self._base

    def _grow(self) -> None:
        """Room for adapters, made when the first one changes this layer. A tied weight stays shared: it is copied."""
        stack = self._base.new_zeros(self.out_features + self.columns, self.in_features)
        stack[: self.out_features] = self._base
        self._stack = stack
        if not getattr(self._base, "heddle_shared", False):
            self._base = nn.Parameter(stack[: self.out_features], requires_grad=False)
        self._b = stack.new_zeros(self.columns, self.out_features)

    def put(self, adapter: Adapter, weights: LoraWeights) -> None:
        if self._stack is None:
            self._grow()
        end = adapter.start + weights.a.shape[0]
        self._stack[self.out_features + adapter.start : self.out_features + end] = weights.a.to(self._stack)
        self._b[adapter.start : end] = (weights.b.float() * weights.scaling).T.to(self._b)
        self.high = max(self.high, adapter.end)

    def drop(self, adapter: Adapter, high: int) -> None:
        """high: the end of the last column that is still in use here."""
        self._stack[self.out_features + adapter.start : self.out_features + adapter.end] = 0
        self._b[adapter.start : adapter.end] = 0
        self.high = high

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mask = self.selection.mask
        high = self.high
        if mask is None or high == 0:
            return F.linear(x, self._base, self.bias)
        if self.selection.groups is not None:
            return self._by_groups(x)
        out = self.out_features
        both = F.linear(x, self._stack[: out + high])
        seen = both[..., out:] * (mask[:, :high] if x.dim() == 2 else mask[:, None, :high])
        y = both[..., :out].flatten(0, -2)
        y = torch.addmm(y, seen.flatten(0, -2), self._b[:high])
        if self.bias is not None:
            y += self.bias
        return y.view(*x.shape[:-1], out)

    def _by_groups(self, x: torch.Tensor) -> torch.Tensor:
        y = F.linear(x, self._base, self.bias)
        out = self.out_features
        for adapter, rows in self.selection.groups:
            if adapter.end > self.high:
                continue
            a = self._stack[out + adapter.start : out + adapter.end]
            y[rows] += F.linear(F.linear(x[rows], a), self._b[adapter.start : adapter.end].T)
        return y


class LoraPool:
    """The columns of a model's adapters.

    columns: of all adapters together, in every layer. masked_columns: above so many in use, rows are grouped by adapter
    instead of masked: masking multiplies every row with every adapter's A.
    """

    def __init__(self, model: nn.Module, columns: int, masked_columns: int = 512):
        self.columns = columns
        self.masked_columns = masked_columns
        self.selection = Selection()
        self.adapters: list[Adapter] = []
        self.layers: dict[str, LoraLinear] = {}
        self._last: tuple | None = None
        if columns:
            self._wrap(model)

    def _wrap(self, model: nn.Module) -> None:
        owners: dict[int, int] = {}
        for module in model.modules():
            for parameter in module.parameters(recurse=False):
                owners[id(parameter)] = owners.get(id(parameter), 0) + 1
        for path, module in list(model.named_modules()):
            if type(module) is nn.Linear:
                if owners[id(module.weight)] > 1:
                    module.weight.heddle_shared = True
                parent, _, name = path.rpartition(".")
                layer = LoraLinear(module, self.columns, self.selection)
                setattr(model.get_submodule(parent) if parent else model, name, layer)
                self.layers[path] = layer

    def room_for(self, rank: int) -> int | None:
        """Where `rank` columns in a row are free; None: nowhere."""
        start = 0
        for adapter in sorted(self.adapters, key=lambda a: a.start):
            if adapter.start - start >= rank:
                return start
            start = adapter.end
        return start if self.columns - start >= rank else None

    def add(self, name: str, weights: dict[str, LoraWeights]) -> Adapter | None:
        """weights: by the path of a layer in `layers`. None: no room; the caller drops another adapter first."""
        rank = max(w.a.shape[0] for w in weights.values())
        start = self.room_for(rank)
        if start is None:
            return None
        scaling = next(iter(weights.values())).scaling
        size = sum(w.a.numel() + w.b.numel() for w in weights.values()) * self._itemsize()
        adapter = Adapter(name, rank, scaling, start, start + rank, size)
        for path, layer_weights in weights.items():
            layer = self.layers[path]
            layer.put(adapter, layer_weights)
            adapter.layers.append(layer)
        self.adapters.append(adapter)
        self._last = None
        return adapter

    def remove(self, adapter: Adapter) -> None:
        self.adapters.remove(adapter)
        for layer in adapter.layers:
            layer.drop(adapter, max((a.end for a in self.adapters if layer in a.layers), default=0))
        self._last = None

    def _itemsize(self) -> int:
        return next(iter(self.layers.values())).weight.element_size() if self.layers else 4

    def select(self, rows: list[Adapter | None], device: torch.device) -> None:
        """The adapters of the rows of the next forward pass, one a row; None: the base model."""
        key = tuple(id(adapter) for adapter in rows)
        if key == self._last:
            return
        self._last = key
        selection = self.selection
        selection.mask = selection.groups = None
        present = {id(adapter): adapter for adapter in rows if adapter is not None}
        if not present:
            return
        high = max(a.end for a in self.adapters)
        mask = torch.zeros(len(rows), high)
        for row, adapter in enumerate(rows):
            if adapter is not None:
                mask[row, adapter.start : adapter.end] = 1
        weight = next(iter(self.layers.values())).weight
        selection.mask = mask.to(device=device, dtype=weight.dtype)
        if high > self.masked_columns:
            selection.groups = [
                (adapter, torch.tensor([i for i, a in enumerate(rows) if a is adapter], device=device))
                for adapter in present.values()
            ]
