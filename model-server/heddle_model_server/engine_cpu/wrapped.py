"""Runs a transformers model by its own code, for architectures that llama_like.py doesn't support: replaces its
attention function and cache, and wraps its linear layers for adapters. Knows nothing of requests."""

from __future__ import annotations

import torch
from torch import nn

from .forward import ATTENTION, ForwardPass
from .lora import LoraGroup, LoraLayer, Selection


class WrappedModel:
    def __init__(self, model: nn.Module, columns: int, selection: Selection):
        """columns: LoRA ranks of all adapters together; 0: no adapters."""
        self._model = model
        model.set_attn_implementation(ATTENTION)
        self.layers = wrap_linears(model, columns, selection) if columns else {}

    def __call__(self, ids: torch.Tensor, current: ForwardPass, all_positions: bool) -> torch.Tensor:
        """ids: [rows, tokens]. Returns logits after each row's last token, [rows, 1, vocabulary], or after every
        token, [rows, tokens, vocabulary]."""
        return self._model(
            input_ids=ids,
            position_ids=current.positions,
            past_key_values=current,
            use_cache=True,
            logits_to_keep=0 if all_positions else 1,
            rows_pass=current,
        ).logits


class LoraLinear(nn.Module):
    """A LoRA group of one layer, replacing a linear layer of the model."""

    def __init__(self, linear: nn.Linear, columns: int, selection: Selection):
        super().__init__()
        self.linear = linear
        self.group = LoraGroup([linear], columns, selection)

    @property
    def weight(self) -> torch.Tensor:
        """The layer's weight, [out, in]."""
        return self.linear.weight

    @property
    def bias(self) -> torch.Tensor | None:
        """The layer's bias, [out]."""
        return self.linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: [rows, tokens, in] or [rows, in]."""
        return self.group(x) if x.dim() == 3 else self.group(x[:, None])[:, 0]


def wrap_linears(model: nn.Module, columns: int, selection: Selection) -> dict[str, LoraLayer]:
    """Replaces every linear layer; returns the LoRA layers by path."""
    mark_tied(model)
    layers: dict[str, LoraLayer] = {}
    for path, module in list(model.named_modules()):
        if type(module) is nn.Linear:
            parent, _, name = path.rpartition(".")
            layer = LoraLinear(module, columns, selection)
            setattr(model.get_submodule(parent) if parent else model, name, layer)
            layers[path] = layer.group.layers()[0]
    return layers


def mark_tied(model: nn.Module) -> None:
    """Marks linear layers whose weight another module shares: such a weight can't be moved."""
    owners: dict[int, int] = {}
    for module in model.modules():
        for parameter in module.parameters(recurse=False):
            owners[id(parameter)] = owners.get(id(parameter), 0) + 1
    for module in model.modules():
        if type(module) is nn.Linear and owners[id(module.weight)] > 1:
            module.heddle_tied = True
