"""Connects a running job with its caller: stop requests in, status out. Read by the job's thread, set by another.
Knows nothing of the caller."""

from __future__ import annotations

from collections.abc import Callable

from .errors import TURN, stopped


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
