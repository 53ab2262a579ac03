"""One forward pass of a model over rows of the cache: token positions, attention masks, and which keys and values are
stored; and the choice of the code that runs a model. Knows nothing of requests, sampling or scheduling."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from transformers import AttentionInterface

from ..attention import attend
from .kv_cache import KVCache

ATTENTION = "heddle_rows"


class ForwardPass:
    """What all layers of a pass share: rows, positions, masks. The model gets it as its cache."""

    def __init__(self, cache: KVCache, rows: list[int], positions: torch.Tensor, length: int, kept: torch.Tensor | None):
        """positions: [rows, tokens], the position of each token. length: of the longest row after this pass. kept:
        [rows, tokens], which tokens are no padding; None: all, and each row has one."""
        self.cache = cache
        self.positions = positions
        self.length = length
        self.tokens = positions.shape[1]
        ids = torch.tensor(rows)
        # A slice reads the cache without a copy.
        contiguous = all(b == a + 1 for a, b in pairwise(rows))
        self._rows = slice(rows[0], rows[-1] + 1) if contiguous else ids
        if kept is None:
            self._kept = (slice(None), slice(None), 0)
            self._stored = (ids, slice(None), positions[:, 0])
        else:
            batch, token = kept.nonzero(as_tuple=True)
            self._kept = (batch, slice(None), token)
            self._stored = (ids[batch], slice(None), positions[batch, token])
        self._masks: dict[int | None, torch.Tensor] = {}

    def mask(self, window: int | None) -> torch.Tensor:
        """[rows, 1, tokens, length], true where a token may attend. window: how far back it sees; None: unlimited."""
        mask = self._masks.get(window)
        if mask is None:
            seen = torch.arange(self.length)
            mask = seen <= self.positions[..., None]
            if window is not None:
                mask &= seen > self.positions[..., None] - window
            mask = self._masks[window] = mask[:, None]
        return mask

    # The interface that transformers expects of a cache.

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, *_args, **_kwargs):
        """Stores keys and values [rows, heads, tokens, dim] of a layer; returns those of all positions, [rows,
        heads, length, dim]."""
        all_keys, all_values = self.cache.layers[layer]
        all_keys[self._stored] = keys[self._kept]
        all_values[self._stored] = values[self._kept]
        return all_keys[self._rows, :, : self.length], all_values[self._rows, :, : self.length]

    def get_seq_length(self, _layer: int = 0) -> int:
        """Cached tokens before this pass."""
        return self.length - self.tokens

    get_query_offset = get_seq_length

    def get_mask_sizes(self, tokens: int, _layer: int = 0) -> tuple[int, int]:
        """Length and offset of the keys."""
        return self.length, 0

    is_compileable = False
    is_sliding = [False]


def attend_cached(module, query, keys, values, _mask, scaling=None, sliding_window=None, softcap=None, **kwargs):
    """Attention over cache rows, registered with transformers. The masks come from the pass, which the model hands
    through as `rows_pass`. Shapes: see attention.attend."""
    current: ForwardPass = kwargs["rows_pass"]
    if kwargs.get("s_aux") is not None or kwargs.get("position_bias") is not None:
        raise NotImplementedError("attention with sinks or position biases")
    return attend(query, keys, values, current.mask(sliding_window), scaling, softcap), None


# Without a registered mask function transformers builds no masks.
AttentionInterface.register(ATTENTION, attend_cached)


# (ids [rows, tokens], pass, all_positions) → logits [rows, tokens or 1, vocabulary].
RunModel = Callable[[torch.Tensor, ForwardPass, bool], torch.Tensor]


def forward(
    run: RunModel,
    cache: KVCache,
    rows: list[int],
    tokens: list[list[int]],
    starts: list[int],
    all_positions: bool = False,
) -> torch.Tensor:
    """Computes the next tokens of some rows, from positions `starts` on. Returns logits after each row's last token,
    [rows, vocabulary]; with all_positions (one row only) after every token, [tokens, vocabulary]."""
    widest = max(map(len, tokens))
    length = max(start + len(row) for start, row in zip(starts, tokens))
    if widest == 1:
        ids, positions, kept = torch.tensor(tokens), torch.tensor(starts)[:, None], None
    else:
        # Left-padded, so that every row's last token is in the last column.
        pads = [widest - len(row) for row in tokens]
        ids = torch.tensor([[0] * pad + row for pad, row in zip(pads, tokens)])
        base = torch.tensor([start - pad for start, pad in zip(starts, pads)])
        positions = (base[:, None] + torch.arange(widest)).clamp_(min=0)
        kept = torch.arange(widest) >= torch.tensor(pads)[:, None]
    logits = run(ids, ForwardPass(cache, rows, positions, length, kept), all_positions)
    return logits[0] if all_positions else logits[:, -1]
