"""Supervised fine-tuning: conversations in, a LoRA checkpoint out. One pass over the data in its order, a gradient step a
batch, loss on what assistants say. Knows nothing of where conversations come from or who hears the events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .conversations import Conversation, sequences_of
from .errors import TrainingError
from .events import Event, GradientStep, TrainingEnded, TrainingStarted, told
from .job import Job, JobOptions, not_a_number
from .metrics import StepClock
from .pack import pack
from .policy import Policy
from .tokens import TokenSequence

BATCH_SIZE = 2
LEARNING_RATE = 2e-4


@dataclass(frozen=True, slots=True)
class SftOptions:
    """batch_size: conversations a gradient step. learning_rate: one for all, or one a batch. epochs: passes over the data;
    a list of learning rates is for all of them."""

    batch_size: int = BATCH_SIZE
    learning_rate: float | tuple[float, ...] = LEARNING_RATE
    epochs: int = 1

    def __post_init__(self):
        if self.batch_size < 1 or self.epochs < 1:
            raise TrainingError("BAD_CONFIG", "batch_size and epochs have to be whole numbers from 1.")
        rates = self.learning_rate if isinstance(self.learning_rate, tuple) else (self.learning_rate,)
        if not rates or not all(math.isfinite(rate) and rate >= 0 for rate in rates):
            raise TrainingError("BAD_CONFIG", "learning_rate has to be a number from 0, or a list of them.")

    def rate(self, batch: int) -> float:
        return self.learning_rate[batch] if isinstance(self.learning_rate, tuple) else self.learning_rate


def train_sft(
    policy: Policy, conversations: Iterable[Conversation], options: SftOptions, job: JobOptions
) -> Iterator[Event]:
    """Trains while its events are read; whoever stops reading stops it, and may resume it later with the same arguments.

    The loss is the mean of −log π(t) over all learnt tokens of a batch, however it is cut into rows.
    """
    return told(recipe(policy, conversations, options, job))


def recipe(
    policy: Policy, conversations: Iterable[Conversation], options: SftOptions, job_options: JobOptions
) -> Iterator[Event]:
    # Data: every conversation's sequences, cut into batches of conversations.
    data: list[list[TokenSequence]] = []
    dropped = 0
    for conversation in conversations:
        sequences = sequences_of(conversation, policy.chat)
        short = [one for one in sequences if len(one) <= policy.context and one.trained_tokens]
        dropped += len(sequences) - len(short)
        if short:
            data.append(short)
    if not data:
        raise TrainingError(
            "NOTHING_TO_LEARN",
            f"No conversation could be learnt from: {dropped} are longer than the model's {policy.context} tokens."
            if dropped
            else "The training data has no conversations.",
        )
    batches = [data[at : at + options.batch_size] for at in range(0, len(data), options.batch_size)] * options.epochs
    if isinstance(options.learning_rate, tuple) and len(options.learning_rate) != len(batches):
        raise TrainingError(
            "BAD_CONFIG",
            f"learning_rate lists {len(options.learning_rate)} numbers, and the data makes {len(batches)} batches.",
        )

    # Where it begins, or goes on.
    job = Job(policy, job_options)
    clock = StepClock(policy)
    if not job.resumed:
        yield TrainingStarted(len(batches), number=job.next_number())

    for index in range(job.done, len(batches)):
        clock.start()
        sequences = [sequence for conversation in batches[index] for sequence in conversation]
        learnt = sum(sequence.trained_tokens for sequence in sequences)

        # The gradient, a row at a time.
        loss = 0.0
        for row in pack(sequences, job.row_tokens, policy.device):
            logprobs, _ = policy.logprobs(row)
            share = -logprobs.sum() / learnt
            share.backward()
            loss += float(share.detach())
        if not math.isfinite(loss):
            raise not_a_number("the loss")
        rate = options.rate(index)
        grad_norm = job.update(rate)

        metrics = job.stepped(
            {
                "loss": loss,
                "grad_norm": grad_norm,
                "learning_rate": rate,
                "num_trajectories": len(batches[index]),
                "num_datums": len(sequences),
                "num_trainable_tokens": learnt,
                "data/num_dropped": dropped,
                **clock.measured([len(sequence) for sequence in sequences]),
            }
        )
        yield GradientStep(job.done, metrics, number=job.next_number())
        job.save_if_due()

    # The checkpoint comes before the last event: whoever sees that one finds it.
    yield job.finish()
    yield TrainingEnded(number=job.next_number())
