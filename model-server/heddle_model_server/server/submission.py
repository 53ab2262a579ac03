"""From a request as it came to its place in the engine and its mailbox, and out again. Knows nothing of calls."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from heddle.node.v1 import node_pb2 as pb

from ..adapters.adapter_cache import Place, Shelf
from ..engine.torch_engine import TorchEngine
from ..errors import NodeError, bad_field
from .event_bridge import Post
from .event_buffer import Mailbox
from .prepare import Preparation, Prepared

log = logging.getLogger(__name__)

# Bytes of a request.
SHORT = 8192


@dataclass(slots=True)
class Opened:
    request_id: str
    mailbox: Mailbox
    place: Place | None


class Opening:
    def __init__(
        self, engine: TorchEngine, preparation: Preparation, shelf: Shelf, post: Post, executor: ThreadPoolExecutor
    ):
        self._engine = engine
        self._preparation = preparation
        self._shelf = shelf
        self._post = post
        self._executor = executor
        # What was opened and not closed.
        self._open = 0
        # Templates of callers wait for each other, and nobody else for them.
        self._strangers = ThreadPoolExecutor(1, thread_name_prefix="strangers")

    @property
    def idle(self) -> bool:
        """Whether everything that was answered is read, too."""
        return self._open == 0

    def shut(self) -> None:
        self._strangers.shutdown(wait=False, cancel_futures=True)

    async def open(self, request: pb.GenerateRequest, told: Callable[[], None] | None = None) -> Opened:
        """Close what it returns. told: called when something comes, in place of waiting for it. Raises NodeError."""
        arrived = time.monotonic()
        request_id = request.request_id = request.request_id or secrets.token_hex(12)
        place = self._shelf.take(request.adapter_id) if request.adapter_id else None
        try:
            prepared = await self._prepared(request, arrived)
            prepared.request.adapter = place.adapter if place else None
            mailbox = Mailbox.of(prepared, told)
            self._engine.submit(prepared.request, self._post.to(mailbox))
        except BaseException as error:
            await self._give_back(place)
            if isinstance(error, NodeError) or not isinstance(error, Exception):
                raise
            if isinstance(error, RecursionError):
                raise bad_field("", "The request is nested too deeply.") from error
            log.exception("a request could not be prepared")
            raise NodeError("INTERNAL", "The node failed at this request.") from error
        self._open += 1
        return Opened(request_id, mailbox, place)

    async def close(self, opened: Opened) -> None:
        """Nobody reads it any more: it ends within a step, if it has not."""
        self._open -= 1
        mailbox = opened.mailbox
        if not mailbox.over or mailbox.broken:
            mailbox.over = True
            self._engine.abort(opened.request_id)
        await self._give_back(opened.place)

    async def _prepared(self, request: pb.GenerateRequest, arrived: float) -> Prepared:
        if quick(request):
            return self._preparation.of(request, arrived)
        executor = self._strangers if request.chat.chat_template else self._executor
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, self._preparation.of, request, arrived)

    async def _give_back(self, place: Place | None) -> None:
        if place is not None:
            await asyncio.shield(self._shelf.give_back(place))


def quick(request: pb.GenerateRequest) -> bool:
    """Whether it is prepared in less time than another thread would take to begin: a short chat, nothing to compile."""
    chat = request.chat
    return (
        request.ByteSize() < SHORT
        and not chat.chat_template
        and chat.tool_choice not in (pb.TOOL_CHOICE_REQUIRED, pb.TOOL_CHOICE_FUNCTION)
        and request.structure.WhichOneof("kind") is None
    )
