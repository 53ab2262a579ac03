"""Supervised fine-tuning: conversations in, a LoRA checkpoint out, with loss on assistants' messages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from .batches import BatchOptions, train_in_batches
from .data import Conversation, Sides, sequences_of
from .errors import Control
from .events import Event, ending_in_failure
from .job import Job, JobOptions, not_a_number
from .policy import Policy
from .wire_options import checked


@checked
class SftOptions(BatchOptions):
    """batch_size: conversations per gradient step."""


@ending_in_failure
def train_sft(
    policy: Policy,
    conversations: Iterable[Conversation],
    options: SftOptions,
    job_options: JobOptions,
    control: Control | None = None,
    scratch: str = "",
) -> Iterator[Event]:
    """Trains while its events are read. Reading may stop at any event; the same arguments resume the job later.

    The loss is the mean of −log π(t) over all trained tokens of a batch, however it is split into rows. scratch: the
    folder for temporary files; empty: the system's."""
    tokenise = lambda conversation: [sequences_of(conversation, policy.chat)]
    yield from train_in_batches(
        policy, conversations, tokenise, trained_step, "sft", options, job_options, control, scratch
    )


def trained_step(job: Job, batch: list[Sides], rate: float) -> dict[str, float]:
    """A gradient step over a batch, row by row."""
    sequences = [sequence for [answer] in batch for sequence in answer]
    learnt = sum(sequence.trained_tokens for sequence in sequences)
    policy = job.policy

    def passes(row_tokens: int) -> float:
        loss = 0.0
        for row, counted in policy.rows(sequences, row_tokens):
            logprobs, _ = policy.logprobs(row)
            share = counted * -logprobs.sum() / learnt
            job.backward(share)
            loss += float(share.detach())
        return policy.distributed.all_reduce({"loss": loss})["loss"]

    loss = job.in_rows_that_fit(passes, list(map(len, sequences)))
    if not math.isfinite(loss):
        raise not_a_number("the loss")
    return {"loss": loss, "grad_norm": job.update(rate)}
