"""The engine that delegates to a vLLM server: sends requests and adapters over HTTP on loopback. Knows nothing of
gRPC, templates or where adapters come from."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

import httpx

from ..engine import EngineFacts, EngineLoad
from ..errors import NodeError
from ..request import Event, Failed, Request
from .completion_events import CompletionParser
from .completion_request import completion_body, needs_spacing, refusal
from .model import ServedModel
from .process import BASE, VllmServer, VllmSettings
from .special_token_spacing import SpecialTokenSpacing

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
PROMPT_TAIL = 8
NO_READ_TIMEOUT = httpx.Timeout(None, connect=5.0)


class VllmEngine:
    """Implements engine.interface.Engine."""

    def __init__(
        self,
        served: ServedModel,
        settings: VllmSettings,
        flush: Callable[[], None] = lambda: None,
        died: Callable[[], None] = lambda: None,
    ):
        """Starts the server and returns when it answers. flush: called on the engine's thread after events were
        sent. died: called there if the server ends unexpectedly."""
        self.settings = settings
        self._served = served
        self._flush = flush
        self._died = died
        self._server = VllmServer(settings)
        version = self._server.wait_until_ready()
        self.facts = EngineFacts(
            engine="vllm",
            version=version,
            device=served.device,
            dtype=settings.dtype,
            context=settings.context or served.context,
            vocabulary=served.vocabulary,
            parameters=served.parameters,
            slots=settings.slots,
            cache_tokens=0,
            priorities=settings.priorities,
        )
        self._running: dict[str, asyncio.Task] = {}
        # Running streams, and when any of them last sent something.
        self._streams = 0
        self._last_event_at = 0.0
        self._lock = threading.Lock()
        self._draining = self._stopping = False
        self._healthy = True
        self._generated = self._prompted = self._cached = self._requests = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    # -- called from other threads ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the engine's thread."""
        self._thread.start()

    def submit(self, request: Request, send: Callable[[Event], None]) -> None:
        """See Engine.submit."""
        with self._lock:
            if self._draining:
                raise NodeError("DRAINING", "This node is shutting down; send the request to another node.")
            if not self._healthy:
                raise NodeError("UNHEALTHY", "This node's vLLM server is gone.")
            if request.id in self._running:
                raise NodeError("DUPLICATE_REQUEST", f"A request with the id {request.id} is running.", "request_id")
            if len(self._running) >= self.settings.queue_limit + self.settings.slots:
                raise NodeError("NODE_FULL", "This node's queue is full; try again shortly.")
            model = request.adapter.served_name if request.adapter is not None else BASE
            body = completion_body(
                request, model, self.settings.priorities, self._served.text_of, self._served.special_texts
            )
            self._requests += 1
            self._running[request.id] = None
        self._loop.call_soon_threadsafe(self._begin, request, body, send)

    def _begin(self, request: Request, body: dict, send: Callable[[Event], None]) -> None:
        self._running[request.id] = asyncio.ensure_future(self._work(request, body, send))

    def abort(self, request_id: str) -> bool:
        """See Engine.abort."""
        if request_id not in self._running:
            return False
        self._loop.call_soon_threadsafe(self._cancel, request_id)
        return True

    def _cancel(self, request_id: str) -> None:
        task = self._running.get(request_id)
        if task is not None:
            task.cancel()

    def post(self, path: str, body: dict) -> Future:
        """Posts JSON to the server; the future holds status and content."""
        return asyncio.run_coroutine_threadsafe(self._post(path, body), self._loop)

    def load(self) -> EngineLoad:
        """See EngineLoad."""
        running = min(len(self._running), self.settings.slots)
        return EngineLoad(
            running=running,
            waiting=len(self._running) - running,
            free_slots=self.settings.slots - running,
            free_cache_tokens=0,
            generated_tokens=self._generated,
            prompt_tokens=self._prompted,
            cached_tokens=self._cached,
            requests=self._requests,
            shed=0,
            memory_bytes=0,
            healthy=self._healthy,
        )

    def stuck_for(self) -> float:
        """Seconds since any stream sent something; 0 without streams, since responses in one piece may take long."""
        return time.monotonic() - self._last_event_at if self._streams else 0.0

    @property
    def idle(self) -> bool:
        """Whether no request is running."""
        return not self._running

    def drain(self) -> None:
        """Refuses new requests from now on."""
        self._draining = True

    def stop(self) -> None:
        """Aborts running requests and stops the server."""
        self._draining = self._stopping = True
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._server.stop()

    # -- on the engine's thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=self.settings.slots)
        self._client = httpx.AsyncClient(
            base_url=self._server.address,
            headers={"authorization": f"Bearer {self._server.key}"},
            timeout=NO_READ_TIMEOUT,
            limits=limits,
        )
        watch = self._loop.create_task(self._watch())
        try:
            self._loop.run_forever()
        finally:
            watch.cancel()
            self._loop.run_until_complete(self._close())
            self._loop.close()

    async def _close(self) -> None:
        tasks = [task for task in self._running.values() if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.aclose()

    async def _watch(self) -> None:
        while self._server.alive:
            await asyncio.sleep(POLL_SECONDS)
        log.error("the vLLM server ended unexpectedly:\n%s", self._server.log_tail)
        self._healthy = False
        if not self._stopping:
            self._died()

    def _spacing(self, request: Request) -> SpecialTokenSpacing:
        served = self._served
        return SpecialTokenSpacing(served.tokenizer.backend_tokenizer, request.prompt[-PROMPT_TAIL:], served.special)

    async def _post(self, path: str, body: dict) -> tuple[int, bytes]:
        answer = await self._client.post(path, json=body)
        return answer.status_code, answer.content

    async def _work(self, request: Request, body: dict, send: Callable[[Event], None]) -> None:
        if body["stream"]:
            self._last_event_at = self._last_event_at if self._streams else time.monotonic()
            self._streams += 1
        parser = CompletionParser(request, partial(self._spacing, request) if needs_spacing(request.params) else None)

        def tell(*events: Event) -> None:
            self._last_event_at = time.monotonic()
            for event in events:
                send(event)
            self._flush()

        try:
            async with self._client.stream("POST", "/v1/completions", json=body) as answer:
                if answer.status_code != 200:
                    raise refusal(answer.status_code, await answer.aread())
                if body["stream"]:
                    async for line in answer.aiter_lines():
                        if line.startswith("data: ") and line != "data: [DONE]":
                            tell(*parser.events(json.loads(line[6:])))
                    if parser.finished < request.params.n:
                        raise NodeError("UNHEALTHY", "This node's vLLM server ended in the middle of an answer.")
                else:
                    tell(*parser.events(json.loads(await answer.aread())))
            last: Event = parser.end()
            self._cached += last.cached_tokens
        except asyncio.CancelledError:
            # Closing the connection aborts the request at the server's next step.
            last = Failed(NodeError("ABORTED", "The caller aborted the request."))
        except NodeError as error:
            last = Failed(error)
        except (httpx.HTTPError, ValueError, KeyError) as error:
            log.warning("a request to vLLM failed: %r", error)
            last = Failed(NodeError("UNHEALTHY", "This node's vLLM server failed; send the request again."))
        self._streams -= body["stream"]
        self._generated += parser.generated
        self._prompted += len(request.prompt)
        # Before the last event: its receiver may reuse the id.
        self._running.pop(request.id, None)
        tell(last)

