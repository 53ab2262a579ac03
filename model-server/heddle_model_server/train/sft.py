"""Supervised fine-tuning: conversations in, a LoRA checkpoint out, with loss on assistants' messages."""

from functools import partial

from .batches import BatchOptions, train_in_batches
from .data import Sides
from .job import Job
from .wire_options import checked


@checked
class SftOptions(BatchOptions):
    """batch_size: conversations per gradient step."""


def trained_step(job: Job, batch: list[Sides], rate: float, _options: SftOptions) -> dict[str, float]:
    """A gradient step. The loss is the mean of −log π(t) over the batch's trained tokens, however it is split into rows."""
    sequences = [sequence for [answer] in batch for sequence in answer]
    learnt = sum(sequence.trained_tokens for sequence in sequences)
    policy = job.policy

    def passes(row_tokens: int) -> dict[str, float]:
        loss = 0.0
        for row, counted in policy.rows(sequences, row_tokens):
            logprobs, _ = policy.logprobs(row)
            share = counted * -logprobs.sum() / learnt
            job.backward(share)
            loss += float(share.detach())
        return {"loss": loss}

    return job.learn(passes, list(map(len, sequences)), rate)


train_sft = partial(train_in_batches, "sft", trained_step)
