"""Runs many requests in one bidirectional call, and batches their events into few messages: a message costs as much as a
decoding step of a small model, whatever its size. Runs on the event loop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from heddle.node.v1 import node_pb2 as pb

from ..errors import NodeError, bad_field
from .event_buffer import EventBuffer
from .messages import error_message
from .submission import NodeRequest, RequestSubmitter, prepares_inline

# The shortest interval between two sends for a request; its first token and its end go out at once. Models of a useful
# size are slower anyway.
COALESCE_SECONDS = 0.01
# Requests due this soon are sent along with the others.
COALESCE_SLACK_SECONDS = 0.004
# Larger messages are split. An event larger than workers accept fails its request only.
MAX_MESSAGE_BYTES = 4 * 2**20
MAX_EVENT_BYTES = 60 * 2**20


@dataclass(slots=True, eq=False)
class MultiplexedRequest:
    """One request of the call. submitted: None while it is prepared and after it was refused."""

    number: int
    submitted: EventBuffer | None = None
    refusal: NodeError | None = None
    preparing: asyncio.Task | None = None
    held: bool = False
    # On the loop's clock; events that come earlier are merged.
    not_before: float = 0.0

    @property
    def finished(self) -> bool:
        """Whether its last event has come."""
        return self.refusal is not None or (self.submitted is not None and self.submitted.finished)

    def events(self) -> list[pb.GenerateEvent]:
        """Removes and returns all unread events."""
        if self.refusal is not None:
            return [pb.GenerateEvent(error=error_message(self.refusal))]
        return self.submitted.take() if self.submitted else []

    @property
    def started(self) -> bool:
        """Whether a part of its answer has come."""
        return self.submitted is not None and self.submitted.started


class Multiplexer:
    def __init__(
        self,
        submitter: RequestSubmitter,
        write: Callable[[pb.TogetherEvents], Awaitable[None]],
        kind: type[NodeRequest] = pb.GenerateRequest,
    ):
        """write: sends a message, and returns when the next one may be sent. kind: of the requests."""
        self._kind = kind
        self._submitter = submitter
        self._write = write
        self._entries: dict[int, MultiplexedRequest] = {}
        # Requests with unread events, in the order they came.
        self._ready: dict[int, MultiplexedRequest] = {}
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, requests: AsyncIterator[pb.TogetherRequest]) -> None:
        """Returns when the caller closes its side, and aborts the requests it began."""
        writer = asyncio.create_task(self._write_events())
        reader = asyncio.create_task(self._read(requests))
        try:
            done, _ = await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (reader, writer):
                task.cancel()
            if self._timer:
                self._timer.cancel()
            for entry in list(self._entries.values()):
                await asyncio.shield(self._drop(entry))

    # -- incoming -----------------------------------------------------------------------------------------------------

    async def _read(self, requests: AsyncIterator[pb.TogetherRequest]) -> None:
        async for message in requests:
            for begin in message.begin:
                await self._begin(begin)
            known = lambda numbers: [entry for number in numbers if (entry := self._entries.get(number))]
            for entry in known(message.cancel):
                await self._drop(entry)
            for entry in known(message.hold):
                entry.held = True
            for entry in known(message.resume):
                entry.held = False
                self._on_event(entry)

    async def _begin(self, begin: pb.TogetherBegin) -> None:
        if begin.number in self._entries:
            # The events could not be told apart, so the running request keeps the number.
            return
        entry = self._entries[begin.number] = MultiplexedRequest(begin.number)
        try:
            request = self._kind.FromString(begin.request)
        except DecodeError:
            self._refuse(entry, bad_field("request", f"request is not a valid {self._kind.DESCRIPTOR.name}."))
            return
        if prepares_inline(request):
            await self._open(entry, request)
        else:
            entry.preparing = asyncio.create_task(self._open(entry, request))

    async def _open(self, entry: MultiplexedRequest, request: NodeRequest) -> None:
        try:
            entry.submitted = await self._submitter.submit(request, lambda: self._on_event(entry))
        except NodeError as error:
            self._refuse(entry, error)

    def _refuse(self, entry: MultiplexedRequest, error: NodeError) -> None:
        entry.refusal = error
        self._on_event(entry)

    async def _drop(self, entry: MultiplexedRequest) -> None:
        # End and cancellation may coincide; by then the number may belong to another request.
        if self._entries.get(entry.number) is not entry:
            return
        del self._entries[entry.number]
        self._ready.pop(entry.number, None)
        if entry.preparing and not entry.preparing.done():
            entry.preparing.cancel()
            await asyncio.wait((entry.preparing,))
        if entry.submitted:
            await self._submitter.release(entry.submitted)

    # -- outgoing -----------------------------------------------------------------------------------------------------

    def _on_event(self, entry: MultiplexedRequest) -> None:
        if entry.held or self._entries.get(entry.number) is not entry:
            return
        self._ready[entry.number] = entry
        self._schedule_write(entry)

    def _schedule_write(self, entry: MultiplexedRequest) -> None:
        if entry.finished or entry.not_before <= self._loop.time():
            self._wake.set()
        elif self._timer is None or self._timer.when() > entry.not_before:
            if self._timer:
                self._timer.cancel()
            self._timer = self._loop.call_at(entry.not_before, self._wake.set)

    async def _write_events(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._timer:
                self._timer.cancel()
                self._timer = None
            now = self._loop.time()
            message, size = pb.TogetherEvents(), 0
            for entry in list(self._ready.values()):
                if entry.held or self._ready.get(entry.number) is not entry:
                    continue
                if not entry.finished and entry.not_before > now + COALESCE_SLACK_SECONDS:
                    self._schedule_write(entry)
                    continue
                del self._ready[entry.number]
                for event in entry.events():
                    text = event.SerializeToString()
                    if len(text) > MAX_EVENT_BYTES:
                        entry.refusal = too_large
                        text = entry.events()[0].SerializeToString()
                    if size and size + len(text) > MAX_MESSAGE_BYTES:
                        await self._write(message)
                        message, size = pb.TogetherEvents(), 0
                    message.events.add(number=entry.number, event=text)
                    size += len(text)
                    if entry.refusal:
                        break
                if entry.finished:
                    await self._drop(entry)
                elif entry.started:
                    # The first token goes out at once.
                    entry.not_before = now + COALESCE_SECONDS
            if size:
                await self._write(message)


too_large = bad_field("prompt_logprobs", "The answer is too large for one message; ask for fewer log-probabilities.")
