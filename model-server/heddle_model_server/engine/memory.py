"""How much memory a cache may have, and how much is in use."""

from __future__ import annotations

import torch

from .cache import RowCache
from .model import LoadedModel

# Of a CPU's memory, where nothing else is said.
USUAL_CACHE = 2**30
# Of a GPU's memory: for activations, logits and adapters.
KEPT_FREE = 0.12


def cache_budget(loaded: LoadedModel, slots: int, tokens: int) -> int:
    """Tokens the arena holds: what was asked for (tokens), else what is left of a GPU's memory or fits the usual size,
    but no more than all slots can use."""
    if tokens:
        return max(tokens, 64)
    room = USUAL_CACHE
    if loaded.device.type == "cuda":
        free, total = torch.cuda.mem_get_info(loaded.device)
        room = int(free - KEPT_FREE * total)
    each = RowCache.bytes_per_token(loaded.layers, loaded.kv_heads, loaded.head_dim, loaded.dtype)
    return max(min((slots + 1) * loaded.context, room // each), 64)


def memory_bytes(loaded: LoadedModel, cache: RowCache) -> int:
    if loaded.device.type == "cuda":
        return torch.cuda.memory_allocated(loaded.device)
    return loaded.parameters * loaded.dtype.itemsize + cache.bytes_used
