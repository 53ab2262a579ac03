"""Direct preference optimisation: pairs of answers in, of which one is preferred, and a LoRA checkpoint out. Rafailov et al.,
"Direct Preference Optimization: Your Language Model is Secretly a Reward Model", arXiv:2305.18290."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import torch
from pydantic import Field

from .batches import BatchOptions, train_in_batches
from .data import Sides
from .job import Job
from .wire_options import Number, checked

Judge = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], dict[str, torch.Tensor]]


@checked
class DpoOptions(BatchOptions):
    """batch_size: pairs per gradient step. beta: how dear it is to go far from the reference: β of the paper."""

    learning_rate: Number | Annotated[tuple[Number, ...], Field(min_length=1)] = 5e-6
    beta: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.1


def trained_step(job: Job, batch: list[Sides], rate: float, options: DpoOptions) -> dict[str, float]:
    """A gradient step over pairs. The reference is the base model without an adapter."""
    sums = compared_step(job, batch, rate, lambda _: partial(preferences, beta=options.beta))
    return {name: value if name == "grad_norm" else value / len(batch) for name, value in sums.items()}


def compared_step(
    job: Job, batch: list[Sides], rate: float, judge_for: Callable[[int], Judge], lengths: Sequence[int] = ()
) -> dict[str, float]:
    """A gradient step over samples of a good side and a bad one; each lies in one row, since its loss needs all of it. judge_for:
    takes the most tokens of a row; what it returns takes for each trained token of a row log π, log π_ref, the number of its
    sample in the row, from 0, and 1 in a good answer, −1 in a bad one; it returns values of each sample, of which `loss` has a
    gradient. lengths: of what else has to fit into rows.
    Returns the sums of the values, and grad_norm."""
    sequences, sample_of, signs, together = [], [], [], []
    for number, sides in enumerate(batch):
        together.append(list(range(len(sequences), len(sequences) + sum(map(len, sides)))))
        for sign, side in zip((1.0, -1.0), sides):
            sequences += side
            sample_of += [number] * len(side)
            signs += [sign] * len(side)
    policy = job.policy

    def passes(row_tokens: int) -> dict[str, float]:
        judge = judge_for(row_tokens)
        local = policy.rows(sequences, row_tokens, together)
        references = policy.logprobs_by(job.reference, [row for row, _ in local])
        sums: dict[str, float] = {}
        for (row, counted), reference in zip(local, references):
            logprobs, _ = policy.logprobs(row)
            present = dict.fromkeys(sample_of[at] for at in row.members)
            number_of = {sample: number for number, sample in enumerate(present)}
            numbers = [number_of.get(sample, -1) for sample in sample_of]
            found = judge(logprobs, reference, row.of_tokens(numbers), row.of_tokens(signs))
            job.backward(found["loss"].sum() * (counted / len(batch)))
            for name, values in found.items():
                sums[name] = sums.get(name, 0.0) + float(values.detach().sum()) * counted
        return sums

    return job.learn(passes, [sum(len(sequences[at]) for at in one) for one in together] + [*lengths], rate)


def preferences(
    logprobs: torch.Tensor, reference: torch.Tensor, pairs: torch.Tensor, signs: torch.Tensor, beta: float
) -> dict[str, torch.Tensor]:
    """For each pair, [pairs]: the loss −log σ(r_w − r_l), of eq. 7; the rewards r = β (log π(y) − log π_ref(y)) of both answers,
    of eq. 5; how far apart they are; and whether the chosen one has more. Only the loss has a gradient. logprobs, reference: [tokens], by the
    policy and by the reference. pairs, signs: [tokens], see compared_step."""
    count = int(pairs.max()) + 1
    added = lambda values: values.new_zeros(count).index_add(0, pairs, values)
    margin = beta * added(signs * (logprobs - reference))
    held, is_chosen = logprobs.detach(), (signs > 0).float()
    return {
        "loss": -torch.nn.functional.logsigmoid(margin),
        "rewards/chosen": beta * added(is_chosen * (held - reference)),
        "rewards/rejected": beta * added((1 - is_chosen) * (held - reference)),
        "rewards/margins": margin.detach(),
        "rewards/accuracies": (margin.detach() > 0).float(),
        "logps/chosen": added(is_chosen * held),
        "logps/rejected": added((1 - is_chosen) * held),
    }


train_dpo = partial(train_in_batches, "dpo", trained_step)
