"""The errors of a training job: a stable code and one sentence that says what to do; and how a running job is stopped. The
list is in proto/heddle/node/v1/README.md."""

from collections.abc import Callable

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


class Control:
    """One job's controls."""

    def __init__(self, report: Callable[[str], None] = lambda reason: None):
        """report: takes a short text on what the job is waiting for."""
        self.report = report
        # A key of errors.STOPPED; empty: run on.
        self.stop_code = ""

    def stop(self, code: str) -> None:
        """Ends the job after its current gradient step; the first code counts. DRAINING and TURN save the job's state first."""
        self.stop_code = self.stop_code or code

    def check(self) -> None:
        """Raises the TrainingError of a requested stop. For work without state worth saving, which a turn has to get past."""
        if self.stop_code not in ("", TURN):
            raise stopped(self.stop_code)
