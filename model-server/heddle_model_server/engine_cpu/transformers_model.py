"""Runs a transformers model by its own code, for architectures that llama_like.py doesn't support: replaces its
attention function and cache, and wraps its linear layers for adapters. Knows nothing of requests."""

from __future__ import annotations

import torch
from torch import nn

from ..model import LoadedModel
from .forward import ATTENTION, ForwardPass
from .lora import Lora, LoraGroup


class TransformersModel:
    def __init__(self, loaded: LoadedModel, lora: Lora):
        self._model = model = loaded.model
        model.set_attn_implementation(ATTENTION)
        for path, module in list(model.named_modules()):
            if type(module) is nn.Linear:
                parent, _, name = path.rpartition(".")
                setattr(model.get_submodule(parent), name, LoraLinear(module, lora.group({path: module})))

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

    def __init__(self, linear: nn.Linear, group: LoraGroup):
        super().__init__()
        # Models read these of their layers.
        self.weight, self.bias = linear.weight, linear.bias
        self.group = group

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: [rows, tokens, in] or [rows, in]."""
        return self.group(x) if x.dim() == 3 else self.group(x[:, None])[:, 0]
