"""Attention over a packed row: each sequence sees itself alone, or also the beginning that it shares with others, which is
computed once. No mask is wider than a sequence. Knows nothing of losses or of how rows are made."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from ..attention import attend

PACKED = "heddle_packed"
TOLERANCE = {torch.float32: 2e-3}


@dataclass(frozen=True, slots=True)
class Span:
    """The tokens [start, end) of a row. Each sees those before it in the span, and all in `before`, pieces of the row."""

    start: int
    end: int
    before: tuple[tuple[int, int], ...] = ()


def attend_spans(module, query, keys, values, _mask, scaling=None, dropout=0.0, sliding_window=None, softcap=None, **more):
    """Registered with transformers; the model hands `spans` through; None: rows are no packed ones. Shapes: see
    attention.attend, of one row."""
    spans = more.pop("spans", None)
    if spans is None:
        return sdpa_attention_forward(module, query, keys, values, None, dropout, scaling, **more)
    if more.get("s_aux") is not None or more.get("position_bias") is not None:
        raise NotImplementedError("attention with sinks or position biases")
    made = []
    for span in spans:
        tokens = span.end - span.start
        pieces = [*span.before, (span.start, span.end)]
        seen_keys, seen_values = (
            torch.cat([one[:, :, a:b] for a, b in pieces], 2) if span.before else one[:, :, span.start : span.end]
            for one in (keys, values)
        )
        length = seen_keys.shape[2]
        windowed = sliding_window is not None and sliding_window < length
        plain = not (span.before or windowed or softcap is not None)
        mask = None
        if not plain:
            at = torch.arange(length, device=query.device)
            own = at[length - tokens :, None]
            mask = at <= own
            if windowed:
                mask &= at > own - sliding_window
            mask = mask[None, None]
        own_queries = query[:, :, span.start : span.end]
        made.append(attend(own_queries, seen_keys, seen_values, mask, scaling, softcap, plain, dropout))
    return torch.cat(made, 1), None


# Without a registered mask function transformers builds no masks.
AttentionInterface.register(PACKED, attend_spans)


@torch.no_grad()
def uses_spans(model: torch.nn.Module, base: PreTrainedModel) -> bool:
    """Gives the model this attention if its logits then are what they were: not every architecture has one that can be
    replaced, and some keep more between tokens than attention. base: the model below its adapters."""
    usual = base.config._attn_implementation
    if usual == PACKED:
        return True
    training = model.training
    model.eval()
    try:
        device = base.device
        vocabulary = base.get_input_embeddings().weight.shape[0]
        ids = torch.randint(0, vocabulary, (1, 12), generator=torch.Generator().manual_seed(1)).to(device)
        # Two texts that begin alike.
        other = torch.cat([ids[:, :6], ids[:, 8:].flip(1)], 1)
        expected = torch.cat([model(input_ids=one, use_cache=False).logits[0] for one in (ids, other)]).float()
        positions = torch.tensor([[*range(12), *range(6, 10)]], device=device)
        spans = [Span(0, 12), Span(12, 16, ((0, 6),))]
        base.set_attn_implementation(PACKED)
        row = torch.cat([ids, other[:, 6:]], 1)
        found = model(input_ids=row, position_ids=positions, use_cache=False, spans=spans).logits[0].float()
        found = torch.cat([found[:12], found[:6], found[12:]])
        least = TOLERANCE.get(base.dtype, 6e-2) * (expected.abs().max().item() or 1.0)
        fits = (found - expected).abs().max().item() <= least
    except Exception:
        fits = False
    model.train(training)
    if not fits:
        base.set_attn_implementation(usual)
    return fits
