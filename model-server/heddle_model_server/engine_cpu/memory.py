"""Sizes the key-value cache to the memory, and measures memory use. Knows nothing of requests."""

from __future__ import annotations

import gc

import torch

from .kv_cache import KVCache
from ..model import LoadedModel

# The cache's default size on a CPU.
DEFAULT_CPU_CACHE_BYTES = 2**30
# The share of a GPU's memory reserved for activations, logits and adapters.
RESERVED_SHARE = 0.12


def cache_budget(loaded: LoadedModel, slots: int, tokens: int) -> int:
    """Tokens of the cache: as requested (tokens), else what fits into a GPU's free memory or into the default size,
    but no more than all slots can use. Raises ValueError if a GPU can't hold one context."""
    if tokens:
        return max(tokens, 64)
    each = KVCache.bytes_per_token(loaded.layers, loaded.kv_heads, loaded.head_dim, loaded.dtype)
    most = (slots + 1) * loaded.context
    if loaded.device.type != "cuda":
        return max(min(most, DEFAULT_CPU_CACHE_BYTES // each), 64)
    # Memory cached by this process's allocator would count as used.
    release_unused(loaded.device)
    return tokens_that_fit(*torch.cuda.mem_get_info(loaded.device), each, loaded.context, most)


def tokens_that_fit(free: int, total: int, each: int, context: int, most: int) -> int:
    """free, total: bytes of the device. each: bytes per token. Raises ValueError below one context. Pure."""
    available = max(int(free - RESERVED_SHARE * total), 0)
    tokens = min(most, available // each)
    if tokens < context:
        raise ValueError(
            f"the device has no room for one context of this model: its {context} tokens take {gib(context * each)} of "
            f"keys and values, and {gib(available)} are left for them ({gib(free)} of {gib(total)} are free, of which "
            f"{gib(total * RESERVED_SHARE)} are reserved for activations). Set HEDDLE_NODE_CONTEXT to {available // each} or "
            "less, or use a larger device or a smaller model."
        )
    return tokens


def gib(count: float) -> str:
    """A number of bytes as text."""
    return f"{count / 2**30:.2f} GiB"


def release_unused(device: torch.device) -> None:
    """Returns unused memory to the device."""
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()


def memory_bytes(loaded: LoadedModel, cache: KVCache) -> int:
    """Bytes in use: of the GPU, or of weights and cache on a CPU."""
    if loaded.device.type == "cuda":
        return torch.cuda.memory_allocated(loaded.device)
    return loaded.parameters * loaded.dtype.itemsize + cache.bytes_used
