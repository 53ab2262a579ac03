"""LoRA adapters on linear layers, several in one batch. Layers with the same input form a group: the weights and all
adapters' A matrices are stacked, so that one product computes both. A mask leaves each batch row its own adapter's
columns, and one more product per layer applies B. Knows nothing of files or requests.

LoRA: Hu et al., arXiv:2106.09685. Batching over adapters: compare S-LoRA, arXiv:2311.03285."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(slots=True, eq=False)
class Adapter:
    """A loaded adapter: columns [start, end) of every layer it changes. Compared by identity. bytes: of its weights."""

    name: str
    rank: int
    scaling: float
    start: int
    end: int
    bytes: int
    layers: list[LoraLayer] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class LoraWeights:
    """Of one layer: y += scaling · b a x. a: [rank, in]; b: [out, rank]."""

    a: torch.Tensor
    b: torch.Tensor
    scaling: float


class Selection:
    """Which columns each row of the current batch uses; None: the base model alone. Shared by all layers of a model."""

    def __init__(self) -> None:
        self.mask: torch.Tensor | None = None
        # Each adapter in the batch with its rows, for batches where masking would cost too much.
        self.groups: list[tuple[Adapter, torch.Tensor]] | None = None
        self._wide: dict[tuple[int, int, int], torch.Tensor] = {}

    def set(self, mask: torch.Tensor | None, groups: list[tuple[Adapter, torch.Tensor]] | None) -> None:
        """mask: [rows, columns], 1 where a row uses a column. groups: adapters with their row indices, if rows are
        grouped."""
        self.mask, self.groups = mask, groups
        self._wide.clear()

    def mask_of(self, tokens: int, columns: int, layers: int) -> torch.Tensor:
        """The mask for a flattened batch, [rows · tokens, columns · layers]."""
        key = (tokens, columns, layers)
        wide = self._wide.get(key)
        if wide is None:
            wide = self.mask[:, :columns].repeat_interleave(tokens, dim=0).repeat(1, layers)
            self._wide[key] = wide
        return wide


class LoraGroup:
    """Linear layers with the same input, as one product; the outputs are concatenated."""

    def __init__(self, linears: list[nn.Linear], columns: int, selection: Selection):
        """columns: LoRA ranks of all adapters together. The layers' weights become views of the group's, except a
        tied weight."""
        self.selection = selection
        self.columns = columns
        self.in_features = linears[0].in_features
        self.sizes = [linear.out_features for linear in linears]
        self.out_features = sum(self.sizes)
        self.offsets = [sum(self.sizes[:i]) for i in range(len(self.sizes))]
        self._linears = linears
        self.bias = None
        if any(linear.bias is not None for linear in linears):
            self.bias = torch.cat(
                [
                    linear.weight.new_zeros(linear.out_features) if linear.bias is None else linear.bias
                    for linear in linears
                ]
            )
        # The end of the columns in use, per layer and for the group; 0: no adapter changes it.
        self.highs = [0] * len(linears)
        self.high = 0
        self._a: torch.Tensor | None = None
        self._b: list[torch.Tensor] = []
        self._stack: torch.Tensor | None = None
        if len(linears) == 1:
            self.weight = linears[0].weight.data
        else:
            self.weight = torch.cat([linear.weight.data for linear in linears])
            self._share()

    def _share(self) -> None:
        for linear, offset, size in zip(self._linears, self.offsets, self.sizes):
            linear.weight = nn.Parameter(self.weight[offset : offset + size], requires_grad=False)

    def layers(self) -> list[LoraLayer]:
        """The group's layers, in order."""
        return [LoraLayer(self, i) for i in range(len(self.sizes))]

    def put(self, part: int, adapter: Adapter, weights: LoraWeights) -> None:
        """Writes an adapter's weights for layer `part`."""
        if self._a is None:
            self._grow()
        end = adapter.start + weights.a.shape[0]
        self._a[part, adapter.start : end] = weights.a.to(self._a)
        self._b[part][adapter.start : end] = (weights.b.float() * weights.scaling).T.to(self._a)
        self.highs[part] = max(self.highs[part], adapter.end)
        self._arrange()

    def drop(self, part: int, adapter: Adapter, high: int) -> None:
        """Clears an adapter's weights in layer `part`. high: the end of the last column still in use. Allocates
        nothing, so that it works after a `put` that ran out of memory."""
        if self._a is None:
            return
        self._a[part, adapter.start : adapter.end] = 0
        self._b[part][adapter.start : adapter.end] = 0
        self.highs[part] = high
        self._arrange()

    def _grow(self) -> None:
        """Allocates space for adapters, when the first one changes a layer. A tied weight stays in place and is
        copied."""
        parts = len(self.sizes)
        a = self.weight.new_zeros(parts, self.columns, self.in_features)
        b = [self.weight.new_zeros(self.columns, size) for size in self.sizes]
        stack = self.weight.new_zeros(self.out_features + parts * self.columns, self.in_features)
        stack[: self.out_features] = self.weight
        # Assigned together, after every allocation succeeded.
        self._a, self._b, self._stack = a, b, stack
        if not getattr(self._linears[0], "heddle_tied", False):
            self.weight = self._stack[: self.out_features]
            self._share()

    def _arrange(self) -> None:
        """Moves the A matrices in use directly below the weights, one layer after another."""
        self.high = max(self.highs)
        for part in range(len(self.sizes)):
            begin = self.out_features + part * self.high
            self._stack[begin : begin + self.high] = self._a[part, : self.high]

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """x: [rows, tokens, in]. Returns [rows, tokens, sum of the layers' out]."""
        selection, high = self.selection, self.high
        if selection.mask is None or high == 0:
            return F.linear(x, self.weight, self.bias)
        if selection.groups is not None:
            return self._by_groups(x)
        rows, tokens, _ = x.shape
        out = self.out_features
        both = F.linear(x.reshape(rows * tokens, -1), self._stack[: out + len(self.sizes) * high])
        y = both[:, :out]
        seen = both[:, out:] * selection.mask_of(tokens, high, len(self.sizes))
        for part, used in enumerate(self.highs):
            if used:
                begin, size = self.offsets[part], self.sizes[part]
                y[:, begin : begin + size].addmm_(seen[:, part * high : part * high + used], self._b[part][:used])
        if self.bias is not None:
            y += self.bias
        return y.view(rows, tokens, out)

    def _by_groups(self, x: torch.Tensor) -> torch.Tensor:
        y = F.linear(x, self.weight, self.bias)
        for adapter, rows in self.selection.groups:
            columns = slice(adapter.start, adapter.end)
            for part, used in enumerate(self.highs):
                if used > adapter.start:
                    begin = self.offsets[part]
                    made = F.linear(F.linear(x[rows], self._a[part, columns]), self._b[part][columns].T)
                    y[rows, :, begin : begin + self.sizes[part]] += made
        return y


@dataclass(frozen=True, slots=True)
class LoraLayer:
    """One layer of a group, under the path that adapters use."""

    group: LoraGroup
    part: int

    @property
    def in_features(self) -> int:
        """Input width."""
        return self.group.in_features

    @property
    def out_features(self) -> int:
        """Output width."""
        return self.group.sizes[self.part]

    def put(self, adapter: Adapter, weights: LoraWeights) -> None:
        """Writes an adapter's weights."""
        self.group.put(self.part, adapter, weights)

    def drop(self, adapter: Adapter, high: int) -> None:
        """Clears an adapter's weights. high: the end of the last column still in use."""
        self.group.drop(self.part, adapter, high)
