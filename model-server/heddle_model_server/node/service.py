"""The node's gRPC service: the calls of node.proto as thin handlers."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from heddle.node.v1 import node_pb2 as pb, node_pb2_grpc

from ..engine import Engine
from ..errors import NodeError
from ..model import Model
from ..request import HEALTH_PRIORITY, Delta, Done, Embed, Event, Failed, Params, Request, Started
from ..settings import NodeSettings
from .adapter_cache import CachedAdapter
from .event_buffer import EventBridge
from .jobs import TrainingJobs
from .multiplex import Multiplexer
from .submission import NodeRequest, RequestSubmitter

log = logging.getLogger(__name__)

HEALTH_SECONDS = 10.0
MAX_STEP_SECONDS = 60.0
TOTALS = ("requests", "generated_tokens", "prompt_tokens", "cached_tokens", "shed")
UNSUPPORTED = ["kv_transfer_params", "mm_processor_kwargs", "backend_xargs"]


async def refuse(context, error: NodeError) -> None:
    """Ends the call with the error's status, code and field."""
    trailers = [("heddle-code", error.code), *([("heddle-field", error.field)] if error.field else [])]
    await context.abort(grpc.StatusCode[error.status], error.message, tuple(trailers))


def with_status(call: Callable[[Any, Any], Awaitable]):
    """The handler of a call whose errors become a status with their code."""

    async def handler(self, request, context):
        try:
            return await call(self, request)
        except NodeError as error:
            await refuse(context, error)
        except Exception:
            log.exception("a call failed")
            await refuse(context, NodeError("INTERNAL", "The node failed to handle this call."))

    return handler


