"""Chooses the code that runs a model, and verifies that its logits over cache rows match the model's own. Knows
nothing of requests."""

from __future__ import annotations

import logging

import torch

from ..model import LoadedModel
from .forward import RunModel, forward
from .kv_cache import KVCache
from .llama_like import LlamaLike
from .lora import Lora
from .transformers_model import TransformersModel

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
