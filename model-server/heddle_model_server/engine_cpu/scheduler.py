"""One step of the engine: admits requests to cache rows, computes chunks of prompts, decodes one token of every
active choice, and preempts when memory is short. Knows nothing of threads, or of how tokens are drawn and sent."""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Callable

import torch

from ..errors import NodeError
from ..request import Request
from .logprobs import prompt_token_logprobs
from ..chat.detokenizer import Detokenizer
from .beams import Beams
from .choice import Choice
from .counts import Counts
from .forward import Forward
from .lora_pool import LoraPool
from .memory import release_unused
from ..model import LoadedModel
from .results import Results
from .row_allocator import RowAllocator
from .running_request import RunningRequest

log = logging.getLogger(__name__)

# The health check comes before every other request, and has a row of its own.
HEALTH_PRIORITY = -(2**40)
PASSES_BEFORE_GROWTH = 64
MIN_CHUNK_TOKENS = 16


class Scheduler:
    """Queued requests and active choices. Runs on the engine's thread only."""

    def __init__(
        self,
        loaded: LoadedModel,
        rows: RowAllocator,
        forward: Forward,
        pool: LoraPool,
        counts: Counts,
        slots: int,
        chunk_tokens: int,
        cache_budget: Callable[[], int],
    ):
        """slots: choices at the same time. chunk_tokens: prompt tokens per step. Both are lowered while memory is
        short. cache_budget: tokens the cache may have now; raises ValueError if they are too few."""
        self.loaded = loaded
        self.rows = rows
        self.rows.limit = slots
        self.forward = forward
        self.pool = pool
        self.counts = counts
        self.results = Results(rows, counts, self.enqueue)
        self._slots = self._max_slots = slots
        self._cache_budget = cache_budget
        self._budget = rows.cache.budget
        # True while training has the device.
        self.paused = False
        self._chunk_tokens = self._max_chunk_tokens = chunk_tokens
        self._successful_passes = 0
        self._queue: list[tuple[int, float, int, Choice]] = []
        self._numbers = itertools.count()
        self._special = frozenset(id for id, token in loaded.tokenizer.added_tokens_decoder.items() if token.special)

    @property
    def has_work(self) -> bool:
        """Whether a step would do anything."""
        return bool(self.rows.active or self._queue) and not self.paused

    def set_memory_share(self, share: float) -> None:
        """Keeps this share of cache and slots. 0: pauses; 1: takes what is free now. Active choices are preempted,
        and continue from their tokens if they still fit; beam searches fail. If this raises because memory is short,
        all requests wait until a later call succeeds."""
        for choice in list(self.rows.active):
            if choice.row >= 0 and choice.running.beams is None:
                self.rows.release(choice, keep=False)
                choice.computed = 0
                if len(choice.running.prompt_logprobs or []) < choice.prompt_length:
                    # Computed again from the beginning.
                    choice.running.prompt_logprobs = None
                self.enqueue(choice)
        for choice in list(self.rows.active):
            if not choice.running.ended:
                error = NodeError("OUT_OF_MEMORY", "The request was ended to free memory for training on this node.")
                self.results.fail(choice.running, error)
        self.rows.drop_prefixes(everything=True)
        self.paused = True
        self._slots = self.rows.limit = 0
        self.rows.cache.reallocate(0)
        release_unused(self.loaded.device)
        if share == 0:
            return
        if share == 1:
            self._budget = self._cache_budget()
        self.rows.cache.reallocate(min(self._budget, max(int(self._budget * share), self.loaded.context)))
        self._slots = self.rows.limit = max(1, int(self._max_slots * share))
        self.paused = False

    def step(self) -> None:
        """Runs one step."""
        if self.paused:
            return
        self._admit()
        self._prefill()
        self._decode()

    def clear_queue(self) -> None:
        """Forgets queued choices."""
        self._queue.clear()

    def add(self, running: RunningRequest) -> None:
        """Queues a new request."""
        request = running.request
        self.counts.requests += 1
        self.counts.prompt_tokens += len(request.prompt)
        running.choices = [Choice(running, i, self.loaded, self._special) for i in range(request.params.n)]
        running.open_choices = 1 if request.params.beam else request.params.n
        self.enqueue(running.choices[0])

    def enqueue(self, choice: Choice) -> None:
        """Queues a choice for a row."""
        priority, arrived = choice.running.order
        heapq.heappush(self._queue, (priority, arrived, next(self._numbers), choice))

    # -- admission ------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        while self._queue:
            choice = self._queue[0][3]
            running = choice.running
            if running.ended:
                heapq.heappop(self._queue)
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
                    # It doesn't fit even alone: the cache is too small.
                    heapq.heappop(self._queue)
                    self.results.fail(
                        running, NodeError("NODE_FULL", "The request is larger than this node's whole cache.")
                    )
                    continue
                return
            heapq.heappop(self._queue)
            # A shared prefix has no logits, which prompt_logprobs needs.
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

    def _text_stream(self, request: Request, tail: list[int]) -> Detokenizer:
        params = request.params
        return Detokenizer(
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
        if self._needs_prompt_logprobs(todo[0]):
            self._run_pass([todo[0]], self._prefill_with_logprobs)
            return
        chosen: list[Choice] = []
        widest = 0
        for choice in todo:
            if self._needs_prompt_logprobs(choice):
                continue
            width = max(widest, min(len(choice.all) - choice.computed, self._chunk_tokens))
            if chosen and width * (len(chosen) + 1) > self._chunk_tokens:
                break
            chosen.append(choice)
            widest = width
        chosen.sort(key=lambda c: c.row)
        self._run_pass(chosen, self._prefill_batch)

    @staticmethod
    def _needs_prompt_logprobs(choice: Choice) -> bool:
        return (
            choice.request.params.prompt_logprobs is not None
            and choice.index == 0
            and choice.computed < choice.prompt_length
            and len(choice.running.prompt_logprobs or []) < choice.prompt_length
        )

    def _prefill_batch(self, choices: list[Choice]) -> None:
        pieces = [c.all[c.computed : c.computed + self._chunk_tokens] for c in choices]
        self.pool.select([c.request.adapter for c in choices], self.loaded.device)
        logits = self.forward.prefill([c.row for c in choices], pieces, [c.computed for c in choices])
        for choice, piece in zip(choices, pieces):
            choice.computed += len(piece)
        whole = [i for i, c in enumerate(choices) if c.computed == len(c.all)]
        if whole:
            every = len(whole) == len(choices)
            self.results.sample_next([choices[i] for i in whole], logits if every else logits[whole])

    def _prefill_with_logprobs(self, choices: list[Choice]) -> None:
        choice = choices[0]
        running = choice.running
        piece = choice.all[choice.computed : min(choice.computed + self._chunk_tokens, choice.prompt_length)]
        self.pool.select([choice.request.adapter], self.loaded.device)
        logits = self.forward.prefill([choice.row], [piece], [choice.computed], all_positions=True)
        first = choice.computed + 1
        described = choice.all[first : min(first + len(piece), choice.prompt_length)]
        if running.prompt_logprobs is None:
            running.prompt_logprobs = [[]]
        top = choice.request.params.prompt_logprobs
        running.prompt_logprobs += prompt_token_logprobs(logits[: len(described)], described, top)
        choice.computed += len(piece)
        if choice.computed == len(choice.all):
            self.results.sample_next([choice], logits[-1:])

    def _decode(self) -> None:
        ready = [c for c in self.rows.active if not c.parked and len(c.all) - c.computed == 1]
        if not ready:
            return
        while not self.rows.grow(max(len(c.all) for c in ready)):
            if not self._preempt():
                return
            ready = [c for c in ready if c.row >= 0]
            if not ready:
                return
        ready.sort(key=lambda c: c.row)
        self._run_pass(ready, self._decode_batch)

    def _decode_batch(self, choices: list[Choice]) -> None:
        first, last = choices[0].row, choices[-1].row
        span = self.rows.active[first : last + 1]
        # Rows in between that aren't ready are computed too; later passes overwrite what they store.
        tokens = [c.all[c.computed] if len(c.all) - c.computed == 1 else 0 for c in span]
        positions = [min(c.computed, self.rows.cache.width - 1) for c in span]
        self.pool.select([c.request.adapter for c in span], self.loaded.device)
        logits = self.forward.decode(first, tokens, positions)
        for choice in choices:
            choice.computed += 1
        if len(span) != len(choices):
            logits = logits[[c.row - first for c in choices]]
        self.results.sample_next(choices, logits)

    def _run_pass(self, choices: list[Choice], run: Callable[[list[Choice]], None]) -> None:
        """Runs a pass. One that fails is split in halves, until only choices that fail alone are given up."""
        try:
            run(choices)
        except torch.OutOfMemoryError:
            release_unused(self.loaded.device)
            self._successful_passes = 0
            self._reduce_batch(choices)
            return
        except Exception as error:
            log.exception("a pass over %d rows failed", len(choices))
            still = [c for c in choices if c.row >= 0]
            if len(choices) == 1:
                self.counts.failures += 1
                known = error if isinstance(error, NodeError) else None
                self.results.fail(
                    choices[0].running, known or NodeError("INTERNAL", "The node failed to process this request.")
                )
                return
            half = len(choices) // 2
            for part in (choices[:half], choices[half:]):
                part = [c for c in part if c in still and not c.running.ended]
                if part:
                    self._run_pass(part, run)
            return
        self.counts.failures = 0
        self._successful_passes += 1
        if self._successful_passes >= PASSES_BEFORE_GROWTH:
            self._successful_passes = 0
            self.rows.limit = min(self.rows.limit + 1, self._slots)
            self._chunk_tokens = min(self._chunk_tokens * 2, self._max_chunk_tokens)

    # -- out of memory --------------------------------------------------------------------------------------------

    def _reduce_batch(self, choices: list[Choice]) -> None:
        """Makes the next pass smaller after one ran out of memory. Preempted choices continue later from their
        tokens."""
        if any(len(c.all) - c.computed > 1 for c in choices) and self._chunk_tokens > MIN_CHUNK_TOKENS:
            self._chunk_tokens //= 2
            return
        if len(self.rows.active) > 1:
            for _ in range(len(self.rows.active) // 2):
                if not self._preempt():
                    break
            self.rows.limit = max(1, len(self.rows.active))
            return
        self.counts.shed += 1
        self.results.fail(
            choices[0].running, NodeError("OUT_OF_MEMORY", "The node has too little memory for this request.")
        )

    def _preempt(self) -> bool:
        """Takes the row of the last choice in order. False if no active choice is left, because a whole request had
        to be failed instead."""
        self.counts.shed += 1
        choice = max(self.rows.active, key=lambda c: (c.running.order, c.index))
        if choice.running.beams is not None or len(self.rows.active) == 1:
            self.results.fail(
                choice.running,
                NodeError("OUT_OF_MEMORY", "The request was ended to free memory for others on this node."),
            )
            return bool(self.rows.active)
        self.rows.release(choice)
        choice.computed = 0
        self.enqueue(choice)
        return True
