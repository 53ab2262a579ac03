"""Log-probabilities of tokens, with the most likely alternatives. Knows nothing of how a token was chosen."""

from __future__ import annotations

import torch

from ..request import Logprob

# JSON has no -inf.
MIN_LOGPROB = -9999.0


def token_logprobs(logits: torch.Tensor, tokens: list[int], tops: list[int]) -> list[Logprob]:
    """One Logprob per row. logits: [rows, vocabulary]. tokens: one per row. tops: how many alternatives each row
    wants; -1: all."""
    logprobs = logits.float().log_softmax(-1)
    ids = torch.tensor(tokens)[:, None]
    chosen = logprobs.gather(-1, ids)
    ranks = (logprobs > chosen).sum(-1) + 1
    vocabulary = logits.shape[-1]
    tops = [vocabulary if top < 0 else min(top, vocabulary) for top in tops]
    most = max(tops)
    best_values: list[list[float]] = []
    best_ids: list[list[int]] = []
    if most:
        values, indices = logprobs.topk(most, -1)
        best_values, best_ids = values.tolist(), indices.tolist()
    result = []
    for row, (value, rank) in enumerate(zip(chosen[:, 0].tolist(), ranks.tolist())):
        top = tuple(Logprob(best_ids[row][i], max(best_values[row][i], MIN_LOGPROB), i + 1) for i in range(tops[row]))
        result.append(Logprob(tokens[row], max(value, MIN_LOGPROB), rank, top))
    return result


def prompt_token_logprobs(logits: torch.Tensor, tokens: list[int], top: int) -> list[list[Logprob]]:
    """For each row of logits [tokens, vocabulary], the next prompt token first, then the most likely others."""
    result = []
    for logprob in token_logprobs(logits, tokens, [top] * len(tokens)):
        own = Logprob(logprob.token, logprob.logprob, logprob.rank)
        result.append([own, *(other for other in logprob.top if other.token != own.token)])
    return result
