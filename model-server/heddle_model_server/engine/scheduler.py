"""What one step of the engine does: lets requests into rows, computes pieces of prompts and the next token of every choice
at work, and gives way where memory is short. Knows nothing of threads; how tokens are drawn and sent is results.py."""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Callable

import torch

from ..errors import NodeError
from ..request import Request
from ..sampling.logprobs import of_prompt
from ..text.detokenizer import TextStream
from .beams import Beams
from .choice import Choice
from .counts import Counts
from .forward import Forward
from .lora_pool import LoraPool
from .memory import release
from .model import LoadedModel
from .results import Results
from .row_allocator import Rows
from .running_request import Running

log = logging.getLogger(__name__)

# Before every other request: the node's own question whether it lives. It has a row that nobody else gets.
HEALTH_PRIORITY = -(2**40)
GOOD_PASSES_UNTIL_MORE = 64
SMALLEST_PIECE = 16


class Work:
    """Requests that wait, and choices in rows. Everything here runs on the engine's thread."""

    def __init__(
        self,
        loaded: LoadedModel,
        rows: Rows,
        forward: Forward,
        pool: LoraPool,
        counts: Counts,
        slots: int,
        piece: int,
        measure: Callable[[], int],
    ):
        """slots: choices at once. piece: tokens of prompts in one step; both are lowered while memory is short. measure:
        tokens that the cache may have now; raises where they are too few."""
        self.loaded = loaded
        self.rows = rows
        self.rows.limit = slots
        self.forward = forward
        self.pool = pool
        self.counts = counts
        self.results = Results(rows, counts, self.wait)
        self._slots = self._all_slots = slots
        self._measure = measure
        self._budget = rows.cache.budget
        # Everybody waits while the device is somebody else's.
        self.paused = False
        self._piece = self._most = piece
        self._good = 0
        self._waiting: list[tuple[int, float, int, Choice]] = []
        self._numbers = itertools.count()
        self._special = frozenset(id for id, token in loaded.tokenizer.added_tokens_decoder.items() if token.special)

    @property
    def any(self) -> bool:
        return bool(self.rows.active or self._waiting) and not self.paused

    def make_room(self, kept: float) -> None:
        """Keeps this share of cache and slots. 0: waits until it is called again; 1: takes back what is free now. What was
        at work goes on later from its tokens, where it still fits; a search of beams is ended. Where this raises because
        the memory can't be had, everybody waits until a call succeeds."""
        for choice in list(self.rows.active):
            if choice.row >= 0 and choice.running.beams is None:
                self.rows.release(choice, keep=False)
                choice.computed = 0
                if len(choice.running.prompt_logprobs or []) < choice.prompt_length:
                    # Told from the beginning again.
                    choice.running.prompt_logprobs = None
                self.wait(choice)
        for choice in list(self.rows.active):
            if not choice.running.ended:
                error = NodeError("OUT_OF_MEMORY", "The request was ended to make room for training on this node.")
                self.results.fail(choice.running, error)
        self.rows.forget(everything=True)
        self.paused = True
        self._slots = self.rows.limit = 0
        self.rows.cache.remake(0)
        release(self.loaded.device)
        if kept == 0:
            return
        if kept == 1:
            self._budget = self._measure()
        self.rows.cache.remake(min(self._budget, max(int(self._budget * kept), self.loaded.context)))
        self._slots = self.rows.limit = max(1, int(self._all_slots * kept))
        self.paused = False

    def step(self) -> None:
        if self.paused:
            return
        self._admit()
        self._prefill()
        self._decode()

    def forget_waiting(self) -> None:
        self._waiting.clear()

    def take(self, running: Running) -> None:
        request = running.request
        self.counts.requests += 1
        self.counts.prompt_tokens += len(request.prompt)
        running.choices = [Choice(running, i, self.loaded, self._special) for i in range(request.params.n)]
        running.open = 1 if request.params.beam else request.params.n
        self.wait(running.choices[0])

    def wait(self, choice: Choice) -> None:
        priority, arrived = choice.running.order
        heapq.heappush(self._waiting, (priority, arrived, next(self._numbers), choice))

    # -- admission ------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        while self._waiting:
            choice = self._waiting[0][3]
            running = choice.running
            if running.ended:
                heapq.heappop(self._waiting)
                continue
            params = choice.request.params
            width = params.n if params.beam else 1
            if choice.request.priority == HEALTH_PRIORITY:
                self.rows.limit += 1
                possible = self.rows.can_admit(len(choice.all), width)
                self.rows.limit -= 1
            else:
                possible = self.rows.can_admit(len(choice.all), width)
            if not possible:
                if not self.rows.active:
                    # Alone and still no room: the cache's rows are too few for it.
                    heapq.heappop(self._waiting)
                    self.results.fail(
                        running, NodeError("NODE_FULL", "The request is larger than this node's whole cache.")
                    )
                    continue
                return
            heapq.heappop(self._waiting)
            # Where a beginning is shared there are no logits of it to tell of.
            share = params.prompt_logprobs is None or choice.index > 0
            self.rows.admit(choice, share)
            if not running.started_at:
                self.counts.cached_tokens += choice.computed
                self.counts.sent = True
                running.start(choice.computed)
            if params.beam:
                for other in running.choices[1:]:
                    other.parked = True
                    self.rows.admit(other, False)
                running.beams = Beams(running, self.rows.cache, self._text_stream)

    def _text_stream(self, request: Request, tail: list[int]) -> TextStream:
        params = request.params
        return TextStream(
            self.loaded.tokenizer.backend_tokenizer,
            tail,
            params.skip_special_tokens,
            params.spaces_between_special_tokens,
            self._special,
        )

    # -- passes ---------------------------------------------------------------------------------------------------

    def _prefill(self) -> None:
        todo = [c for c in self.rows.active if not c.parked and len(c.all) - c.computed > 1]
        if not todo:
            return
        todo.sort(key=lambda c: (c.running.order, c.index))
        if self._tells_prompt(todo[0]):
            self._passes([todo[0]], self._prefill_alone)
            return
        chosen: list[Choice] = []
        widest = 0
        for choice in todo:
            if self._tells_prompt(choice):
                continue
            width = max(widest, min(len(choice.all) - choice.computed, self._piece))
            if chosen and width * (len(chosen) + 1) > self._piece:
                break
            chosen.append(choice)
            widest = width
        chosen.sort(key=lambda c: c.row)
        self._passes(chosen, self._prefill_together)

    @staticmethod
    def _tells_prompt(choice: Choice) -> bool:
        return (
            choice.request.params.prompt_logprobs is not None
            and choice.index == 0
            and choice.computed < choice.prompt_length
            and len(choice.running.prompt_logprobs or []) < choice.prompt_length
        )

    def _prefill_together(self, choices: list[Choice]) -> None:
        pieces = [c.all[c.computed : c.computed + self._piece] for c in choices]
        self.pool.select([c.request.adapter for c in choices], self.loaded.device)
        logits = self.forward.prefill([c.row for c in choices], pieces, [c.computed for c in choices])
        for choice, piece in zip(choices, pieces):
            choice.computed += len(piece)
        whole = [i for i, c in enumerate(choices) if c.computed == len(c.all)]
        if whole:
            self.results.next([choices[i] for i in whole], logits if len(whole) == len(choices) else logits[whole])

    def _prefill_alone(self, choices: list[Choice]) -> None:
        choice = choices[0]
        running = choice.running
        piece = choice.all[choice.computed : min(choice.computed + self._piece, choice.prompt_length)]
        self.pool.select([choice.request.adapter], self.loaded.device)
        logits = self.forward.prefill([choice.row], [piece], [choice.computed], every=True)
        first = choice.computed + 1
        told = choice.all[first : min(first + len(piece), choice.prompt_length)]
        if running.prompt_logprobs is None:
            running.prompt_logprobs = [[]]
        running.prompt_logprobs += of_prompt(logits[: len(told)], told, choice.request.params.prompt_logprobs)
        choice.computed += len(piece)
        if choice.computed == len(choice.all):
            self.results.next([choice], logits[-1:])

    def _decode(self) -> None:
        ready = [c for c in self.rows.active if not c.parked and len(c.all) - c.computed == 1]
        if not ready:
            return
        while not self.rows.grow(max(len(c.all) for c in ready)):
            if not self._set_aside():
                return
            ready = [c for c in ready if c.row >= 0]
            if not ready:
                return
        ready.sort(key=lambda c: c.row)
        self._passes(ready, self._decode_together)

    def _decode_together(self, choices: list[Choice]) -> None:
        first, last = choices[0].row, choices[-1].row
        span = self.rows.active[first : last + 1]
        # Rows in between that are not ready are computed along: what they write is written over when they are.
        tokens = [c.all[c.computed] if len(c.all) - c.computed == 1 else 0 for c in span]
        positions = [min(c.computed, self.rows.cache.width - 1) for c in span]
        self.pool.select([c.request.adapter for c in span], self.loaded.device)
        logits = self.forward.decode(first, tokens, positions)
        for choice in choices:
            choice.computed += 1
        if len(span) != len(choices):
            logits = logits[[c.row - first for c in choices]]
        self.results.next(choices, logits)

    def _passes(self, choices: list[Choice], run: Callable[[list[Choice]], None]) -> None:
        """Runs a pass; one that fails is tried again in halves, until only what fails by itself is given up."""
        try:
            run(choices)
        except torch.OutOfMemoryError:
            release(self.loaded.device)
            self._good = 0
            self._relieve(choices)
            return
        except Exception as error:
            log.exception("a pass over %d rows failed", len(choices))
            still = [c for c in choices if c.row >= 0]
            if len(choices) == 1:
                self.counts.failures += 1
                known = error if isinstance(error, NodeError) else None
                self.results.fail(
                    choices[0].running, known or NodeError("INTERNAL", "The node failed at this request.")
                )
                return
            half = len(choices) // 2
            for part in (choices[:half], choices[half:]):
                part = [c for c in part if c in still and not c.running.ended]
                if part:
                    self._passes(part, run)
            return
        self.counts.failures = 0
        self._good += 1
        if self._good >= GOOD_PASSES_UNTIL_MORE:
            self._good = 0
            self.rows.limit = min(self.rows.limit + 1, self._slots)
            self._piece = min(self._piece * 2, self._most)

    # -- short of memory ------------------------------------------------------------------------------------------

    def _relieve(self, choices: list[Choice]) -> None:
        """A pass did not fit: the next one is smaller. What was set aside goes on later, from its tokens."""
        if any(len(c.all) - c.computed > 1 for c in choices) and self._piece > SMALLEST_PIECE:
            self._piece //= 2
            return
        if len(self.rows.active) > 1:
            for _ in range(len(self.rows.active) // 2):
                if not self._set_aside():
                    break
            self.rows.limit = max(1, len(self.rows.active))
            return
        self.counts.shed += 1
        self.results.fail(
            choices[0].running, NodeError("OUT_OF_MEMORY", "The node has not enough memory for this request.")
        )

    def _set_aside(self) -> bool:
        """Takes the row of the choice that should go last; false if a whole request had to be given up instead and
        none is left."""
        self.counts.shed += 1
        choice = max(self.rows.active, key=lambda c: (c.running.order, c.index))
        if choice.running.beams is not None or len(self.rows.active) == 1:
            self.results.fail(
                choice.running,
                NodeError("OUT_OF_MEMORY", "The request was ended to make room for others on this node."),
            )
            return bool(self.rows.active)
        self.rows.release(choice)
        choice.computed = 0
        self.wait(choice)
        return True
