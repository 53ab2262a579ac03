"""The adapters of a model: which columns each has, and which adapter each row of a batch uses. Knows nothing of
files or requests."""

from __future__ import annotations

import torch

from .lora import Adapter, LoraLayer, LoraWeights, Selection


class LoraPool:
    """Allocates the LoRA columns of a model.

    layers: by the path that adapters use. columns: of all adapters together, in every layer. masked_columns: with
    more columns in use rows are grouped by adapter, since masking multiplies every row with every adapter's A."""

    def __init__(self, layers: dict[str, LoraLayer], selection: Selection, columns: int, masked_columns: int = 512):
        self.columns = columns
        self.masked_columns = masked_columns
        self.selection = selection
        self.adapters: list[Adapter] = []
        self.layers = layers
        self._last: tuple | None = None

    def free_start(self, rank: int) -> int | None:
        """The start of `rank` free adjacent columns; None if there are none."""
        start = 0
        for adapter in sorted(self.adapters, key=lambda a: a.start):
            if adapter.start - start >= rank:
                return start
            start = adapter.end
        return start if self.columns - start >= rank else None

    def add(self, name: str, weights: dict[str, LoraWeights]) -> Adapter | None:
        """weights: by layer path. None: no free columns; drop another adapter first. If this raises, nothing was
        added."""
        rank = max(w.a.shape[0] for w in weights.values())
        start = self.free_start(rank)
        if start is None:
            return None
        scaling = next(iter(weights.values())).scaling
        size = sum(w.a.numel() + w.b.numel() for w in weights.values()) * self._itemsize()
        adapter = Adapter(name, rank, scaling, start, start + rank, size)
        try:
            for path, layer_weights in weights.items():
                layer = self.layers[path]
                # Listed first, so that a partial write is cleared too.
                adapter.layers.append(layer)
                layer.put(adapter, layer_weights)
        except BaseException:
            self._clear(adapter)
            raise
        self.adapters.append(adapter)
        self._last = None
        return adapter

    def remove(self, adapter: Adapter) -> None:
        """Removes an adapter and frees its columns."""
        self.adapters.remove(adapter)
        self._clear(adapter)

    def _clear(self, adapter: Adapter) -> None:
        """Zeroes its columns: the next adapter there may change fewer layers."""
        for layer in adapter.layers:
            layer.drop(adapter, max((a.end for a in self.adapters if layer in a.layers), default=0))
        self._last = None

    def _itemsize(self) -> int:
        return next(iter(self.layers.values())).group.weight.element_size()

    def select(self, rows: list[Adapter | None], device: torch.device) -> None:
        """Sets the adapter of each row of the next pass; None: the base model."""
        key = tuple(id(adapter) for adapter in rows)
        if key == self._last:
            return
        self._last = key
        selection = self.selection
        selection.set(None, None)
        present = {id(adapter): adapter for adapter in rows if adapter is not None}
        if not present:
            return
        high = max(a.end for a in self.adapters)
        mask = torch.zeros(len(rows), high)
        for row, adapter in enumerate(rows):
            if adapter is not None:
                mask[row, adapter.start : adapter.end] = 1
        groups = None
        if high > self.masked_columns:
            groups = [
                (adapter, torch.tensor([i for i, a in enumerate(rows) if a is adapter], device=device))
                for adapter in present.values()
            ]
        weight = next(iter(self.layers.values())).group.weight
        selection.set(mask.to(device=device, dtype=weight.dtype), groups)
