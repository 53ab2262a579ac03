"""Kahneman-Tversky optimisation: answers in that are each good or bad by themselves, and a LoRA checkpoint out. Ethayarajh et al.,
"KTO: Model Alignment as Prospect Theoretic Optimization", arXiv:2402.01306."""

from functools import partial
from typing import Annotated

import numpy as np
import torch
from pydantic import Field

from .batches import BatchOptions, train_in_batches
from .data import Sides
from .dpo import Judge, compared_step
from .job import Job
from .tokens import TokenSequence
from .wire_options import Number, checked

Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@checked
class KtoOptions(BatchOptions):
    """batch_size: answers per gradient step; at least two, since each is compared with the others. beta: how dear it is to go far
    from the reference: β of the paper. desirable_weight, undesirable_weight: λ_D and λ_U."""

    batch_size: Annotated[int, Field(ge=2)] = 8
    learning_rate: Number | Annotated[tuple[Number, ...], Field(min_length=1)] = 5e-6
    beta: Weight = 0.1
    desirable_weight: Weight = 1.0
    undesirable_weight: Weight = 1.0


def trained_step(job: Job, batch: list[Sides], rate: float, options: KtoOptions) -> dict[str, float]:
    """A gradient step over answers. The reference is the base model without an adapter."""
    others = mismatched([(good or bad)[0] for good, bad in batch], job.policy.context)

    def judge_for(row_tokens: int) -> Judge:
        return partial(judgements, divergence=mean_divergence(job, others, row_tokens), options=options)

    return means_of(compared_step(job, batch, rate, judge_for, list(map(len, others))), batch)


def mismatched(answers: list[TokenSequence], context: int) -> list[TokenSequence]:
    """Each prompt with the next one's answer, cut at the model's context: samples for the divergence, none of one answer
    alone. They are of tokens, as the prompt and the answer have been written apart."""
    if len(answers) < 2:
        return []
    found = []
    for asked, said in zip(answers, answers[1:] + answers[:1]):
        before, after = (int(one.trained.argmax()) for one in (asked, said))
        tokens = np.concatenate([asked.tokens[:before], said.tokens[after:]])[:context]
        trained = np.concatenate([np.zeros(before, bool), said.trained[after:]])[:context]
        found.append(TokenSequence.plain(tokens, trained))
    return [one for one in found if one.trained_tokens]


def mean_divergence(job: Job, others: list[TokenSequence], row_tokens: int) -> float:
    """The estimate of KL(π ‖ π_ref) that answers are compared with: z₀ of section 4.1, 0 without samples. It has no gradient, and is
    that of the whole batch in every process."""
    if not others:
        return 0.0
    _, apart = job.from_reference(job.policy.rows(others, row_tokens))
    return max(apart / len(others), 0.0)


def judgements(
    logprobs: torch.Tensor,
    reference: torch.Tensor,
    answers: torch.Tensor,
    signs: torch.Tensor,
    divergence: float,
    options: KtoOptions,
) -> dict[str, torch.Tensor]:
    """For each answer, [answers]: the loss λ (1 − σ(±β (r − z₀))) of eq. 7, where r = log π(y) − log π_ref(y); z₀; and β r and
    log π(y) of good answers and of bad ones, 0 for the others. Only the loss has a gradient. logprobs, reference: [tokens], by the
    policy and by the reference. answers, signs: [tokens], see compared_step. divergence: z₀."""
    count = int(answers.max()) + 1
    added = lambda values: values.new_zeros(count).index_add(0, answers, values)
    sign = signs.new_zeros(count).scatter(0, answers, signs)
    ratio = added(logprobs - reference)
    weight = torch.where(sign > 0, options.desirable_weight, options.undesirable_weight)
    reward, held = options.beta * ratio.detach(), added(logprobs.detach())
    good, bad = (sign > 0).float(), (sign < 0).float()
    return {
        "loss": weight * torch.sigmoid(-sign * options.beta * (ratio - divergence)),
        "kl": torch.full_like(reward, divergence),
        "rewards/chosen": good * reward,
        "rewards/rejected": bad * reward,
        "logps/chosen": good * held,
        "logps/rejected": bad * held,
    }


def means_of(sums: dict[str, float], batch: list[Sides]) -> dict[str, float]:
    """A step's metrics of compared_step's result; those of good answers, or of bad ones, only where it has some."""
    good = sum(bool(good) for good, _ in batch)
    counts = {"chosen": good, "rejected": len(batch) - good, "loss": len(batch), "kl": len(batch), "grad_norm": 1}
    of = {name: counts[name.rpartition("/")[2]] for name in sums}
    found = {name: total / of[name] for name, total in sums.items() if of[name]}
    if 0 < good < len(batch):
        found["rewards/margins"] = found["rewards/chosen"] - found["rewards/rejected"]
    return found


train_kto = partial(train_in_batches, "kto", trained_step)
