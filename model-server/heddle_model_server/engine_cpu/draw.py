"""Draws the next token of every row from its logits. One uniform number decides a row, so that its seed alone
determines the result, whatever else is in the batch. Knows nothing of penalties or grammars: they were applied
before."""

from __future__ import annotations

import torch

from ..request import Params


# Lower temperatures equal greedy decoding; dividing by this one stays finite.
MIN_TEMPERATURE = 1e-6


def greedy(params: Params) -> bool:
    """Whether the most likely token is always taken."""
    return params.temperature == 0.0 or params.top_k == 1


def draw(logits: torch.Tensor, params: list[Params], uniforms: list[float]) -> list[int]:
    """One token per row. logits: [rows, vocabulary], float32. uniforms: a number in [0, 1) per row; greedy rows
    ignore theirs."""
    tokens = logits.argmax(-1)
    if all(map(greedy, params)):
        return tokens.tolist()
    rows = [i for i, p in enumerate(params) if not greedy(p)]
    every = len(rows) == len(params)
    drawn = draw_rows(logits if every else logits[rows], [params[i] for i in rows], [uniforms[i] for i in rows])
    if every:
        return drawn.tolist()
    tokens[rows] = drawn
    return tokens.tolist()


def draw_rows(logits: torch.Tensor, params: list[Params], uniforms: list[float]) -> torch.Tensor:
    """Samples with temperature, min_p, top_k and top_p (nucleus sampling: Holtzman et al., arXiv:1904.09751; min-p:
    arXiv:2407.01082). logits: [rows, vocabulary]; returns token ids [rows]."""
    column = lambda values: torch.tensor(values, dtype=torch.float32)[:, None]
    logits = logits / column([max(p.temperature, MIN_TEMPERATURE) for p in params])
    if any(p.min_p > 0 for p in params):
        least = torch.log(column([p.min_p for p in params])) + logits.max(-1, keepdim=True).values
        logits = logits.masked_fill(logits < least, float("-inf"))
    order = None
    if any(p.top_k > 0 or p.top_p < 1 for p in params):
        logits, order = torch.sort(logits, dim=-1, descending=True, stable=True)
        vocabulary = logits.shape[-1]
        kept = column([p.top_k if p.top_k > 0 else vocabulary for p in params])
        logits = logits.masked_fill(torch.arange(vocabulary) >= kept, float("-inf"))
        if any(p.top_p < 1 for p in params):
            probabilities = logits.softmax(-1)
            before = probabilities.cumsum(-1) - probabilities
            # The first token always stays: nothing comes before it.
            logits = logits.masked_fill(before >= column([p.top_p for p in params]), float("-inf"))
    cumulative = logits.softmax(-1, dtype=torch.float64).cumsum(-1)
    target = torch.tensor(uniforms, dtype=torch.float64)[:, None] * cumulative[:, -1:]
    # right=True: a token of probability 0 is never picked.
    picked = torch.searchsorted(cumulative, target, right=True).clamp_(max=logits.shape[-1] - 1)
    return (picked if order is None else order.gather(-1, picked))[:, 0]
