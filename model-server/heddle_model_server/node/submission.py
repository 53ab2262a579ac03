"""Submits a request: acquires its adapter, prepares it, hands it to the engine; and releases everything afterwards."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from heddle.node.v1 import node_pb2 as pb

from ..engine import Engine
from ..errors import NodeError, bad_field, as_node_error
from ..model import Model
from ..request import Done, Started
from ..settings import NodeSettings
from .adapter_cache import AdapterCache, CachedAdapter
from .event_buffer import EventBridge, EventBuffer
from .prepare import EmbedPreparer, PreparedRequest, RequestPreparer

log = logging.getLogger(__name__)

NodeRequest = pb.GenerateRequest | pb.EmbedRequest

# Largest request that is prepared on the event loop.
INLINE_BYTES = 8192


class RequestSubmitter:
    """The way of every request into the engine, and the adapters that requests use."""

    def __init__(
        self,
        engine: Engine,
        model: Model,
        settings: NodeSettings,
        event_bridge: EventBridge,
        on_submit: Callable[[], None],
        on_change: Callable[[], None],
    ):
        """on_submit: called when the engine has got a request. on_change: called when the set of loaded adapters changes."""
        self._engine = engine
        self._event_bridge = event_bridge
        self._on_submit = on_submit
        # Requests that were submitted and not released.
        self._unreleased = 0
        self._executor = ThreadPoolExecutor(4, thread_name_prefix="prepare")
        # Callers' templates get a thread of their own, so that they delay only each other.
        self._template_executor = ThreadPoolExecutor(1, thread_name_prefix="templates")
        self._fetching = ThreadPoolExecutor(2, thread_name_prefix="fetch")
        self.preparer: RequestPreparer | EmbedPreparer = (
            EmbedPreparer(model, engine.facts)
            if model.embedding
            else RequestPreparer(model, engine.facts, engine.output_parsers)
        )
        self.adapter_cache = AdapterCache(engine, self._fetching, settings.max_adapters, on_change)

    @property
    def idle(self) -> bool:
        """Whether every submitted request was released, so that all answers were read."""
        return self._unreleased == 0

    def close(self) -> None:
        """Drops what still waits for a thread."""
        for executor in (self._executor, self._template_executor, self._fetching):
            executor.shutdown(wait=False, cancel_futures=True)

    async def submit(self, request: NodeRequest, on_event: Callable[[], None]) -> EventBuffer:
        """Hands a request to the engine; release the result. on_event: called when an event came. Raises NodeError."""
        arrived = time.monotonic()
        request.request_id = request.request_id or secrets.token_hex(12)
        generates = isinstance(request, pb.GenerateRequest)
        adapter_entry = self.adapter_cache.acquire(request.adapter_id) if generates and request.adapter_id else None
        try:
            prepared = await self._prepared(request, arrived)
            if adapter_entry:
                prepared.request.adapter = adapter_entry.adapter
            buffer = EventBuffer(prepared, on_event, adapter_entry)
            if generates and request.count_only:
                tokens = len(prepared.request.prompt)
                buffer.put(Started(tokens, cached_tokens=0, queue_s=0))
                buffer.put(Done(tokens))
            else:
                self._engine.submit(prepared.request, self._event_bridge.sender_for(buffer))
        except BaseException as error:
            await self._release_adapter(adapter_entry)
            if isinstance(error, NodeError) or not isinstance(error, Exception):
                raise
            if isinstance(error, RecursionError):
                raise bad_field("", "The request is nested too deeply.") from error
            log.exception("a request could not be prepared")
            raise as_node_error(error) from error
        self._unreleased += 1
        self._on_submit()
        return buffer

    async def release(self, buffer: EventBuffer) -> None:
        """Releases a request's adapter; a request that is still running ends within a step."""
        self._unreleased -= 1
        if not buffer.finished or buffer.broken:
            buffer.finished = True
            self._engine.abort(buffer.request_id)
        await self._release_adapter(buffer.adapter_entry)

    async def _prepared(self, request: NodeRequest, arrived: float) -> PreparedRequest:
        if prepares_inline(request):
            return self.preparer.prepare(request, arrived)
        own_template = isinstance(request, pb.GenerateRequest) and request.chat.chat_template
        executor = self._template_executor if own_template else self._executor
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, self.preparer.prepare, request, arrived)

    async def _release_adapter(self, adapter_entry: CachedAdapter | None) -> None:
        if adapter_entry is not None:
            await asyncio.shield(self.adapter_cache.release(adapter_entry))


def prepares_inline(request: NodeRequest) -> bool:
    """Whether preparing takes less time than switching threads: a short chat or few texts, nothing to compile."""
    if request.ByteSize() >= INLINE_BYTES:
        return False
    if isinstance(request, pb.EmbedRequest):
        return True
    chat = request.chat
    return (
        not chat.images
        and not chat.chat_template
        and chat.tool_choice not in (pb.TOOL_CHOICE_REQUIRED, pb.TOOL_CHOICE_FUNCTION)
        and request.structure.WhichOneof("kind") is None
    )