class NodeService(node_pb2_grpc.NodeServiceServicer):
    """Each method is documented in proto/heddle/node/v1/node.proto."""

    def __init__(self, engine: Engine, model: Model, settings: NodeSettings, event_bridge: EventBridge):
        self.engine = engine
        self.draining = False
        self._settings = settings
        self._model = model.name
        self._embedding = model.embedding
        self._submitter = RequestSubmitter(
            engine, model, settings, event_bridge, self._chat_waits, self.notify_watchers
        )
        self._adapter_cache = self._submitter.adapter_cache
        self.node_id = secrets.token_hex(8)
        # None if this node doesn't train.
        self.jobs: TrainingJobs | None = None
        self._changes = asyncio.Event()

    def notify_watchers(self) -> None:
        """Sends a load report to everyone in WatchLoad at once."""
        self._changes.set()
        self._changes = asyncio.Event()

    @property
    def idle(self) -> bool:
        """Whether nothing is being generated and every answer was read."""
        return self.engine.idle and self._submitter.idle

    def close(self) -> None:
        """Drops what still waits to be prepared or fetched."""
        self._submitter.close()

    # -- Generate -----------------------------------------------------------------------------------------------------

    async def Generate(self, request: pb.GenerateRequest, context: grpc.aio.ServicerContext) -> None:
        await self._must_chat(context)
        await self._answer(request, context)

    async def Embed(self, request: pb.EmbedRequest, context: grpc.aio.ServicerContext) -> None:
        if not self._embedding:
            await refuse(context, NodeError("NO_EMBEDDINGS", "This model chats and makes no embeddings.", "model"))
        await self._answer(request, context)

    async def _must_chat(self, context: grpc.aio.ServicerContext) -> None:
        if self._embedding:
            await refuse(context, NodeError("NO_CHAT", "This model makes embeddings and doesn't chat.", "model"))

    async def _answer(self, request: NodeRequest, context: grpc.aio.ServicerContext) -> None:
        started, ended = False, asyncio.Event()

        async def requests():
            yield pb.TogetherRequest(begin=[pb.TogetherBegin(request=request.SerializeToString())])
            await ended.wait()

        async def write(message: pb.TogetherEvents) -> None:
            nonlocal started
            for sent in message.events:
                event = pb.GenerateEvent.FromString(sent.event)
                kind = event.WhichOneof("event")
                if kind == "error" and not started:
                    # Its error becomes the call's status.
                    await refuse(context, NodeError(event.error.code, event.error.message, event.error.field))
                started = True
                await context.write(event)
                if kind in ("done", "error"):
                    ended.set()

        await Multiplexer(self._submitter, write, type(request)).run(requests())

    async def GenerateTogether(self, requests, context: grpc.aio.ServicerContext) -> None:
        await self._must_chat(context)
        await Multiplexer(self._submitter, context.write).run(requests)

    async def Abort(self, request: pb.AbortRequest, context: grpc.aio.ServicerContext) -> pb.AbortResponse:
        return pb.AbortResponse(found=self.engine.abort(request.request_id))

    # -- adapters -----------------------------------------------------------------------------------------------------

    @with_status
    async def LoadAdapter(self, request: pb.LoadAdapterRequest) -> pb.LoadAdapterResponse:
        if self.draining:
            raise NodeError("DRAINING", "This node is shutting down; load the adapter on another node.")
        entry, loaded = await self._adapter_cache.load(request.adapter_id, request.address, request.manifest_sha256)
        return pb.LoadAdapterResponse(adapter=adapter_message(entry), loaded=loaded)

    async def UnloadAdapter(self, request: pb.UnloadAdapterRequest, context) -> pb.UnloadAdapterResponse:
        return pb.UnloadAdapterResponse(found=await self._adapter_cache.unload(request.adapter_id))

    async def ListAdapters(self, request: pb.ListAdaptersRequest, context) -> pb.ListAdaptersResponse:
        return pb.ListAdaptersResponse(adapters=map(adapter_message, self._adapter_cache.loaded()))

    # -- the node -----------------------------------------------------------------------------------------------------

    @with_status
    async def Health(self, request: pb.HealthRequest) -> pb.HealthResponse:
        if self.draining:
            raise NodeError("DRAINING", "This node is shutting down.")
        if self._paused:
            # A training job has the device; the engine can't be probed.
            return pb.HealthResponse()
        loop, events = asyncio.get_running_loop(), asyncio.Queue[Event]()
        began = time.monotonic()
        request_id = f"health-{secrets.token_hex(8)}"
        request = (
            Embed(request_id, [[0]], priority=HEALTH_PRIORITY, arrived=began)
            if self._embedding
            else Request(
                request_id, [0], Params(max_tokens=1, temperature=0.0), priority=HEALTH_PRIORITY, arrived=began
            )
        )
        try:
            self.engine.submit(request, lambda event: loop.call_soon_threadsafe(events.put_nowait, event))
            async with asyncio.timeout(HEALTH_SECONDS):
                while isinstance(event := await events.get(), Started):
                    pass
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Done):
                raise NodeError("UNHEALTHY", "The engine generated no token.")
        except TimeoutError as error:
            self.engine.abort(request.id)
            raise NodeError("UNHEALTHY", "The engine did not generate a token in time.") from error
        except NodeError as error:
            raise NodeError("UNHEALTHY", f"The engine did not generate a token: {error.message}") from error
        value = event.tokens[0] if isinstance(event, Delta) else 0
        return pb.HealthResponse(token_id=value, latency_ms=(time.monotonic() - began) * 1000)

    async def Info(self, request: pb.InfoRequest, context) -> pb.InfoResponse:
        facts = self.engine.facts
        same = ("engine", "device", "dtype", "vocabulary", "parameters", "slots", "cache_tokens", "images")
        return pb.InfoResponse(
            **{name: getattr(facts, name) for name in same},
            node_id=self.node_id,
            model=self._model,
            engine_version=facts.version,
            context_length=facts.context,
            queue_limit=self._settings.queue_limit,
            max_adapters=0 if self._embedding else self._settings.max_adapters,
            max_adapter_rank=self._settings.max_adapter_rank,
            priority_scheduling=facts.priorities,
            unsupported_fields=UNSUPPORTED,
            tool_parser=self._submitter.preparer.tool_parser,
            reasoning_parser=self._submitter.preparer.reasoning_parser,
            trains=self.jobs is not None,
            together=not self._embedding,
            embeds=self._embedding is not None,
            embedding_dimensions=self._embedding.dimensions if self._embedding else 0,
        )

    async def Wake(self, request: pb.WakeRequest, context) -> pb.WakeResponse:
        self._chat_waits()
        return pb.WakeResponse()

    async def WatchLoad(self, request: pb.WatchLoadRequest, context):
        interval = (request.interval_ms if request.HasField("interval_ms") else 1000) / 1000
        if not 0.1 <= interval <= 60:
            await refuse(context, NodeError("BAD_FIELD", "interval_ms must be from 100 to 60000.", "interval_ms"))
        before, at = self.engine.load(), time.monotonic()
        while True:
            # Fetched before the report: a change during the report triggers the next one.
            changes = self._changes
            load, now = self.engine.load(), time.monotonic()
            # A change may cut the interval short; very short ones would distort the rates.
            seconds = max(now - at, 0.05)
            yield pb.LoadReport(
                **{name: getattr(load, name) for name in ("running", "waiting", "free_cache_tokens", "memory_bytes")},
                **{f"{name}_total": getattr(load, name) for name in TOTALS},
                state=self._state(load.healthy),
                free_slots=0 if self._paused else load.free_slots,
                generated_tokens_per_second=(load.generated_tokens - before.generated_tokens) / seconds,
                prompt_tokens_per_second=(load.prompt_tokens - before.prompt_tokens) / seconds,
                adapter_ids=[entry.name for entry in self._adapter_cache.loaded()],
                training_job_id=self.jobs.job_id if self.jobs else "",
                serving_paused=self._paused,
            )
            before, at = load, now
            try:
                await asyncio.wait_for(changes.wait(), interval)
            except TimeoutError:
                pass

    def _chat_waits(self) -> None:
        if self.jobs is not None:
            self.jobs.chat_waits()

    @property
    def _paused(self) -> bool:
        return self.jobs is not None and self.jobs.gpu_sharing.paused

    def _state(self, healthy: bool) -> pb.NodeState:
        if self.draining:
            return pb.NODE_STATE_DRAINING
        if not healthy or self.engine.stuck_for() > MAX_STEP_SECONDS:
            return pb.NODE_STATE_UNHEALTHY
        return pb.NODE_STATE_SERVING


def adapter_message(entry: CachedAdapter) -> pb.Adapter:
    """A loaded adapter as a message."""
    adapter = entry.adapter
    return pb.Adapter(
        adapter_id=entry.name,
        address=entry.address,
        rank=adapter.rank,
        scaling=adapter.scaling,
        bytes=adapter.bytes,
        requests=entry.uses,
        last_used=entry.last_used,
    )
