"""The engine for embeddings on the CPU: runs a transformers model over a few texts at a time, on a thread of its own. Knows
nothing of gRPC or tokenizers."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

import torch

from ..artifacts.peft_files import invalid
from ..embedding import Embedding
from ..engine import EngineFacts, EngineLoad
from ..errors import NodeError
from ..model import LoadedModel
from ..request import Done, Embed, Embedded, Event, Failed, Started
from ..settings import NodeSettings

log = logging.getLogger(__name__)

FAILURES_UNTIL_UNHEALTHY = 3
SLOTS = 32
# Of a pass, padding included.
PASS_TOKENS = 4096


@dataclass(slots=True, eq=False)
class RunningEmbed:
    """A request, and which of its texts are left."""

    request: Embed
    send: Callable[[Event], None]
    left: deque[int] = field(default_factory=deque)
    # Its vectors that have not come.
    missing: int = 0
    begun: float = 0.0


class CpuEmbedder:
    """Implements engine.Engine in this process."""

    output_parsers = None

    def __init__(self, loaded: LoadedModel, settings: NodeSettings, flush: Callable[[], None] = lambda: None):
        """flush: called on the engine's thread after each pass."""
        self._loaded = loaded
        self._settings = settings
        self._flush = flush
        self.facts = EngineFacts(
            engine="cpu",
            version=torch.__version__,
            device="cpu",
            dtype=str(loaded.dtype).removeprefix("torch."),
            context=loaded.context,
            vocabulary=loaded.vocabulary,
            parameters=loaded.parameters,
            slots=settings.slots or SLOTS,
            cache_tokens=0,
            priorities=settings.scheduling == "priority",
        )
        self._changed = threading.Condition()
        self._requests: dict[str, RunningEmbed] = {}
        self._draining = self._stopping = False
        self._failures = self._total = self._prompted = 0
        self._pass_since = 0.0
        self._thread = threading.Thread(target=self._loop, name="engine", daemon=True)

    # -- called from other threads ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def submit(self, request: Embed, send: Callable[[Event], None]) -> None:
        """See Engine.submit."""
        with self._changed:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the request to another node.")
            if request.id in self._requests:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            if len(self._requests) >= self._settings.queue_limit + self.facts.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            count = len(request.prompts)
            self._requests[request.id] = RunningEmbed(request, send, deque(range(count)), count)
            self._total += 1
            self._changed.notify()

    def abort(self, request_id: str) -> bool:
        """See Engine.abort."""
        with self._changed:
            running = self._requests.get(request_id)
            if running is None:
                return False
            self._fail(running, NodeError("ABORTED", "The caller aborted the request."))
            # The thread hands the event over.
            self._changed.notify()
        return True

    def read_adapter(self, files: dict[str, bytes]) -> object:
        """See Engine.read_adapter."""
        raise invalid("this node's model makes embeddings")

    def add_adapter(self, name: str, weights: object) -> Future:
        """See Engine.add_adapter: read_adapter has refused it."""
        raise NotImplementedError

    def remove_adapter(self, adapter: object) -> Future:
        """See Engine.remove_adapter."""
        raise NotImplementedError

    def sleep(self) -> Future:
        """See Engine.sleep: such a model isn't trained here."""
        raise NotImplementedError

    def wake(self) -> Future:
        """See Engine.wake."""
        raise NotImplementedError

    def load(self) -> EngineLoad:
        """See EngineLoad."""
        running = min(len(self._requests), self.facts.slots)
        return EngineLoad(
            running=running,
            waiting=len(self._requests) - running,
            free_slots=self.facts.slots - running,
            free_cache_tokens=0,
            generated_tokens=0,
            prompt_tokens=self._prompted,
            cached_tokens=0,
            requests=self._total,
            shed=0,
            memory_bytes=self._loaded.parameters * self._loaded.dtype.itemsize,
            healthy=self._failures < FAILURES_UNTIL_UNHEALTHY,
        )

    def stuck_for(self) -> float:
        """Seconds the current pass has taken; 0 between passes."""
        since = self._pass_since
        return time.monotonic() - since if since else 0.0

    @property
    def idle(self) -> bool:
        """Whether no request is running."""
        return not self._requests

    def drain(self) -> None:
        """Refuses new requests from now on."""
        self._draining = True

    def stop(self) -> None:
        """Ends the thread; requests that still run fail."""
        with self._changed:
            self._draining = self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()

    # -- the loop -----------------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        with torch.inference_mode():
            while True:
                with self._changed:
                    texts = self._next_texts()
                    if self._stopping:
                        break
                    if not texts:
                        self._flush()
                        self._changed.wait()
                        continue
                self._pass(texts)
                self._flush()
        for running in list(self._requests.values()):
            self._fail(running, NodeError("DRAINING", "The node was shut down."))
        self._flush()

    def _next_texts(self) -> list[tuple[RunningEmbed, int]]:
        """Texts of the next pass: in turn from each of the requests that come first."""
        waiting = [running for running in self._requests.values() if running.left]
        waiting.sort(key=lambda running: (running.request.priority, running.request.arrived))
        waiting = waiting[: self.facts.slots]
        texts: list[tuple[RunningEmbed, int]] = []
        longest = 0
        while waiting:
            for running in list(waiting):
                length = len(running.request.prompts[running.left[0]])
                if texts and max(longest, length) * (len(texts) + 1) > PASS_TOKENS:
                    return texts
                longest = max(longest, length)
                texts.append((running, running.left.popleft()))
                if not running.left:
                    waiting.remove(running)
        return texts

    def _pass(self, texts: list[tuple[RunningEmbed, int]]) -> None:
        self._pass_since = time.monotonic()
        try:
            vectors = embed(self._loaded, [running.request.prompts[at] for running, at in texts])
            self._failures = 0
        except Exception:
            log.exception("a pass of the engine failed")
            self._failures += 1
            vectors = None
        with self._changed:
            for i, (running, at) in enumerate(texts):
                if self._requests.get(running.request.id) is not running:
                    continue
                if vectors is None:
                    self._fail(running, NodeError("INTERNAL", "The node failed to process this request; try again."))
                else:
                    self._tell(running, at, vectors[i])
        self._pass_since = 0.0

    def _tell(self, running: RunningEmbed, at: int, vector: torch.Tensor) -> None:
        request, now = running.request, time.monotonic()
        if not running.begun:
            running.begun = self._pass_since
            running.send(Started(request.prompt_tokens, 0, running.begun - request.arrived))
        running.send(Embedded(at, embedding_bytes(vector, request.dimensions)))
        running.missing -= 1
        if running.missing == 0:
            # Before the last event: its receiver may reuse the id.
            del self._requests[request.id]
            self._prompted += request.prompt_tokens
            running.send(embed_done(request, now))

    def _fail(self, running: RunningEmbed, error: NodeError) -> None:
        self._requests.pop(running.request.id, None)
        running.send(Failed(error))


