"""Samples that a job goes on without. Knows nothing of what a sample is."""

from __future__ import annotations

from collections.abc import Callable

from .errors import TrainingError

# So many are named, the others only counted.
NAMED = 20


class LeftOut:
    def __init__(self, say: Callable[[str], None]):
        """say: takes a sentence for whoever reads the job's log."""
        self._say = say
        self.count = 0
        self.first = ""

    def add(self, error: TrainingError) -> None:
        """Raises it if it isn't the sample's own fault."""
        if error.code != "BAD_DATA":
            raise error
        self.count += 1
        self.first = self.first or error.message
        if self.count <= NAMED:
            self._say(f"left out: {error.message}")
        elif self.count == NAMED + 1:
            self._say("left out: more of the training data; data/num_left_out of the job's events counts it")

    def everything(self) -> TrainingError:
        """Where no sample is left."""
        return TrainingError("BAD_DATA", f"All of the training data is left out. {self.first}".strip())
