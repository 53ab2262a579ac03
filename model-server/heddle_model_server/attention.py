"""Grouped-query attention, and what two texts have in common at their beginning."""

import numpy
import torch
from torch.nn import functional as F


def attend(query, keys, values, mask, scaling, softcap=None, causal=False, dropout=0.0):
    """query: [rows, heads, tokens, dim]. keys, values: [rows, kv_heads, length, dim], kv_heads dividing heads. mask: [rows, 1,
    tokens, length], true where a token may attend; None: everywhere, or with `causal` to what isn't behind it. softcap: with a
    mask; of scores, softcap · tanh(score / softcap), as in Gemma 2 (arXiv:2408.00118, §2). Returns [rows, tokens, heads, dim]."""
    rows, heads, tokens, dim = query.shape
    groups = heads // keys.shape[1]
    if softcap is not None:
        keys, values = (one.repeat_interleave(groups, dim=1) for one in (keys, values))
        scores = query @ keys.transpose(2, 3) * (dim**-0.5 if scaling is None else scaling)
        scores = (torch.tanh(scores / softcap) * softcap).masked_fill(~mask, float("-inf"))
        return (scores.softmax(-1) @ values).transpose(1, 2)
    if groups > 1 and tokens == 1 and not causal:
        # A group's heads take the token dimension, so keys need no copy.
        grouped = query.reshape(rows, keys.shape[1], groups, dim)
        out = F.scaled_dot_product_attention(grouped, keys, values, attn_mask=mask, scale=scaling, dropout_p=dropout)
        return out.reshape(rows, 1, heads, dim)
    out = F.scaled_dot_product_attention(
        query, keys, values, mask, dropout, is_causal=causal, scale=scaling, enable_gqa=groups > 1
    )
    return out.transpose(1, 2)


def common_prefix_length(one: numpy.ndarray, other: numpy.ndarray) -> int:
    """Tokens that two texts share at their beginning."""
    length = min(len(one), len(other))
    differ = one[:length] != other[:length]
    at = int(differ.argmax()) if length else 0
    return at if length and differ[at] else length
