"""Draws one token per choice from a pass's logits, each by its own rules, and tells their log-probabilities. One uniform
number decides a row, so that its seed alone determines the result, whatever else is in the batch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from ..errors import bad_field, NodeError
from ..request import Logprob, Params

if TYPE_CHECKING:
    from .choice import Choice

# Lower temperatures equal greedy decoding; dividing by this one stays finite.
MIN_TEMPERATURE = 1e-6
# JSON has no -inf.
MIN_LOGPROB = -9999.0
NEVER = float("-inf")

# None: no token is allowed. An exception: this choice has failed.
Drawn = tuple[int, Logprob | None] | None | Exception


def constrain(logits: torch.Tensor, params: Params, prompt: list[int], output: list[int], ends: frozenset[int]) -> None:
    """Applies a request's biases, bans and penalties to the logits ([vocabulary], float32) of one choice, in place. ends: tokens
    that would end it. repetition_penalty: Keskar et al. (CTRL), arXiv:1909.05858, §4.1."""
    if params.allowed_token_ids is not None:
        forbidden = torch.ones_like(logits, dtype=torch.bool)
        forbidden[list(params.allowed_token_ids)] = False
        logits.masked_fill_(forbidden, NEVER)
    for *before, last in params.bad_sequences:
        if not before or output[-len(before) :] == before:
            logits[last] = NEVER
    if params.logit_bias:
        logits[list(params.logit_bias)] += torch.tensor(list(params.logit_bias.values()))
    if len(output) < params.min_tokens:
        logits[list(ends)] = NEVER
    if params.repetition_penalty != 1.0:
        seen = torch.tensor(list({*prompt, *output}))
        values, penalty = logits[seen], params.repetition_penalty
        logits[seen] = torch.where(values > 0, values / penalty, values * penalty)
    if params.frequency_penalty or params.presence_penalty:
        counts = torch.bincount(torch.tensor(output, dtype=torch.long), minlength=len(logits))
        logits -= params.frequency_penalty * counts + params.presence_penalty * (counts > 0)


def sample(choices: list[Choice], logits: torch.Tensor) -> list[Drawn]:
    """Draws a token for each choice. logits: [choices, vocabulary]."""
    params = [choice.request.params for choice in choices]
    shaped = logits.to(torch.float32, copy=True)
    problems: dict[int, Exception] = {}
    for i, choice in enumerate(choices):
        try:
            choice.constrain(shaped[i])
        except Exception as error:
            known = isinstance(error, NodeError)
            problems[i] = error if known else NodeError("INTERNAL", f"The logits could not be shaped: {error}")
    best = shaped.amax(-1).tolist()
    for i, value in enumerate(best):
        if not math.isfinite(value):
            # It must not affect the others.
            shaped[i] = 0.0
    uniforms = [0.0 if greedy(one) else choice.uniform() for choice, one in zip(choices, params)]
    tokens = draw(shaped, params, uniforms)
    wanted = [i for i, one in enumerate(params) if one.logprobs is not None]
    told = token_logprobs(logits[wanted], [tokens[i] for i in wanted], [params[i].logprobs for i in wanted])
    logprobs = dict(zip(wanted, told))
    drawn: list[Drawn] = []
    for i, (token, value) in enumerate(zip(tokens, best)):
        if i in problems:
            drawn.append(problems[i])
        elif math.isfinite(value):
            drawn.append((token, logprobs.get(i)))
        else:
            drawn.append(None if value == NEVER else not_a_number(params[i], logits[i]))
    return drawn


def not_a_number(params: Params, logits: torch.Tensor) -> NodeError:
    """Why nothing can be drawn: a parameter of the request, or the model. logits: [vocabulary], as it computed them."""
    if bool(torch.isfinite(logits.max())):
        return bad_field(
            "repetition_penalty",
            f"repetition_penalty {params.repetition_penalty:g} makes the logits overflow; send a value closer to 1.",
        )
    return NodeError("INTERNAL", "The model computed NaN for this request.")


def greedy(params: Params) -> bool:
    """Whether the most likely token is always taken."""
    return params.temperature == 0.0 or params.top_k == 1


def draw(logits: torch.Tensor, params: list[Params], uniforms: list[float]) -> list[int]:
    """One token per row. logits: [rows, vocabulary], float32. uniforms: a number in [0, 1) per row, for those not greedy."""
    tokens = logits.argmax(-1)
    rows = [i for i, one in enumerate(params) if not greedy(one)]
    if rows:
        tokens[rows] = draw_rows(logits[rows], [params[i] for i in rows], [uniforms[i] for i in rows])
    return tokens.tolist()


def draw_rows(logits: torch.Tensor, params: list[Params], uniforms: list[float]) -> torch.Tensor:
    """Samples with temperature, min_p, top_k and top_p (nucleus sampling: Holtzman et al., arXiv:1904.09751; min-p:
    arXiv:2407.01082). logits: [rows, vocabulary]; returns token ids [rows]."""
    column = lambda values: torch.tensor(values, dtype=torch.float32)[:, None]
    logits = logits / column([max(one.temperature, MIN_TEMPERATURE) for one in params])
    if any(one.min_p > 0 for one in params):
        least = torch.log(column([one.min_p for one in params])) + logits.amax(-1, keepdim=True)
        logits = logits.masked_fill(logits < least, NEVER)
    order = None
    if any(one.top_k > 0 or one.top_p < 1 for one in params):
        logits, order = torch.sort(logits, dim=-1, descending=True, stable=True)
        vocabulary = logits.shape[-1]
        kept = column([one.top_k if one.top_k > 0 else vocabulary for one in params])
        logits = logits.masked_fill(torch.arange(vocabulary) >= kept, NEVER)
        probabilities = logits.softmax(-1)
        # The first token always stays: nothing comes before it. Rounding must not drop what top_p leaves.
        before = probabilities.cumsum(-1) - probabilities
        most = column([one.top_p if one.top_p < 1 else math.inf for one in params])
        logits = logits.masked_fill(before >= most, NEVER)
    cumulative = logits.softmax(-1, dtype=torch.float64).cumsum(-1)
    target = torch.tensor(uniforms, dtype=torch.float64)[:, None] * cumulative[:, -1:]
    # right=True: a token of probability 0 is never picked.
    picked = torch.searchsorted(cumulative, target, right=True).clamp_(max=logits.shape[-1] - 1)
    return (picked if order is None else order.gather(-1, picked))[:, 0]


def token_logprobs(logits: torch.Tensor, tokens: list[int], tops: list[int]) -> list[Logprob]:
    """One Logprob per row. logits: [rows, vocabulary]. tokens, tops: of each row one, and how many alternatives; -1: all."""
    if not tokens:
        return []
    logprobs = logits.float().log_softmax(-1)
    chosen = logprobs.gather(-1, torch.tensor(tokens)[:, None])
    ranks = ((logprobs > chosen).sum(-1) + 1).tolist()
    vocabulary = logits.shape[-1]
    tops = [vocabulary if top < 0 else min(top, vocabulary) for top in tops]
    values, ids = (found.tolist() for found in logprobs.topk(max(tops), -1))
    tell = lambda token, value, rank, top=(): Logprob(token, max(value, MIN_LOGPROB), rank, tuple(top))
    return [
        tell(token, value, rank, map(tell, ids[row][:top], values[row], range(1, top + 1)))
        for row, (token, value, rank, top) in enumerate(zip(tokens, chosen[:, 0].tolist(), ranks, tops))
    ]


def prompt_token_logprobs(logits: torch.Tensor, tokens: list[int], top: int) -> list[list[Logprob]]:
    """For each row of logits [tokens, vocabulary], the next prompt token first, then the most likely others."""
    return [
        [Logprob(own.token, own.logprob, own.rank), *(other for other in own.top if other.token != own.token)]
        for own in token_logprobs(logits, tokens, [top] * len(tokens))
    ]
