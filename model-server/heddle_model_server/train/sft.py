"""Supervised fine-tuning: conversations in, a LoRA checkpoint out. One gradient step per batch, in the data's order,
with loss on assistants' messages. Conversations are tokenised once and kept on disk. Knows nothing of data sources
or receivers of events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from .errors import Control, TrainingError
from .data import Conversation, SequenceFile, sequences_of, SkippedSamples
from .events import Event, ending_in_failure
from .job import Job, JobOptions, not_a_number
from .policy import Policy
from .tokens import TokenSequence
from .wire_options import Number, checked


@checked
class SftOptions:
    """batch_size: conversations per gradient step. learning_rate: one for all, or one per batch over all epochs.
    epochs: passes over the data."""

    batch_size: Annotated[int, Field(ge=1)] = 2
    learning_rate: Number | Annotated[tuple[Number, ...], Field(min_length=1)] = 2e-4
    epochs: Annotated[int, Field(ge=1)] = 1

    def rate(self, batch: int) -> float:
        """The learning rate of a batch."""
        return self.learning_rate[batch] if isinstance(self.learning_rate, tuple) else self.learning_rate


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
    control = control or Control()
    # Conversations without trained tokens keep their places, so that batches match the caller's count and learning rates.
    control.report("the training data is read")
    data = SequenceFile(scratch)
    learnable = dropped = 0
    skipped = SkippedSamples(control.report)
    for conversation in conversations:
        control.check()
        try:
            sequences = sequences_of(conversation, policy.chat)
        except TrainingError as error:
            skipped.add(error)
            sequences = []
        short = [one for one in sequences if len(one) <= policy.context and one.trained_tokens]
        dropped += len(sequences) - len(short)
        learnable += bool(short)
        data.append(short)
    if skipped.count and not learnable and not dropped:
        raise skipped.nothing_left()
    if not learnable:
        raise TrainingError(
            "NOTHING_TO_LEARN",
            f"No conversation can be trained on: {dropped} are longer than the model's {policy.context} tokens."
            if dropped
            else "The training data has no conversations.",
        )
    batches = math.ceil(len(data) / options.batch_size)
    steps = batches * options.epochs
    if isinstance(options.learning_rate, tuple) and len(options.learning_rate) != steps:
        raise TrainingError(
            "BAD_CONFIG",
            f"learning_rate lists {len(options.learning_rate)} numbers, and the data makes {steps} batches.",
        )

    job = Job(policy, job_options, "sft", control)

    def step(index: int) -> tuple[dict[str, float], list[int]]:
        first = index % batches * options.batch_size
        chosen = range(first, min(first + options.batch_size, len(data)))
        conversations_read = [found for place in chosen if (found := data[place])]
        sequences = [sequence for found in conversations_read for sequence in found]
        learnt = sum(sequence.trained_tokens for sequence in sequences)
        rate = options.rate(index)
        loss, grad_norm = trained_step(policy, job, sequences, learnt, rate) if sequences else (0.0, 0.0)

        metrics = {
            "loss": loss,
            "grad_norm": grad_norm,
            "learning_rate": rate,
            "num_trajectories": len(conversations_read),
            "num_datums": len(sequences),
            "num_trainable_tokens": learnt,
            "data/num_dropped": dropped,
            "data/num_left_out": skipped.count,
        }
        return metrics, [len(sequence) for sequence in sequences]

    yield from job.steps(steps, step)
    yield from job.end()


def trained_step(
    policy: Policy, job: Job, sequences: list[TokenSequence], learnt: int, rate: float
) -> tuple[float, float]:
    """A gradient step over a batch, row by row; returns its loss and the gradient's norm. learnt: trained tokens."""

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
    return loss, job.update(rate)
