"""Runs a transformers model by its own code, for architectures that llama_like.py doesn't know: the model is given our
attention function and cache, and its linear layers learn of adapters."""

from __future__ import annotations

import torch
from torch import nn

from .forward import ATTENTION, ForwardPass
from .lora import LoraGroup, LoraLayer, Selection


class WrappedModel:
    def __init__(self, model: nn.Module, columns: int, selection: Selection):
        self._model = model
        model.set_attn_implementation(ATTENTION)
        self.layers = wrap_linears(model, columns, selection) if columns else {}

    def __call__(self, ids: torch.Tensor, current: ForwardPass, all_positions: bool) -> torch.Tensor:
        """Logits after the last token of each row [rows, 1, vocabulary], or after every one."""
        return self._model(
            input_ids=ids,
            position_ids=current.positions,
            past_key_values=current,
            use_cache=True,
            logits_to_keep=0 if all_positions else 1,
            rows_pass=current,
        ).logits


class LoraLinear(nn.Module):
    """A group of one, in the place of a linear layer of a model that runs its own code."""

    def __init__(self, linear: nn.Linear, columns: int, selection: Selection):
        super().__init__()
        self.linear = linear
        self.group = LoraGroup([linear], columns, selection)

    @property
    def weight(self) -> torch.Tensor:
        return self.linear.weight

    @property
    def bias(self) -> torch.Tensor | None:
        return self.linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.group(x) if x.dim() == 3 else self.group(x[:, None])[:, 0]


def wrap_linears(model: nn.Module, columns: int, selection: Selection) -> dict[str, LoraLayer]:
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
    """Linear layers whose weight is another module's, too: it can't move."""
    owners: dict[int, int] = {}
    for module in model.modules():
        for parameter in module.parameters(recurse=False):
            owners[id(parameter)] = owners.get(id(parameter), 0) + 1
    for module in model.modules():
        if type(module) is nn.Linear and owners[id(module.weight)] > 1:
            module.heddle_tied = True
