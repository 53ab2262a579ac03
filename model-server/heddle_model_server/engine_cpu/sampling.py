"""Draws one token per choice from a pass's logits, each by its own rules, and tells their log-probabilities. One uniform number
decides a row, so that its seed alone determines the result, whatever else is in the batch. Knows nothing of rows or of what
happens next."""

from __future__ import annotations

import math

import torch

from ..errors import bad_field, NodeError
from ..request import Logprob, Params
from .choice import Choice

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


# None: no token is allowed. An exception: this choice has failed.
Drawn = tuple[int, Logprob | None] | None | Exception


def not_a_number(params: Params, logits: torch.Tensor) -> NodeError:
    """Why nothing can be drawn: a parameter of the request, or the model itself. logits: [vocabulary], as the model
    computed them."""
    if bool(torch.isfinite(logits.max())):
        return bad_field(
            "repetition_penalty",
            f"repetition_penalty {params.repetition_penalty:g} makes the logits overflow; send a value closer to 1.",
        )
    return NodeError("INTERNAL", "The model computed NaN for this request.")


def sample(choices: list[Choice], logits: torch.Tensor) -> list[Drawn]:
    """Draws a token for each choice. logits: [choices, vocabulary]."""
    params = [choice.request.params for choice in choices]
    problems: dict[int, Exception] = {}
    shaped = logits
    if not all(choice.unconstrained and greedy(p) for choice, p in zip(choices, params)):
        shaped = logits.float()
        if shaped is logits and any(not choice.unconstrained for choice in choices):
            shaped = logits.clone()
        for i, choice in enumerate(choices):
            if not choice.unconstrained:
                try:
                    choice.constrain(shaped[i])
                except Exception as error:
                    known = isinstance(error, NodeError)
                    problems[i] = error if known else NodeError("INTERNAL", f"The logits could not be shaped: {error}")
    best, most_likely = shaped.max(-1)
    best = best.tolist()
    if all(map(greedy, params)):
        tokens = most_likely.tolist()
    else:
        # A row with non-finite logits must not affect the others.
        if not all(map(math.isfinite, best)):
            shaped = torch.where(
                shaped.new_tensor([math.isfinite(b) for b in best], dtype=torch.bool)[:, None], shaped, 0.0
            )
        tokens = draw(shaped, params, [c.uniform() if not greedy(p) else 0.0 for c, p in zip(choices, params)])
    logprobs: dict[int, Logprob] = {}
    wanted = [i for i, p in enumerate(params) if p.logprobs is not None]
    if wanted:
        rows = logits if len(wanted) == len(choices) else logits[wanted]
        computed = token_logprobs(rows, [tokens[i] for i in wanted], [params[i].logprobs for i in wanted])
        logprobs = dict(zip(wanted, computed))
    result: list[Drawn] = []
    for i, token in enumerate(tokens):
        if i in problems:
            result.append(problems[i])
        elif best[i] == -math.inf:
            result.append(None)
        elif not math.isfinite(best[i]):
            result.append(not_a_number(params[i], logits[i]))
        else:
            result.append((token, logprobs.get(i)))
    return result
