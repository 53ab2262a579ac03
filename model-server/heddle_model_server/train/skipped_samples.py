"""Samples that a job goes on without. Knows nothing of what a sample is."""

from __future__ import annotations

from collections.abc import Callable

from .errors import TrainingError

# So many are named, the others only counted.
MAX_LOGGED = 20


class SkippedSamples:
    def __init__(self, report: Callable[[str], None]):
        """say: takes a sentence for whoever reads the job's log."""
        self._report = report
        self.count = 0
        self.first = ""

    def add(self, error: TrainingError) -> None:
        """Raises it if it isn't the sample's own fault."""
        if error.code != "BAD_DATA":
            raise error
        self.count += 1
        self.first = self.first or error.message
        if self.count <= MAX_LOGGED:
            self._report(f"left out: {error.message}")
        elif self.count == MAX_LOGGED + 1:
            self._report("left out: more of the training data; data/num_left_out of the job's events counts it")

    def nothing_left(self) -> TrainingError:
        """Where no sample is left."""
        return TrainingError("BAD_DATA", f"All of the training data is left out. {self.first}".strip())
