"""Why a training job can't go on: a stable code and one sentence that says what to do. The list is
proto/heddle/node/v1/README.md. Knows nothing of jobs' states or of how an error is sent."""

from __future__ import annotations

# Whether another attempt, here or elsewhere, may well do it.
CODES = {
    "BAD_ADDRESS": False,
    "BAD_CONFIG": False,
    "BAD_DATA": False,
    "NOTHING_TO_LEARN": False,
    "NOT_A_NUMBER": False,
    "BAD_CHECKPOINT": False,
    "DISK": False,
    "OUT_OF_MEMORY": False,
    "CANCELLED": False,
    "FENCED": False,
    "ARTIFACTS_UNREACHABLE": True,
    "DRAINING": True,
    "TRAINER_DIED": True,
    "INTERNAL": True,
}

STOPPED = {
    "CANCELLED": "The job was cancelled.",
    "FENCED": "A newer attempt of this job took over.",
    "DRAINING": "This node is being stopped; the job goes on elsewhere from its saved state.",
}


class TrainingError(Exception):
    """code: of the list above."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code
        self.message = message


def stopped(code: str) -> TrainingError:
    """code: one of STOPPED."""
    return TrainingError(code, STOPPED[code])
