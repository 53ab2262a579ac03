"""A request for embeddings as vLLM takes it, and what vLLM answers as the node's events. Knows nothing of a running engine."""

from __future__ import annotations

import time
from collections.abc import Iterator

from vllm.pooling_params import PoolingParams

from ..request import Done, Embed, Embedded, Event, Started


def pooling_params(request: Embed) -> PoolingParams:
    """Raises vLLM's own errors."""
    return PoolingParams(task="embed", dimensions=request.dimensions)


class EmbeddingAnswer:
    """The answer to one request; outputs are vLLM's PoolingRequestOutput, one a text."""

    generated = cached = 0

    def __init__(self, request: Embed):
        self._request = request
        self.prompt_tokens = request.prompt_tokens
        self._started = False

    def events(self, index: int, output) -> Iterator[Event]:
        """The events of the output for a text."""
        if not self._started:
            self._started = True
            yield Started(self.prompt_tokens, 0, time.monotonic() - self._request.arrived)
        yield Embedded(index, output.outputs.data.float().cpu().numpy().astype("<f4").tobytes())

    def end(self) -> Done:
        """The last event."""
        total = time.monotonic() - self._request.arrived
        return Done(self.prompt_tokens, 0, 0, None, total, total)