def embed(loaded: LoadedModel, texts: list[list[int]]) -> torch.Tensor:
    """One vector a text, [texts, dimensions], in float32."""
    longest = max(map(len, texts))
    ids = torch.zeros(len(texts), longest, dtype=torch.long)
    mask = torch.zeros(len(texts), longest, dtype=torch.long)
    for row, tokens in enumerate(texts):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
    hidden = loaded.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
    return pooled(hidden, mask, loaded.embedding)


def pooled(hidden: torch.Tensor, mask: torch.Tensor, how: Embedding) -> torch.Tensor:
    """hidden: [texts, tokens, dimensions]. mask: [texts, tokens], 0 for padding, which is on the right."""
    if how.pooling == "cls":
        vectors = hidden[:, 0]
    elif how.pooling == "last":
        vectors = hidden[torch.arange(len(hidden)), mask.sum(1) - 1]
    elif how.pooling == "max":
        vectors = hidden.masked_fill(mask[..., None] == 0, -torch.inf).amax(1)
    else:
        vectors = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    return torch.nn.functional.normalize(vectors, dim=-1) if how.normalize else vectors


def embedding_bytes(vector: torch.Tensor, dimensions: int | None) -> bytes:
    """32-bit floats, little-endian. dimensions: cut to so many and normalised again; None: as it is."""
    if dimensions is not None:
        vector = torch.nn.functional.normalize(vector[:dimensions], dim=-1)
    return vector.numpy().astype("<f4").tobytes()


def embed_done(request: Embed, now: float) -> Done:
    """The last event of a request whose vectors were sent."""
    total = now - request.arrived
    return Done(request.prompt_tokens, 0, 0, None, total, total)
