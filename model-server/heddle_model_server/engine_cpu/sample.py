"""Draws one token per choice from a pass's logits, each by its own rules. Knows nothing of rows or of what happens
next."""

from __future__ import annotations

import math

import torch

from ..errors import NodeError, bad_field
from ..request import Logprob, Params
from .choice import Choice
from .draw import draw, greedy
from .logprobs import token_logprobs

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
