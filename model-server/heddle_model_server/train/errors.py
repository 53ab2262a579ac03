"""Why a training job can't go on: a stable code and one sentence that says what to do. Knows nothing of jobs' states or
of how an error is sent.

BAD_CONFIG      an option is out of its range, or options don't fit the data
BAD_DATA        a line, a message or a trajectory can't be trained on; the sentence says which
NOTHING_TO_LEARN  what was sent has no token to learn from
NOT_A_NUMBER    the loss or its gradient stopped being a number; nothing was changed by that step
BAD_CHECKPOINT  the checkpoint to start from is missing, damaged or of another shape
DISK            a checkpoint can't be written
OUT_OF_MEMORY   a row doesn't fit into the device
INTERNAL        anything else
"""

from __future__ import annotations


class TrainingError(Exception):
    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code
        self.message = message
