"""Processes the logits of a pass: draws tokens, appends them to choices, sends events, releases rows. Knows nothing
of passes or of scheduling."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import torch

from ..errors import NodeError
from .choice import Choice
from .counts import Counts
from .row_allocator import RowAllocator
from .running_request import RunningRequest
from .sample import sample

log = logging.getLogger(__name__)


class Results:
    def __init__(self, rows: RowAllocator, counts: Counts, enqueue: Callable[[Choice], None]):
        """enqueue: queues a choice that needs a row."""
        self.rows = rows
        self.counts = counts
        self._enqueue = enqueue

    def sample_next(self, choices: list[Choice], logits: torch.Tensor) -> None:
        """Draws the next token of each choice. logits: [choices, vocabulary]."""
        self.counts.sent = True
        if any(c.running.beams is not None for c in choices):
            beams: dict[RunningRequest, list[int]] = {}
            for i, choice in enumerate(choices):
                if choice.running.beams is not None:
                    beams.setdefault(choice.running, []).append(i)
            for running in beams:
                self._advance_beams(running, {choices[i]: logits[i] for i in beams[running]})
            rest = [i for i, c in enumerate(choices) if c.running.beams is None]
            if not rest:
                return
            choices, logits = [choices[i] for i in rest], logits[rest]
        for choice, drawn in zip(choices, sample(choices, logits)):
            running = choice.running
            if running.ended:
                # Another choice of the same request has just failed.
                continue
            if isinstance(drawn, Exception):
                if choice.row >= 0:
                    # The row may contain NaN, which a cached prefix would pass on.
                    self.rows.cache.clear(choice.row)
                self.fail(running, drawn, keep=False)
                continue
            if choice.index == 0 and choice.generated == 0:
                # The other choices reuse the prompt that the first one computed.
                for other in running.choices[1:]:
                    self._enqueue(other)
            if drawn is None:
                choice.end_early()
                self._release_row(choice)
                running.flush(choice, True)
                continue
            try:
                finished = choice.append(*drawn)
            except Exception as error:
                log.exception("a token could not be appended")
                self.fail(running, error if isinstance(error, NodeError) else NodeError("INTERNAL", str(error)))
                continue
            self.counts.generated_tokens += 1
            if finished:
                # Before sending the end: its receiver may count on a free row.
                self._release_row(choice)
            running.progress(choice, finished)

    def _advance_beams(self, running: RunningRequest, rows: dict[Choice, torch.Tensor]) -> None:
        beams = running.beams
        if any(choice not in rows for choice in beams.present):
            raise RuntimeError("a beam was left behind")
        try:
            over = beams.advance(torch.stack([rows[choice] for choice in beams.present]))
        except NodeError as error:
            self.fail(running, error)
            return
        self.counts.generated_tokens += len(beams.present)
        if not running.first_token_at:
            running.first_token_at = time.monotonic()
        if over:
            for delta in beams.deltas():
                running.send(delta)
            self._release_rows(running)
            running.finish()

    def _release_row(self, choice: Choice) -> None:
        if choice.row >= 0:
            self.rows.release(choice)

    def _release_rows(self, running: RunningRequest, keep: bool = True) -> None:
        for choice in running.choices:
            if choice.row >= 0:
                self.rows.release(choice, keep=keep and not choice.parked)

    def fail(self, running: RunningRequest, error: Exception, keep: bool = True) -> None:
        """Ends a request with an error. keep: whether its prefixes stay cached."""
        if running.ended:
            return
        self._release_rows(running, keep)
        running.fail(error)
        self.counts.sent = True
