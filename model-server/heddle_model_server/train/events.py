"""The numbered events of a training job.

A receiver remembers the number of the last event it stored. A resumed job repeats the events since its saved state
with the same numbers, and the receiver drops those it has: none is missing or stored twice."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import wraps

from .errors import CODES, TrainingError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrainingStarted:
    """num_sequences: gradient steps to come."""

    num_sequences: int
    number: int = 0
    type = "training_started"


@dataclass(frozen=True, slots=True)
class GradientStep:
    """step: from 1. metrics: finite numbers only."""

    step: int
    metrics: dict[str, float]
    number: int = 0
    type = "gradient_step"


@dataclass(frozen=True, slots=True)
class CheckpointWritten:
    """For the owner of the checkpoints' records, not for callers. step: the checkpoint's, not the gradient's."""

    step: int
    address: str
    manifest_sha256: str
    bytes: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    number: int = 0
    type = "checkpoint_written"


@dataclass(frozen=True, slots=True)
class TrainingEnded:
    number: int = 0
    type = "training_ended"


@dataclass(frozen=True, slots=True)
class TrainingFailed:
    """number: one more than the last event's."""

    code: str
    message: str
    number: int = 0
    type = "training_failed"

    @property
    def retriable(self) -> bool:
        """Whether another attempt may succeed."""
        return CODES[self.code]


Event = TrainingStarted | GradientStep | CheckpointWritten | TrainingEnded | TrainingFailed
Recipe = Callable[..., Iterator[Event]]
TYPES = {kind.type: kind for kind in (TrainingStarted, GradientStep, CheckpointWritten, TrainingEnded, TrainingFailed)}


def as_json(event: Event) -> dict:
    """An event as plain values."""
    return {"type": event.type, **asdict(event)}


def of_json(value: dict) -> Event:
    """The event of as_json's result."""
    return TYPES[value["type"]](**{name: one for name, one in value.items() if name != "type"})


def ending_in_failure(recipe: Recipe) -> Recipe:
    """Makes an exception of a recipe its last event, numbered after the others."""

    @wraps(recipe)
    def events(*arguments, **options) -> Iterator[Event]:
        number = 0
        try:
            for event in recipe(*arguments, **options):
                number = event.number
                yield event
        except Exception as error:
            yield failure_of(error, number + 1)

    return events


def failure_of(error: Exception, number: int) -> TrainingFailed:
    """The last event of a job that ended by an exception."""
    if isinstance(error, TrainingError):
        return TrainingFailed(error.code, error.message, number)
    if out_of_memory(error):
        why = "The device has too little memory for the longest sequence of this job: leave it out, or train on a larger device."
        return TrainingFailed("OUT_OF_MEMORY", why, number)
    log.exception("training failed")
    why = f"Training stopped at an internal error ({type(error).__name__}); see the node's log."
    return TrainingFailed("INTERNAL", why, number)


def out_of_memory(error: Exception) -> bool:
    """Whether the device, or the machine, had too little memory."""
    said = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in said or "can't allocate memory" in said
