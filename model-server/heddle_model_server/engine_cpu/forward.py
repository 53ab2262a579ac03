"""One forward pass of a model over cache rows: token positions, attention masks, and which keys and values are
stored. Knows nothing of requests, sampling or scheduling."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from torch.nn import functional as F
from transformers import AttentionInterface

from .kv_cache import KVCache

ATTENTION = "heddle_rows"


class ForwardPass:
    """What all layers of a pass share: rows, positions, masks. The model gets it as its cache."""

    def __init__(
        self,
        cache: KVCache,
        rows: slice | torch.Tensor,
        positions: torch.Tensor,
        length: int,
        writes: tuple[torch.Tensor, ...] | None,
    ):
        """positions: [rows, tokens], the position of each token. length: of the longest row after this pass, or
        more. writes: (batch index, token index, row, position) of the tokens to store; None: one token per row, all
        stored."""
        self.cache = cache
        self.rows = rows
        self.positions = positions
        self.length = length
        self.writes = writes
        self.count, self.tokens = positions.shape
        self._masks: dict[int | None, torch.Tensor] = {}
        if writes is None:
            self._row_ids = torch.arange(rows.start, rows.stop, device=positions.device)
            self._row_positions = positions[:, 0]

    def mask(self, window: int | None) -> torch.Tensor:
        """[rows, 1, tokens, length], true where a token may attend. window: how far back it sees; None: unlimited."""
        mask = self._masks.get(window)
        if mask is None:
            seen = torch.arange(self.length, device=self.positions.device)
            mask = seen <= self.positions[..., None]
            if window is not None:
                mask &= seen > self.positions[..., None] - window
            mask = mask[:, None]
            self._masks[window] = mask
        return mask

    # The interface that transformers expects of a cache.

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, *_args, **_kwargs):
        """Stores keys and values [rows, heads, tokens, dim] of a layer; returns those of all positions, [rows,
        heads, length, dim]."""
        all_keys, all_values = self.cache.layers[layer]
        if self.writes is None:
            all_keys[self._row_ids, :, self._row_positions] = keys[:, :, 0]
            all_values[self._row_ids, :, self._row_positions] = values[:, :, 0]
        else:
            batch, token, row, position = self.writes
            all_keys[row, :, position] = keys[batch, :, token]
            all_values[row, :, position] = values[batch, :, token]
        return all_keys[self.rows, :, : self.length], all_values[self.rows, :, : self.length]

    def get_seq_length(self, _layer: int = 0) -> int:
        """Cached tokens before this pass."""
        return self.length - self.tokens

    def get_query_offset(self, _layer: int = 0) -> int:
        """Cached tokens before this pass."""
        return self.length - self.tokens

    def get_mask_sizes(self, tokens: int, _layer: int = 0) -> tuple[int, int]:
        """Length and offset of the keys."""
        return self.length, 0

    is_compileable = False
    is_sliding = [False]


def attend(module, query, keys, values, _mask, scaling=None, sliding_window=None, softcap=None, **kwargs):
    """Attention over cache rows, registered with transformers. The masks come from the pass, which the model hands
    through as `rows_pass`. Shapes: see attend_rows."""
    current: ForwardPass = kwargs["rows_pass"]
    if kwargs.get("s_aux") is not None or kwargs.get("position_bias") is not None:
        raise NotImplementedError("attention with sinks or position biases")
    mask = current.mask(sliding_window)
    if softcap is not None:
        return capped(query, keys, values, mask, query.shape[1] // keys.shape[1], scaling, softcap), None
    return attend_rows(query, keys, values, mask, scaling), None


def attend_rows(query, keys, values, mask, scaling):
    """Grouped-query attention. query: [rows, heads, tokens, dim]. keys, values: [rows, kv_heads, length, dim],
    kv_heads dividing heads. mask: [rows, 1, tokens, length]. Returns [rows, tokens, heads, dim]."""
    rows, heads, tokens, dim = query.shape
    groups = heads // keys.shape[1]
    if groups > 1 and tokens == 1:
        # A group's heads take the token dimension, so keys need no copy.
        grouped = query.reshape(rows, keys.shape[1], groups, dim)
        out = F.scaled_dot_product_attention(grouped, keys, values, attn_mask=mask, scale=scaling)
        return out.reshape(rows, 1, heads, dim)
    if groups > 1:
        keys = keys.repeat_interleave(groups, dim=1)
        values = values.repeat_interleave(groups, dim=1)
    return F.scaled_dot_product_attention(query, keys, values, attn_mask=mask, scale=scaling).transpose(1, 2)


def capped(query, keys, values, mask, groups, scaling, softcap):
    """Attention whose scores are softly capped, softcap · tanh(score / softcap), as in Gemma 2 (arXiv:2408.00118,
    §2). Shapes: see attend_rows. groups: query heads per key head."""
    keys = keys.repeat_interleave(groups, dim=1)
    values = values.repeat_interleave(groups, dim=1)
    scores = query @ keys.transpose(2, 3) * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    scores = torch.tanh(scores / softcap) * softcap
    scores = scores.masked_fill(~mask, float("-inf"))
    return (scores.softmax(-1, dtype=torch.float32).to(query.dtype) @ values).transpose(1, 2)


# Without a registered mask function transformers builds no masks.
AttentionInterface.register(ATTENTION, attend)


# (ids [rows, tokens], pass, all_positions) → logits [rows, tokens or 1, vocabulary].
RunModel = Callable[[torch.Tensor, ForwardPass, bool], torch.Tensor]


class Forward:
    """Runs passes of a model over its cache. The caller tracks lengths and tokens; the rows of a pass are in
    ascending order."""

    def __init__(self, run: RunModel, cache: KVCache, device: torch.device):
        self.run = run
        self.cache = cache
        self.device = device

    def decode(self, first: int, tokens: list[int], positions: list[int]) -> torch.Tensor:
        """One token for each row from `first` on; logits [rows, vocabulary] of the next tokens."""
        rows = slice(first, first + len(tokens))
        ids = torch.tensor(tokens, device=self.device)[:, None]
        where = torch.tensor(positions, device=self.device)[:, None]
        current = ForwardPass(self.cache, rows, where, self._length(max(positions) + 1), None)
        return self.run(ids, current, False)[:, -1]

    def prefill(
        self, rows: list[int], tokens: list[list[int]], starts: list[int], all_positions: bool = False
    ) -> torch.Tensor:
        """Many tokens for each of `rows`, from positions `starts` on. Returns logits after each row's last token,
        [rows, vocabulary]; with all_positions (one row only) after every token, [tokens, vocabulary]."""
        widest = max(map(len, tokens))
        # Left-padded, so that every row's last token is in the last column.
        pads = [widest - len(row) for row in tokens]
        ids = torch.tensor([[0] * pad + row for pad, row in zip(pads, tokens)], device=self.device)
        base = torch.tensor([start - pad for start, pad in zip(starts, pads)], device=self.device)
        positions = base[:, None] + torch.arange(widest, device=self.device)
        kept = torch.arange(widest, device=self.device) >= torch.tensor(pads, device=self.device)[:, None]
        batch, token = kept.nonzero(as_tuple=True)
        positions = positions.clamp_(min=0)
        row_ids = torch.tensor(rows, device=self.device)
        writes = (batch, token, row_ids[batch], positions[batch, token])
        length = self._length(max(start + len(row) for start, row in zip(starts, tokens)))
        contiguous = all(b == a + 1 for a, b in pairwise(rows))
        where = slice(rows[0], rows[-1] + 1) if contiguous else row_ids
        current = ForwardPass(self.cache, where, positions, length, writes)
        logits = self.run(ids, current, all_positions)
        return logits[0] if all_positions else logits[:, -1]

    def _length(self, needed: int) -> int:
        """Rounded up to a multiple of 16, which attention kernels on GPUs require of a mask; the excess is masked."""
        return min(-(-needed // 16) * 16, self.cache.width)
