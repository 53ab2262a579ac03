"""Chooses the code that runs a model: llama_like.py, or transformers' own with this engine's attention, cache and adapters.
Verifies that its logits over cached rows match the model's own. Knows nothing of requests."""

from __future__ import annotations

import logging

import torch
from torch import nn

from ..model import LoadedModel
from .forward import ATTENTION, forward, ForwardPass, RunModel
from .kv_cache import KVCache
from .llama_like import LlamaLike
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

log = logging.getLogger(__name__)

PROBE_TOKENS = 12


@torch.inference_mode()
def runner_for(loaded: LoadedModel, max_adapters: int, max_rank: int) -> tuple[RunModel, Lora]:
    """The function that runs the model, and its adapters. Raises ValueError for an architecture that can't be
    served."""
    vocabulary = min(loaded.vocabulary, loaded.model.get_input_embeddings().weight.shape[0])
    ids = torch.randint(0, vocabulary, (PROBE_TOKENS,), generator=torch.Generator().manual_seed(1)).tolist()
    plain = loaded.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float()
    problem = ""
    for kind in (LlamaLike, TransformersModel) if LlamaLike.knows(loaded.model) else (TransformersModel,):
        lora = Lora(max_adapters, max_rank)
        run = kind(loaded, lora)
        problem = logits_mismatch(loaded, run, ids, plain)
        if not problem:
            return run, lora
        log.warning("%s can't be run by %s: %s", loaded.name, kind.__name__, problem)
    raise ValueError(f"{loaded.name} has an architecture that this engine can't serve: {problem}.")


def logits_mismatch(loaded: LoadedModel, run: RunModel, ids: list[int], plain: torch.Tensor) -> str:
    """What is wrong with the logits of passes over rows; empty: nothing. ids: PROBE_TOKENS tokens. plain: the model's
    own logits for them, [tokens, vocabulary]."""
    cache = KVCache(loaded.layers, loaded.kv_heads, loaded.head_dim, 64, 2, 32, loaded.dtype)
    try:
        forward(run, cache, [0, 1], [ids[:9], ids[:5]], [0, 0])
        forward(run, cache, [1], [ids[5:10]], [5])
        ours = [
            forward(run, cache, [0, 1], [[ids[9]], [ids[10]]], [9, 10]),
            forward(run, cache, [0, 1], [[ids[10]], [ids[11]]], [10, 11]),
        ]
    except Exception as error:
        return f"it fails over cached rows ({error})"
    expected = [plain[[9, 10]], plain[[10, 11]]]
    tolerance = (2e-3 if loaded.dtype == torch.float32 else 6e-2) * (plain.abs().max().item() or 1.0)
    worst = max((a.float() - b).abs().max().item() for a, b in zip(ours, expected))
    return "" if worst <= tolerance else f"its logits over cached rows are off by {worst:.3g}"
