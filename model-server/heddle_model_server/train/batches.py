"""Training on samples that are written down: one gradient step per batch, in the data's order, for some passes over it. Samples
are tokenised once and kept on disk. What SFT, DPO and KTO share."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

from pydantic import Field

from .data import Sample, SequenceFile, Sides, SkippedSamples
from .errors import Control, TrainingError
from .events import Event, ending_in_failure
from .job import Job, JobOptions
from .policy import Policy
from .wire_options import Number, checked


@checked
class BatchOptions:
    """batch_size: samples per gradient step. learning_rate: one, or one per batch over all epochs. epochs: passes over the data."""

    batch_size: Annotated[int, Field(ge=1)] = 2
    learning_rate: Number | Annotated[tuple[Number, ...], Field(min_length=1)] = 2e-4
    epochs: Annotated[int, Field(ge=1)] = 1

    def rate(self, batch: int) -> float:
        """The learning rate of a batch."""
        return self.learning_rate[batch] if isinstance(self.learning_rate, tuple) else self.learning_rate


@ending_in_failure
def train_in_batches(
    recipe: str,
    learn: Callable[[Job, list[Sides], float, BatchOptions], dict[str, float]],
    policy: Policy,
    samples: Iterable[Sample],
    options: BatchOptions,
    job_options: JobOptions,
    control: Control | None = None,
    scratch: str = "",
) -> Iterator[Event]:
    """Trains while its events are read. Reading may stop at any event; the same arguments resume the job later. Of several
    answers of a sample all are used, or none.

    recipe: its name. learn: makes a gradient step over samples with a learning rate; returns its metrics. scratch: the
    folder for temporary files; empty: the system's."""
    control = control or Control()
    # Samples without trained tokens keep their places, so that batches match the caller's count and learning rates.
    control.report("the training data is read")
    data = SequenceFile(scratch)
    learnable = dropped = 0
    skipped = SkippedSamples(control.report)
    for sample in samples:
        control.check()
        try:
            sides = sample.sides(policy.chat)
        except TrainingError as error:
            skipped.add(error)
            sides = []
        short = [[one for one in side if len(one) <= policy.context and one.trained_tokens] for side in sides]
        dropped += sum(map(len, sides)) - sum(map(len, short))
        if len(sides) > 1 and list(map(len, sides)) != list(map(len, short)):
            short = []
        usable = any(short)
        learnable += usable
        data.append(short if usable else [])
    if note := policy.chat.note():
        control.report(note)
    if skipped.count and not learnable and not dropped:
        raise skipped.nothing_left()
    if not learnable:
        long = f"Nothing in the training data can be used: {dropped} sequences are longer than the model's {policy.context} tokens."
        raise TrainingError("NOTHING_TO_LEARN", long if dropped else "The training data is empty.")
    batches = math.ceil(len(data) / options.batch_size)
    steps = batches * options.epochs
    if isinstance(options.learning_rate, tuple) and len(options.learning_rate) != steps:
        why = f"learning_rate lists {len(options.learning_rate)} numbers, and the data makes {steps} batches."
        raise TrainingError("BAD_CONFIG", why)

    job = Job(policy, job_options, recipe, control)

    def step(index: int) -> tuple[dict[str, float], list[int]]:
        first = index % batches * options.batch_size
        chosen = range(first, min(first + options.batch_size, len(data)))
        read = [found for place in chosen if (found := data[place])]
        sequences = [sequence for found in read for side in found for sequence in side]
        rate = options.rate(index)
        metrics = {
            **(learn(job, read, rate, options) if read else {"loss": 0.0, "grad_norm": 0.0}),
            "learning_rate": rate,
            "num_trajectories": len(read),
            "num_datums": len(sequences),
            "num_trainable_tokens": sum(sequence.trained_tokens for sequence in sequences),
            "data/num_dropped": dropped,
            "data/num_left_out": skipped.count,
        }
        return metrics, list(map(len, sequences))

    yield from job.steps(steps, step)
    yield from job.end()
