"""Which adapters a model has, where their columns are, and which of them each row of a batch sees. Knows nothing of files or
requests."""

from __future__ import annotations

import torch

from .lora import Adapter, LoraLayer, LoraWeights, Selection


class LoraPool:
    """The columns of a model's adapters.

    layers: by path, as adapters name them. columns: of all adapters together, in every layer. masked_columns: above so
    many in use, rows are grouped by adapter instead of masked: masking multiplies every row with every adapter's A.
    """

    def __init__(self, layers: dict[str, LoraLayer], selection: Selection, columns: int, masked_columns: int = 512):
        self.columns = columns
        self.masked_columns = masked_columns
        self.selection = selection
        self.adapters: list[Adapter] = []
        self.layers = layers
        self._last: tuple | None = None

    def free_start(self, rank: int) -> int | None:
        """Where `rank` columns in a row are free; None: nowhere."""
        start = 0
        for adapter in sorted(self.adapters, key=lambda a: a.start):
            if adapter.start - start >= rank:
                return start
            start = adapter.end
        return start if self.columns - start >= rank else None

    def add(self, name: str, weights: dict[str, LoraWeights]) -> Adapter | None:
        """weights: by the path of a layer in `layers`. None: no room; the caller drops another adapter first. Where this
        raises, it is as if nothing had been added."""
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
                # What it wrote before it failed is cleared, too.
                adapter.layers.append(layer)
                layer.put(adapter, layer_weights)
        except BaseException:
            self._clear(adapter)
            raise
        self.adapters.append(adapter)
        self._last = None
        return adapter

    def remove(self, adapter: Adapter) -> None:
        self.adapters.remove(adapter)
        self._clear(adapter)

    def _clear(self, adapter: Adapter) -> None:
        """Zeroes its columns, for the next adapter there may change fewer layers."""
        for layer in adapter.layers:
            layer.drop(adapter, max((a.end for a in self.adapters if layer in a.layers), default=0))
        self._last = None

    def _itemsize(self) -> int:
        return next(iter(self.layers.values())).group.weight.element_size()

    def select(self, rows: list[Adapter | None], device: torch.device) -> None:
        """The adapters of the rows of the next forward pass, one a row; None: the base model."""
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
