"""What the outside wants of a running job, and what the job tells while it is at no gradient step. Asked from the job's
thread, set from another. Knows nothing of who is outside."""

from __future__ import annotations

from collections.abc import Callable

from .errors import stopped


class Control:
    def __init__(self, report: Callable[[str], None] = lambda reason: None):
        """say: takes what the job waits for, in a few words."""
        self.report = report
        # A code of errors.STOPPED.
        self.stop_code = ""

    def stop(self, code: str) -> None:
        """Ends the job after its present gradient step; the first one counts. DRAINING saves its state before."""
        self.stop_code = self.stop_code or code

    def check(self) -> None:
        """Raises what was wanted; for work between whose pieces there is nothing to save."""
        if self.stop_code:
            raise stopped(self.stop_code)
