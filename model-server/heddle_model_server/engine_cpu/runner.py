"""Chooses how to run a model, and verifies that its logits over cache rows match the model's own. Knows nothing of
requests."""

from __future__ import annotations

import logging

import torch

from .forward import Forward, RunModel
from .kv_cache import KVCache
from .llama_like import LlamaLike
from .lora import Selection
from .lora_pool import LoraPool
from ..model import LoadedModel
from .wrapped import WrappedModel

log = logging.getLogger(__name__)

PROBE_TOKENS = 12


@torch.inference_mode()
def runner_for(loaded: LoadedModel, columns: int) -> tuple[RunModel, LoraPool]:
    """The function that runs the model, and the pool of its adapters. columns: LoRA ranks of all adapters together.
    Raises ValueError for an architecture that can't be served."""
    vocabulary = min(loaded.vocabulary, loaded.model.get_input_embeddings().weight.shape[0])
    ids = torch.randint(0, vocabulary, (PROBE_TOKENS,), generator=torch.Generator().manual_seed(1)).tolist()
    plain = loaded.model(input_ids=torch.tensor([ids], device=loaded.device), use_cache=False).logits[0].float()
    selection = Selection()
    if LlamaLike.knows(loaded.model):
        run: RunModel = LlamaLike(loaded.model, columns, selection, loaded.context)
        problem = logits_mismatch(loaded, run, ids, plain)
        if problem is None:
            return run, LoraPool(run.layers, selection, columns)
        log.warning("%s runs its own code: %s", loaded.name, problem)
        selection = Selection()
    run = WrappedModel(loaded.model, columns, selection)
    problem = logits_mismatch(loaded, run, ids, plain)
    if problem is not None:
        raise ValueError(f"{loaded.name} has an architecture that this engine can't serve: {problem}.")
    return run, LoraPool(run.layers, selection, columns)


def logits_mismatch(loaded: LoadedModel, run: RunModel, ids: list[int], plain: torch.Tensor) -> str | None:
    """What is wrong with the logits of passes over rows; None: nothing. ids: PROBE_TOKENS tokens. plain: the model's
    own logits for them, [tokens, vocabulary]."""
    cache = KVCache(loaded.layers, loaded.kv_heads, loaded.head_dim, 64, 2, 32, loaded.dtype, loaded.device, width=32)
    forward = Forward(run, cache, loaded.device)
    try:
        forward.prefill([0, 1], [ids[:9], ids[:5]], [0, 0])
        forward.prefill([1], [ids[5:10]], [5])
        ours = [forward.decode(0, [ids[9], ids[10]], [9, 10]), forward.decode(0, [ids[10], ids[11]], [10, 11])]
    except Exception as error:
        return f"it fails over cached rows ({error})"
    expected = [plain[[9, 10]], plain[[10, 11]]]
    tolerance = (2e-3 if loaded.dtype == torch.float32 else 6e-2) * (plain.abs().max().item() or 1.0)
    worst = max((a.float() - b).abs().max().item() for a, b in zip(ours, expected))
    return None if worst <= tolerance else f"its logits over cached rows are off by {worst:.3g}"
