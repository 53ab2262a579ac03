"""One step of the engine: gives waiting choices rows, computes pieces of prompts, decodes a token of each, sends what came of it."""

import heapq
import itertools
import logging
import time
from concurrent.futures import Future

import torch

from ..engine import EngineLoad
from ..errors import NodeError, as_node_error
from ..model import LoadedModel
from ..request import HEALTH_PRIORITY
from ..settings import NodeSettings
from .beams import Beams
from .choice import Choice, RunningRequest
from .forward import forward, over_rows
from .kv_cache import KVCache, PrefixCache
from .sampling import prompt_token_logprobs, sample
from .thread import DEFAULT_SLOTS

log = logging.getLogger(__name__)

# The cache's default size.
DEFAULT_CACHE_BYTES = 2**30
# A new row gets space for this many more tokens.
MARGIN = 16


class Scheduler:
    """Queued requests and choices at work. Runs on the engine's thread only."""

    def __init__(self, loaded: LoadedModel, settings: NodeSettings):
        self.loaded = loaded
        self.settings = settings
        self.slots = settings.slots or DEFAULT_SLOTS
        self.counts = EngineLoad()
        self.run, self.lora = over_rows(loaded, settings.max_adapters, settings.max_adapter_rank)
        token_bytes = loaded.layers * 2 * loaded.kv_heads * loaded.head_dim * loaded.dtype.itemsize
        # The health check has a row of its own.
        rows = self.slots + 1
        budget = settings.cache_tokens or min(rows * loaded.context, DEFAULT_CACHE_BYTES // token_bytes)
        shape = (loaded.layers, loaded.kv_heads, loaded.head_dim)
        self.cache = KVCache(*shape, max(budget, 64), rows, loaded.context, loaded.dtype)
        self.prefixes = PrefixCache(self.slots, self.cache.budget)
        # The choice in each row, without gaps.
        self.active: list[Choice] = []
        self.queue: list[tuple[int, float, int, Choice]] = []
        self._numbers = itertools.count()
        # Choices get no rows while it is set; its result comes when the memory is free.
        self.asleep: Future[None] | None = None

    @property
    def has_work(self) -> bool:
        """Whether a step would do anything."""
        return bool(self.active or (self.queue and self.asleep is None))

    def step(self) -> None:
        """Runs one step."""
        if self.asleep is None:
            self._admit()
        self._prefill()
        self._decode()
        if self.asleep is not None and not self.active and not self.asleep.done():
            self.cache.free()
            self.prefixes.clear()
            self.asleep.set_result(None)

    def wake(self) -> None:
        """Takes the cache's memory back after `asleep`. Raises RuntimeError if there is too little."""
        self.cache.reshape(self.cache.width_for(1), 0)
        self.asleep = None

    def add(self, running: RunningRequest) -> None:
        """Queues a new request."""
        request = running.request
        self.counts.requests += 1
        self.counts.prompt_tokens += len(request.prompt)
        running.choices = [Choice(running, i, self.loaded) for i in range(request.params.n)]
        running.open_choices = 1 if request.params.beam else request.params.n
        self._enqueue(running.choices[0])

    def fail(self, running: RunningRequest, error: Exception, keep: bool = True) -> None:
        """Ends a request with an error. keep: whether its beginnings may be used by others."""
        if not running.ended:
            self._release_all(running, keep)
            running.fail(error)

    # -- rows -------------------------------------------------------------------------------------------------------

    def _enqueue(self, choice: Choice) -> None:
        heapq.heappush(self.queue, (*choice.running.order, next(self._numbers), choice))

    def _admit(self) -> None:
        while self.queue:
            choice = self.queue[0][3]
            running, params = choice.running, choice.request.params
            if not running.ended:
                limit = self.slots + (choice.request.priority == HEALTH_PRIORITY)
                rows = params.n if params.beam else 1
                room = len(self.active) + rows <= limit and self._make_room(rows, len(choice.all) + MARGIN)
                if not room and self.active:
                    return
                if not room:
                    self.fail(running, NodeError("NODE_FULL", "The request is larger than this node's whole cache."))
            heapq.heappop(self.queue)
            if not running.ended:
                self._start(choice)

    def _make_room(self, rows: int, tokens: int) -> bool:
        """Whether there is room for so many more rows of so many tokens; widens the rows if that makes it."""
        count = len(self.active) + rows
        needed = max([min(tokens, self.cache.max_width), *(len(choice.all) for choice in self.active)])
        if self.cache.width >= needed and self.cache.rows >= count:
            return True
        width = self.cache.width_for(needed)
        if self.cache.rows_at(width) < count:
            return False
        self.cache.reshape(width, len(self.active))
        return True

    def _start(self, choice: Choice) -> None:
        """Gives a choice a row, with the beginning that is known of it."""
        running, params = choice.running, choice.request.params
        self._place(choice)
        if needs_prompt_logprobs(choice):
            # Nothing is reported of the first token.
            running.prompt_logprobs = [[]]
        # A known beginning has no logits, which prompt_logprobs needs.
        if running.prompt_kv is not None:
            choice.computed = choice.prompt_length - 1
            self.cache.restore(choice.row, running.prompt_kv, choice.computed)
        elif choice.request.cache_salt and params.prompt_logprobs is None:
            saved, choice.computed = self.prefixes.longest(prefix_key(choice), choice.all[:-1])
            if saved is not None:
                self.cache.restore(choice.row, saved, choice.computed)
        if not running.started_at:
            self.counts.cached_tokens += choice.computed
            running.send(running.start(choice.computed))
        if params.beam:
            for other in running.choices[1:]:
                other.parked = True
                self._place(other)
            running.beams = Beams(running, self.cache, self.loaded)

    def _place(self, choice: Choice) -> None:
        choice.row = len(self.active)
        self.active.append(choice)

    def _release(self, choice: Choice, keep: bool = True) -> None:
        """Takes a choice's row; the last choice moves into the gap."""
        row, last = choice.row, self.active.pop()
        salted = self.settings.prefix_cache and choice.request.cache_salt
        if keep and salted and choice.computed and not choice.parked:
            self.prefixes.add(prefix_key(choice), choice.all[: choice.computed], self.cache.saved(row, choice.computed))
        if last is not choice:
            self.cache.copy([last.row], [row], last.computed)
            self.active[row] = last
            last.row = row
        choice.row = -1

    def _release_all(self, running: RunningRequest, keep: bool = True) -> None:
        for choice in running.choices:
            if choice.row >= 0:
                if not keep:
                    # It may contain NaN, which a mask doesn't hide from later choices in the row.
                    self.cache.clear(choice.row)
                self._release(choice, keep)

    def _set_aside(self) -> None:
        """Takes the row of the last choice in order, which goes on from its tokens later. Beams, and what is alone, fail."""
        self.counts.shed += 1
        choice = max(self.active, key=lambda c: (c.running.order, c.index))
        if choice.running.beams is not None or len(self.active) == 1:
            self.fail(choice.running, NodeError("OUT_OF_MEMORY", "The request was ended to free memory for others."))
            return
        self._release(choice)
        choice.computed = 0
        self._enqueue(choice)

    # -- passes -----------------------------------------------------------------------------------------------------

    def _prefill(self) -> None:
        """Computes the next pieces of prompts, `prefill_tokens` together."""
        todo = [c for c in self.active if not c.parked and len(c.all) - c.computed > 1]
        todo.sort(key=lambda c: (c.running.order, c.index))
        most = self.settings.prefill_tokens
        chosen: list[Choice] = []
        widest = 0
        for choice in todo:
            widest = max(widest, min(len(choice.all) - choice.computed, most))
            # The logits of a whole prompt are reported for one choice at a time.
            if chosen and (needs_prompt_logprobs(choice) or widest * (len(chosen) + 1) > most):
                break
            chosen.append(choice)
            if needs_prompt_logprobs(choice):
                break
        if chosen:
            self._guarded(sorted(chosen, key=lambda c: c.row))

    def _decode(self) -> None:
        ready = [c for c in self.active if not c.parked and len(c.all) - c.computed == 1]
        while ready and not self._make_room(0, max(len(c.all) for c in ready)):
            self._set_aside()
            ready = [c for c in ready if c.row >= 0]
        if ready:
            self._guarded(sorted(ready, key=lambda c: c.row))

    def _compute(self, choices: list[Choice]) -> None:
        pieces = [c.all[c.computed : c.computed + self.settings.prefill_tokens] for c in choices]
        told = needs_prompt_logprobs(choices[0])
        self.lora.select([c.request.adapter for c in choices])
        starts = [c.computed for c in choices]
        logits = forward(self.run, self.cache, [c.row for c in choices], pieces, starts, told)
        for choice, piece in zip(choices, pieces):
            choice.computed += len(piece)
        if told:
            choice, first = choices[0], starts[0] + 1
            tokens = choice.all[first : min(first + len(logits), choice.prompt_length)]
            top = choice.request.params.prompt_logprobs
            choice.running.prompt_logprobs += prompt_token_logprobs(logits[: len(tokens)], tokens, top)
            logits = logits[-1:]
        whole = [i for i, c in enumerate(choices) if c.computed == len(c.all)]
        if whole:
            every = len(whole) == len(choices)
            self._sample([choices[i] for i in whole], logits if every else logits[whole])

    def _guarded(self, choices: list[Choice]) -> None:
        """Runs a pass. If it fails each request gets one of its own, so that only those fail that fail alone."""
        try:
            self._compute(choices)
            self.counts.failures = 0
        except Exception as error:
            log.exception("a pass over %d rows failed", len(choices))
            requests = dict.fromkeys(choice.running for choice in choices)
            if len(requests) == 1:
                self.counts.failures += 1
                self.fail(choices[0].running, as_node_error(error))
                return
            for running in requests:
                own = [c for c in choices if c.running is running and c.row >= 0 and not running.ended]
                if own:
                    self._guarded(own)

    # -- results ----------------------------------------------------------------------------------------------------

    def _sample(self, choices: list[Choice], logits: torch.Tensor) -> None:
        """Takes the next token of each choice. logits: [choices, vocabulary]."""
        at = {choice: i for i, choice in enumerate(choices) if choice.running.beams is not None}
        for running in dict.fromkeys(choice.running for choice in at):
            self._advance_beams(running, logits[[at[c] for c in running.choices if not c.parked]])
        if at:
            rest = [i for i, c in enumerate(choices) if c.running.beams is None]
            choices, logits = [choices[i] for i in rest], logits[rest]
        for choice, drawn in zip(choices, sample(choices, logits) if choices else ()):
            running = choice.running
            if running.ended:
                # Another choice of the same request has just failed.
                continue
            if isinstance(drawn, Exception):
                self.fail(running, drawn, keep=False)
                continue
            if choice.index == 0 and choice.generated == 0 and len(running.choices) > 1:
                # The other choices go on from the prompt that the first one computed.
                running.prompt_kv = self.cache.saved(choice.row, choice.prompt_length)
                for other in running.choices[1:]:
                    self._enqueue(other)
            try:
                finished = choice.append(*drawn) if drawn is not None else choice.end("stop")
            except Exception as error:
                log.exception("a token could not be appended")
                self.fail(running, as_node_error(error))
                continue
            self.counts.generated_tokens += drawn is not None
            if finished:
                # Before sending the end: its receiver may count on a free row.
                self._release(choice)
            running.progress(choice, finished, drawn is not None)

    def _advance_beams(self, running: RunningRequest, logits: torch.Tensor) -> None:
        self.counts.generated_tokens += len(logits)
        running.first_token_at = running.first_token_at or time.monotonic()
        try:
            running.beams.advance(logits)
        except NodeError as error:
            self.fail(running, error)
            return
        for choice in running.choices:
            self.active[choice.row] = choice
        search = running.beams.search
        if search.over:
            self._release_all(running)
            for delta in search.deltas():
                # Usage counts only their tokens, not those of dropped beams.
                running.generated += len(delta.tokens)
                running.send(delta)
            running.finish()


def prefix_key(choice: Choice) -> tuple:
    """Choices with the same key may share their beginnings."""
    return (choice.request.adapter, choice.request.cache_salt)


def needs_prompt_logprobs(choice: Choice) -> bool:
    """Whether the log-probabilities of its prompt are still to be computed."""
    wanted = choice.request.params.prompt_logprobs is not None and choice.index == 0
    return wanted and len(choice.running.prompt_logprobs or []) < choice.prompt_length
