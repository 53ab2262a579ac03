"""The engine's loop: on one thread, step by step, it lets requests in, computes prompts in pieces and one token for every
choice at work, draws, and sends. Whatever others want of it waits for the end of a step. Knows nothing of gRPC,
templates or files."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

import torch

from ..errors import NodeError
from ..request import Event, Request
from ..sampling.logprobs import of_prompt
from ..text.decode import TextStream
from .beams import Beams
from .cache import RowCache
from .choice import Choice
from .forward import Forward
from .interface import EngineFacts, EngineLoad
from .model import LoadedModel
from .rows import Rows
from .runner import runner_for
from .running import Running
from .sample import sample

log = logging.getLogger(__name__)

# Before every other request: the node's own question whether it lives. It has a row that nobody else gets.
HEALTH_PRIORITY = -(2**40)
FAILURES_UNTIL_UNHEALTHY = 3
GOOD_STEPS_UNTIL_MORE = 64


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """slots: choices at once. cache_tokens: of all rows together; 0: what cache_bytes holds. prefill_tokens: of prompts,
    in one step. lora_columns: ranks of all adapters together."""

    slots: int = 32
    cache_tokens: int = 0
    cache_bytes: int = 0
    prefill_tokens: int = 512
    queue_limit: int = 256
    priorities: bool = True
    reuse_prefixes: bool = True
    lora_columns: int = 128


class TorchEngine:
    def __init__(self, loaded: LoadedModel, settings: EngineSettings, flush: Callable[[], None] = lambda: None):
        """flush: called on the engine's thread after each step that sent anything."""
        self.loaded = loaded
        self.settings = settings
        self._flush = flush
        run, self.pool = runner_for(loaded, settings.lora_columns)
        budget = cache_budget(loaded, settings)
        self.cache = RowCache(
            loaded.layers,
            loaded.kv_heads,
            loaded.head_dim,
            budget,
            settings.slots + 1,
            loaded.context,
            loaded.dtype,
            loaded.device,
        )
        self.rows = Rows(self.cache, settings.reuse_prefixes)
        self.rows.limit = settings.slots
        self._forward = Forward(run, self.cache, loaded.device)
        self._special = frozenset(id for id, token in loaded.tokenizer.added_tokens_decoder.items() if token.special)
        self.facts = EngineFacts(
            engine="torch",
            version=torch.__version__,
            device=device_name(loaded.device),
            dtype=str(loaded.dtype).removeprefix("torch."),
            context=min(loaded.context, self.cache.max_width),
            vocabulary=loaded.vocabulary,
            parameters=loaded.parameters,
            slots=settings.slots,
            cache_tokens=budget,
            priorities=settings.priorities,
        )
        self._inbox: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._waiting: list[tuple[int, float, int, Choice]] = []
        self._numbers = itertools.count()
        self._requests: dict[str, Running] = {}
        self._draining = self._stopping = False
        self._chunk = settings.prefill_tokens
        self._good_steps = 0
        self._failures = 0
        self._sent = False
        self.steps = 0
        self.step_since = 0.0
        self._generated = self._prompted = self._cached = self._taken = self._shed = 0
        self._thread = threading.Thread(target=self._loop, name="engine", daemon=True)

    # -- asked from other threads -----------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def submit(self, request: Request, send: Callable[[Event], None]) -> None:
        # Whoever is told of the end may use the id again.
        running = Running(request, send, lambda ended: self._requests.pop(ended.request.id, None))
        with self._wake:
            if self._draining:
                raise NodeError("DRAINING", "This node is being stopped; send the request to another one.")
            if request.id in self._requests:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            if not self.rows.fits(len(request.prompt) + min(request.params.max_tokens, 1)):
                raise NodeError("NODE_FULL", "The prompt is longer than this node's whole cache.", "messages")
            if len(self._requests) >= self.settings.queue_limit + self.settings.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            if request.params.beam and request.params.n > self.settings.slots:
                raise NodeError("BAD_FIELD", f"n is at most {self.settings.slots} here.", "n")
            self._requests[request.id] = running
            self._inbox.append(lambda: self._take(running))
            self._wake.notify()

    def abort(self, request_id: str) -> bool:
        with self._wake:
            running = self._requests.get(request_id)
            if running is None:
                return False
            error = NodeError("ABORTED", "The request was ended by its caller.")
            self._inbox.append(lambda: self._fail(running, error))
            self._wake.notify()
            return True

    def between_steps(self, work: Callable[[], object]) -> Future:
        """Runs `work` on the engine's thread, where nothing else touches the model."""
        future: Future = Future()

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        with self._wake:
            self._inbox.append(run)
            self._wake.notify()
        return future

    def load(self) -> EngineLoad:
        running = len(self.rows.active)
        return EngineLoad(
            running=running,
            waiting=max(0, len(self._requests) - running),
            free_slots=max(0, self.rows.limit - running),
            free_cache_tokens=max(0, self.rows.free_tokens),
            generated_tokens=self._generated,
            prompt_tokens=self._prompted,
            cached_tokens=self._cached,
            requests=self._taken,
            shed=self._shed,
            memory_bytes=memory_bytes(self.loaded, self.cache),
            healthy=self._failures < FAILURES_UNTIL_UNHEALTHY,
        )

    def stuck_for(self) -> float:
        """Seconds that the present step has taken; 0 between steps."""
        since = self.step_since
        return time.monotonic() - since if since else 0.0

    @property
    def idle(self) -> bool:
        return not self._requests

    def drain(self) -> None:
        self._draining = True

    def stop(self) -> None:
        with self._wake:
            self._draining = self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    # -- the loop -----------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        with torch.inference_mode():
            while not self._stopping:
                with self._wake:
                    while not (self._inbox or self.rows.active or self._waiting or self._stopping):
                        self._wake.wait()
                self.step_since = time.monotonic()
                try:
                    self._step()
                except Exception:
                    # Nothing of a step may end the loop. What each pass does wrong is dealt with where it runs.
                    log.exception("a step of the engine failed")
                    self._failures += 1
                    self._fail_all(NodeError("INTERNAL", "The node failed at this request; try again."))
                self.step_since = 0.0
                self.steps += 1
                if self._sent:
                    self._sent = False
                    self._flush()
            self._fail_all(NodeError("DRAINING", "The node was stopped."))
            self._flush()

    def _step(self) -> None:
        while self._inbox:
            self._inbox.popleft()()
            self._sent = True
        self._admit()
        self._prefill()
        self._decode()

    def _take(self, running: Running) -> None:
        request = running.request
        self._taken += 1
        self._prompted += len(request.prompt)
        running.choices = [Choice(running, i, self.loaded, self._special) for i in range(request.params.n)]
        running.open = 1 if request.params.beam else request.params.n
        self._wait(running.choices[0])

    def _wait(self, choice: Choice) -> None:
        priority, arrived = choice.running.order
        heapq.heappush(self._waiting, (priority, arrived, next(self._numbers), choice))

    # -- admission ----------------------------------------------------------------------------------------------------

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
                    self._fail(running, NodeError("NODE_FULL", "The request is larger than this node's whole cache."))
                    continue
                return
            heapq.heappop(self._waiting)
            # Where a beginning is shared there are no logits of it to tell of.
            share = params.prompt_logprobs is None or choice.index > 0
            self.rows.admit(choice, share)
            if not running.started_at:
                self._cached += choice.computed
                self._sent = True
                running.start(choice.computed)
            if params.beam:
                for other in running.choices[1:]:
                    other.parked = True
                    self.rows.admit(other, False)
                running.beams = Beams(running, self.cache, self._text_stream)

    def _text_stream(self, request: Request, tail: list[int]) -> TextStream:
        params = request.params
        return TextStream(
            self.loaded.tokenizer.backend_tokenizer,
            tail,
            params.skip_special_tokens,
            params.spaces_between_special_tokens,
            self._special,
        )

    # -- passes -------------------------------------------------------------------------------------------------------

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
            width = max(widest, min(len(choice.all) - choice.computed, self._chunk))
            if chosen and width * (len(chosen) + 1) > self._chunk:
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
        pieces = [c.all[c.computed : c.computed + self._chunk] for c in choices]
        self.pool.select([c.request.adapter for c in choices], self.loaded.device)
        logits = self._forward.prefill([c.row for c in choices], pieces, [c.computed for c in choices])
        for choice, piece in zip(choices, pieces):
            choice.computed += len(piece)
        whole = [i for i, c in enumerate(choices) if c.computed == len(c.all)]
        if whole:
            self._next([choices[i] for i in whole], logits if len(whole) == len(choices) else logits[whole])

    def _prefill_alone(self, choices: list[Choice]) -> None:
        choice = choices[0]
        running = choice.running
        piece = choice.all[choice.computed : min(choice.computed + self._chunk, choice.prompt_length)]
        self.pool.select([choice.request.adapter], self.loaded.device)
        logits = self._forward.prefill([choice.row], [piece], [choice.computed], every=True)
        first = choice.computed + 1
        told = choice.all[first : min(first + len(piece), choice.prompt_length)]
        if running.prompt_logprobs is None:
            running.prompt_logprobs = [[]]
        running.prompt_logprobs += of_prompt(logits[: len(told)], told, choice.request.params.prompt_logprobs)
        choice.computed += len(piece)
        if choice.computed == len(choice.all):
            self._next([choice], logits[-1:])

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
        positions = [min(c.computed, self.cache.width - 1) for c in span]
        self.pool.select([c.request.adapter for c in span], self.loaded.device)
        logits = self._forward.decode(first, tokens, positions)
        for choice in choices:
            choice.computed += 1
        if len(span) != len(choices):
            logits = logits[[c.row - first for c in choices]]
        self._next(choices, logits)

    def _passes(self, choices: list[Choice], run: Callable[[list[Choice]], None]) -> None:
        """Runs a pass; one that fails is tried again in halves, until only what fails by itself is given up."""
        try:
            run(choices)
        except torch.OutOfMemoryError:
            if self.loaded.device.type == "cuda":
                torch.cuda.empty_cache()
            self._good_steps = 0
            self._relieve(choices)
            return
        except Exception as error:
            log.exception("a pass over %d rows failed", len(choices))
            still = [c for c in choices if c.row >= 0]
            if len(choices) == 1:
                self._failures += 1
                known = error if isinstance(error, NodeError) else None
                self._fail(choices[0].running, known or NodeError("INTERNAL", "The node failed at this request."))
                return
            half = len(choices) // 2
            for part in (choices[:half], choices[half:]):
                part = [c for c in part if c in still and not c.running.ended]
                if part:
                    self._passes(part, run)
            return
        self._failures = 0
        self._good_steps += 1
        if self._good_steps >= GOOD_STEPS_UNTIL_MORE:
            self._good_steps = 0
            self.rows.limit = min(self.rows.limit + 1, self.settings.slots)
            self._chunk = min(self._chunk * 2, self.settings.prefill_tokens)

    # -- short of memory ----------------------------------------------------------------------------------------------

    def _relieve(self, choices: list[Choice]) -> None:
        """A pass did not fit: the next one is smaller. What was set aside goes on later, from its tokens."""
        if any(len(c.all) - c.computed > 1 for c in choices) and self._chunk > 16:
            self._chunk //= 2
            return
        if len(self.rows.active) > 1:
            for _ in range(len(self.rows.active) // 2):
                if not self._set_aside():
                    break
            self.rows.limit = max(1, len(self.rows.active))
            return
        self._shed += 1
        self._fail(choices[0].running, NodeError("OUT_OF_MEMORY", "The node has not enough memory for this request."))

    def _set_aside(self) -> bool:
        """Takes the row of the choice that should go last; false if a whole request had to be given up instead and
        none is left."""
        self._shed += 1
        choice = max(self.rows.active, key=lambda c: (c.running.order, c.index))
        if choice.running.beams is not None or len(self.rows.active) == 1:
            self._fail(
                choice.running,
                NodeError("OUT_OF_MEMORY", "The request was ended to make room for others on this node."),
            )
            return bool(self.rows.active)
        self.rows.release(choice)
        choice.computed = 0
        self._wait(choice)
        return True

    # -- results ------------------------------------------------------------------------------------------------------

    def _next(self, choices: list[Choice], logits: torch.Tensor) -> None:
        """Draws the next token of each choice; logits: one row a choice."""
        self._sent = True
        if any(c.running.beams is not None for c in choices):
            beams: dict[Running, list[int]] = {}
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
            if isinstance(drawn, Exception):
                if choice.row >= 0:
                    # It may hold what is not finite, and what is kept is read again.
                    self.cache.clear(choice.row)
                self._fail(running, drawn, keep=False)
                continue
            if drawn is None:
                choice.end_early()
                running.flush(choice, True)
                self._leave(choice)
                continue
            try:
                finished = choice.take(*drawn)
            except Exception as error:
                log.exception("a token could not be taken")
                self._fail(running, error if isinstance(error, NodeError) else NodeError("INTERNAL", str(error)))
                continue
            self._generated += 1
            running.progress(choice, finished)
            if choice.index == 0 and choice.generated == 1 and len(running.choices) > 1:
                # The others begin with what the first one has computed.
                for other in running.choices[1:]:
                    self._wait(other)
            if finished:
                self._leave(choice)

    def _advance_beams(self, running: Running, rows: dict[Choice, torch.Tensor]) -> None:
        beams = running.beams
        if any(choice not in rows for choice in beams.present):
            raise RuntimeError("a beam was left behind")
        try:
            over = beams.advance(torch.stack([rows[choice] for choice in beams.present]))
        except NodeError as error:
            self._fail(running, error)
            return
        self._generated += len(beams.present)
        if not running.first_token_at:
            running.first_token_at = time.monotonic()
        if over:
            for delta in beams.deltas():
                running.send(delta)
            running.finish()
            self._forget(running)

    def _leave(self, choice: Choice) -> None:
        if choice.row >= 0:
            self.rows.release(choice)

    def _forget(self, running: Running, keep: bool = True) -> None:
        for choice in running.choices:
            if choice.row >= 0:
                self.rows.release(choice, keep=keep and not choice.parked)

    def _fail(self, running: Running, error: Exception, keep: bool = True) -> None:
        if running.ended:
            return
        running.fail(error)
        self._sent = True
        self._forget(running, keep)

    def _fail_all(self, error: NodeError) -> None:
        for running in list(self._requests.values()):
            self._fail(running, error)
        self._waiting.clear()
        self._sent = True


def cache_budget(loaded: LoadedModel, settings: EngineSettings) -> int:
    """Tokens the arena holds: what was asked for, else what is left of a GPU's memory, else what slots can use at most
    within 1 GiB."""
    most = (settings.slots + 1) * loaded.context
    if settings.cache_tokens:
        return max(settings.cache_tokens, 64)
    each = RowCache.bytes_per_token(loaded.layers, loaded.kv_heads, loaded.head_dim, loaded.dtype)
    room = settings.cache_bytes
    if not room and loaded.device.type == "cuda":
        free, total = torch.cuda.mem_get_info(loaded.device)
        # The rest is for activations, logits and adapters.
        room = int(free - 0.12 * total)
    budget = max(min(most, (room or 2**30) // each), 64)
    return budget


def device_name(device: torch.device) -> str:
    return f"{device} ({torch.cuda.get_device_name(device)})" if device.type == "cuda" else str(device)


def memory_bytes(loaded: LoadedModel, cache: RowCache) -> int:
    if loaded.device.type == "cuda":
        return torch.cuda.memory_allocated(loaded.device)
    return loaded.parameters * loaded.dtype.itemsize + cache.bytes_used
