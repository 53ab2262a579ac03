"""The errors of a training job: a stable code and one sentence that says what to do. The list is in
proto/heddle/node/v1/README.md. Knows nothing of job states or of how an error is sent."""

from __future__ import annotations

# Whether another attempt, here or elsewhere, may succeed.
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

# Told to the node alone: the job goes on from its saved state in its next turn.
TURN = "TURN"

STOPPED = {
    "CANCELLED": "The job was cancelled.",
    "FENCED": "A newer attempt of this job took over.",
    "DRAINING": "This node is shutting down; the job continues on another node from its saved state.",
    TURN: "Another job, or chat, has its turn.",
}


class TrainingError(Exception):
    """code: a key of CODES."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code
        self.message = message


def stopped(code: str) -> TrainingError:
    """code: a key of STOPPED."""
    return TrainingError(code, STOPPED[code])
