"""Direct preference optimisation: pairs of answers in, of which one is preferred, and a LoRA checkpoint out. Rafailov et al.,
"Direct Preference Optimization: Your Language Model is Secretly a Reward Model", arXiv:2305.18290."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated

import torch
from pydantic import Field

from .batches import BatchOptions, train_in_batches
from .data import Pair, Sides, pair_sequences
from .errors import Control
from .events import Event, ending_in_failure
from .job import Job, JobOptions, not_a_number
from .pack import PackedRow
from .policy import Policy
from .wire_options import Number, checked


@checked
class DpoOptions(BatchOptions):
    """batch_size: pairs per gradient step. beta: how dear it is to go far from the reference: β of the paper."""

    learning_rate: Number | Annotated[tuple[Number, ...], Field(min_length=1)] = 5e-6
    beta: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.1


@ending_in_failure
def train_dpo(
    policy: Policy,
    pairs: Iterable[Pair],
    options: DpoOptions,
    job_options: JobOptions,
    control: Control | None = None,
    scratch: str = "",
) -> Iterator[Event]:
    """Trains while its events are read. Reading may stop at any event; the same arguments resume the job later. The reference
    is the base model without an adapter. scratch: the folder for temporary files; empty: the system's."""
    tokenise = lambda pair: pair_sequences(pair, policy.chat)
    learn = lambda job, batch, rate: trained_step(job, batch, rate, options.beta)
    yield from train_in_batches(policy, pairs, tokenise, learn, "dpo", options, job_options, control, scratch)


def trained_step(job: Job, batch: list[Sides], rate: float, beta: float) -> dict[str, float]:
    """A gradient step over pairs: each lies in one row, since its loss needs both of its answers."""
    sequences, signs, together = [], [], []
    for sides in batch:
        together.append([])
        for sign, side in zip((1.0, -1.0), sides):
            for sequence in side:
                together[-1].append(len(sequences))
                sequences.append(sequence)
                signs.append(sign)
    pair_of = {at: number for number, one in enumerate(together) for at in one}
    policy = job.policy

    def passes(row_tokens: int) -> dict[str, float]:
        local = policy.rows(sequences, row_tokens, together)
        references = policy.logprobs_by(job.reference, [row for row, _ in local])
        sums: dict[str, float] = {}
        for (row, counted), reference in zip(local, references):
            logprobs, _ = policy.logprobs(row)
            pairs, sides = places_of(row, [pair_of[at] for at in row.members], [signs[at] for at in row.members])
            found = preferences(logprobs, reference, pairs, sides, beta)
            weight = counted / len(batch)
            job.backward(found["loss"].sum() * weight)
            for name, values in found.items():
                sums[name] = sums.get(name, 0.0) + float(values.detach().sum()) * weight
        return policy.distributed.all_reduce(sums)

    sums = job.in_rows_that_fit(passes, [sum(len(sequences[at]) for at in one) for one in together])
    if not math.isfinite(sums["loss"]):
        raise not_a_number("the loss")
    return {**sums, "grad_norm": job.update(rate)}


def places_of(row: PackedRow, pairs: list[int], signs: list[float]) -> tuple[torch.Tensor, torch.Tensor]:
    """For each trained token of a row the number of its pair in it, from 0, and 1 in the chosen answer, −1 in the rejected one,
    both [tokens]. pairs, signs: of the row's sequences."""
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    of_tokens = lambda values: torch.tensor(values, device=row.sequence.device)[row.sequence]
    return of_tokens([numbers[pair] for pair in pairs]), of_tokens(signs)


def preferences(
    logprobs: torch.Tensor, reference: torch.Tensor, pairs: torch.Tensor, signs: torch.Tensor, beta: float
) -> dict[str, torch.Tensor]:
    """For each pair, [pairs]: the loss −log σ(r_w − r_l), of eq. 7; the rewards r = β (log π(y) − log π_ref(y)) of both answers,
    of eq. 5; how far apart they are; and whether the chosen one has more. Only the loss has a gradient. logprobs, reference: [tokens], by the
    policy and by the reference. pairs, signs: [tokens], of places_of."""
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
