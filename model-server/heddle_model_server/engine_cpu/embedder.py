"""The engine for embeddings on the CPU: runs a transformers model over a few texts at a time."""

import logging
from collections import deque
from collections.abc import Callable

import torch

from ..artifacts.peft_files import invalid
from ..embedding import Embedding, EmbeddingAnswer
from ..errors import NodeError
from ..model import LoadedModel
from ..request import Embed, Event, Failed
from ..settings import NodeSettings
from .thread import DEFAULT_SLOTS, ThreadEngine

log = logging.getLogger(__name__)

# Of a pass, padding included.
PASS_TOKENS = 4096


class RunningEmbed(EmbeddingAnswer):
    """left: its texts that no pass has had. missing: how many of its vectors have not come."""

    def __init__(self, request: Embed, send: Callable[[Event], None]):
        super().__init__(request)
        self.send = send
        self.missing = len(request.prompts)
        self.left = deque(range(self.missing))


class CpuEmbedder(ThreadEngine):
    """Has no adapters and never sleeps: such a model isn't trained here."""

    def __init__(self, loaded: LoadedModel, settings: NodeSettings, flush: Callable[[], None] = lambda: None):
        slots = settings.slots or DEFAULT_SLOTS
        super().__init__(loaded, settings, flush, context=loaded.context, slots=slots, cache_tokens=0)

    def _take(self, request: Embed, send: Callable[[Event], None]) -> None:
        self._requests[request.id] = RunningEmbed(request, send)
        self.counts.requests += 1

    def read_adapter(self, files: dict[str, bytes]) -> object:
        raise invalid("this node's model makes embeddings")

    def _has_work(self) -> bool:
        return any(running.left for running in self._requests.values())

    def _step(self) -> None:
        with self._changed:
            texts = self._next_texts()
        if not texts:
            return
        try:
            vectors = embed(self.loaded, [running.request.prompts[at] for running, at in texts])
            self.counts.failures = 0
        except Exception:
            log.exception("a pass of the engine failed")
            self.counts.failures += 1
            vectors = [None] * len(texts)
        for (running, at), vector in zip(texts, vectors):
            # Unless it was aborted meanwhile.
            if self._requests.get(running.request.id) is running:
                self._tell(running, at, vector)

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

    def _tell(self, running: RunningEmbed, at: int, vector: torch.Tensor | None) -> None:
        if vector is None:
            self._fail(running, NodeError("INTERNAL", "The node failed to process this request; try again."))
            return
        for event in running.events(at, embedding_bytes(vector, running.request.dimensions), self._step_since):
            running.send(event)
        running.missing -= 1
        if running.missing == 0:
            self._forget(running)
            self.counts.prompt_tokens += running.prompt_tokens
            running.send(running.end())

    def _fail(self, running: RunningEmbed, error: NodeError) -> None:
        self._forget(running)
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
