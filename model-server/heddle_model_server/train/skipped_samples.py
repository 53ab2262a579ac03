"""Counts and reports the samples that a job skips. Knows nothing of what a sample is."""

from __future__ import annotations

from collections.abc import Callable

from .errors import TrainingError

# Further skipped samples are only counted.
MAX_LOGGED = 20


class SkippedSamples:
    def __init__(self, report: Callable[[str], None]):
        """report: takes a sentence for the job's log."""
        self._report = report
        self.count = 0
        self.first = ""

    def add(self, error: TrainingError) -> None:
        """Counts a skipped sample. Raises the error unless it is BAD_DATA."""
        if error.code != "BAD_DATA":
            raise error
        self.count += 1
        self.first = self.first or error.message
        if self.count <= MAX_LOGGED:
            self._report(f"left out: {error.message}")
        elif self.count == MAX_LOGGED + 1:
            self._report("left out: more of the training data; data/num_left_out of the job's events counts it")

    def nothing_left(self) -> TrainingError:
        """The error if every sample was skipped."""
        return TrainingError("BAD_DATA", f"All of the training data is left out. {self.first}".strip())
