"""What a training job tells, in order and numbered. Knows nothing of recipes, of rows in a database or of the wire.

A receiver keeps the number of the last event it has stored. A job that is resumed tells the events since its saved state
again, with the same numbers: those that were stored already are dropped by their number, so none is there twice and none
is missing."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from .errors import CODES, TrainingError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrainingStarted:
    """num_sequences: gradient steps that will follow."""

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
    """Not for callers: whoever keeps checkpoints' rows writes one. step: the checkpoint's, not the gradient's."""

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
    """number: that of the event that would have come next."""

    code: str
    message: str
    number: int = 0
    type = "training_failed"

    @property
    def retriable(self) -> bool:
        return CODES[self.code]


Event = TrainingStarted | GradientStep | CheckpointWritten | TrainingEnded | TrainingFailed
TYPES = {kind.type: kind for kind in (TrainingStarted, GradientStep, CheckpointWritten, TrainingEnded, TrainingFailed)}


def as_json(event: Event) -> dict:
    return {"type": event.type, **asdict(event)}


def of_json(value: dict) -> Event:
    return TYPES[value["type"]](**{name: one for name, one in value.items() if name != "type"})


def ending_in_failure(recipe: Iterator[Event]) -> Iterator[Event]:
    """A recipe's events; what it raises becomes the last one, numbered after those before."""
    number = 0
    try:
        for event in recipe:
            number = event.number
            yield event
    except TrainingError as error:
        yield TrainingFailed(error.code, error.message, number + 1)
    except MemoryError:
        yield TrainingFailed("OUT_OF_MEMORY", OUT_OF_MEMORY, number + 1)
    except Exception as error:
        if "out of memory" in str(error).lower() or "can't allocate memory" in str(error).lower():
            yield TrainingFailed("OUT_OF_MEMORY", OUT_OF_MEMORY, number + 1)
            return
        log.exception("training failed")
        yield TrainingFailed(
            "INTERNAL",
            f"Training stopped at an error of its own ({type(error).__name__}); see the node's log.",
            number + 1,
        )


OUT_OF_MEMORY = (
    "The device has too little memory for a row of this job: turn on gradient_checkpointing, or set fewer row_tokens."
)
