"""Many requests of one call, and what they are told as few messages: a message costs a small model's step, whatever is
in it. Lives on the event loop; knows nothing of engines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from heddle.node.v1 import node_pb2 as pb

from ..errors import NodeError, bad_field
from .messages import error_message
from .submission import Opened, Opening, quick

# A request is told no more often than this, but of its first token and its end. Models of a size that is of use are
# slower by themselves.
GATHER_SECONDS = 0.01
# Who is to be told so soon is told with the others.
ALONG_SECONDS = 0.004
# More goes in another message. A single event that is larger than what workers take is an error of its request alone.
MESSAGE_BYTES = 4 * 2**20
EVENT_BYTES = 60 * 2**20


@dataclass(slots=True, eq=False)
class Lane:
    """One request of the call. opened: none while it is prepared, and when it was refused."""

    number: int
    opened: Opened | None = None
    refusal: NodeError | None = None
    preparing: asyncio.Task | None = None
    held: bool = False
    # Of the loop's clock: what comes before is gathered.
    after: float = 0.0

    @property
    def over(self) -> bool:
        return self.refusal is not None or (self.opened is not None and self.opened.mailbox.over)

    def events(self) -> list[pb.GenerateEvent]:
        """All that is to be told now."""
        if self.refusal is not None:
            return [pb.GenerateEvent(error=error_message(self.refusal))]
        return self.opened.mailbox.take() if self.opened else []

    @property
    def begun(self) -> bool:
        return self.opened is not None and self.opened.mailbox.begun


class Together:
    def __init__(self, opening: Opening, write: Callable[[pb.TogetherEvents], Awaitable[None]]):
        """write: sends a message, and returns when there is room for the next."""
        self._opening = opening
        self._write = write
        self._lanes: dict[int, Lane] = {}
        # Lanes with something to tell, in the order that it came.
        self._ready: dict[int, Lane] = {}
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, requests: AsyncIterator[pb.TogetherRequest]) -> None:
        """Returns when the other side says no more, and ends what it began."""
        writer = asyncio.create_task(self._tell())
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
            for lane in list(self._lanes.values()):
                await asyncio.shield(self._drop(lane))

    # -- what is asked ------------------------------------------------------------------------------------------------

    async def _read(self, requests: AsyncIterator[pb.TogetherRequest]) -> None:
        async for asked in requests:
            for begin in asked.begin:
                await self._begin(begin)
            for number in asked.cancel:
                if lane := self._lanes.get(number):
                    await self._drop(lane)
            for number in asked.hold:
                if lane := self._lanes.get(number):
                    lane.held = True
            for number in asked.resume:
                if lane := self._lanes.get(number):
                    lane.held = False
                    self._came(lane)

    async def _begin(self, begin: pb.TogetherBegin) -> None:
        if begin.number in self._lanes:
            # Whose events would these be? The one that runs keeps the number.
            return
        lane = self._lanes[begin.number] = Lane(begin.number)
        try:
            request = pb.GenerateRequest.FromString(begin.request)
        except DecodeError:
            self._refuse(lane, bad_field("request", "This is no GenerateRequest."))
            return
        if quick(request):
            await self._open(lane, request)
        else:
            lane.preparing = asyncio.create_task(self._open(lane, request))

    async def _open(self, lane: Lane, request: pb.GenerateRequest) -> None:
        try:
            lane.opened = await self._opening.open(request, lambda: self._came(lane))
        except NodeError as error:
            self._refuse(lane, error)

    def _refuse(self, lane: Lane, error: NodeError) -> None:
        lane.refusal = error
        self._came(lane)

    async def _drop(self, lane: Lane) -> None:
        # Its end and its cancel may meet; the number may be another one's by then.
        if self._lanes.get(lane.number) is not lane:
            return
        del self._lanes[lane.number]
        self._ready.pop(lane.number, None)
        if lane.preparing and not lane.preparing.done():
            lane.preparing.cancel()
            await asyncio.wait((lane.preparing,))
        if lane.opened:
            await self._opening.close(lane.opened)

    # -- what is told -------------------------------------------------------------------------------------------------

    def _came(self, lane: Lane) -> None:
        if lane.held or self._lanes.get(lane.number) is not lane:
            return
        self._ready[lane.number] = lane
        self._remind(lane)

    def _remind(self, lane: Lane) -> None:
        if lane.over or lane.after <= self._loop.time():
            self._wake.set()
        elif self._timer is None or self._timer.when() > lane.after:
            if self._timer:
                self._timer.cancel()
            self._timer = self._loop.call_at(lane.after, self._wake.set)

    async def _tell(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._timer:
                self._timer.cancel()
                self._timer = None
            now = self._loop.time()
            message, size = pb.TogetherEvents(), 0
            for lane in list(self._ready.values()):
                if lane.held or self._ready.get(lane.number) is not lane:
                    continue
                if not lane.over and lane.after > now + ALONG_SECONDS:
                    self._remind(lane)
                    continue
                del self._ready[lane.number]
                for event in lane.events():
                    text = event.SerializeToString()
                    if len(text) > EVENT_BYTES:
                        lane.refusal = too_large
                        text = lane.events()[0].SerializeToString()
                    if size and size + len(text) > MESSAGE_BYTES:
                        await self._write(message)
                        message, size = pb.TogetherEvents(), 0
                    message.events.add(number=lane.number, event=text)
                    size += len(text)
                    if lane.refusal:
                        break
                if lane.over:
                    await self._drop(lane)
                elif lane.begun:
                    # The first token goes out at once.
                    lane.after = now + GATHER_SECONDS
            if size:
                await self._write(message)


too_large = bad_field(
    "prompt_logprobs", "The answer is larger than what can be sent in one piece; ask for fewer log-probabilities."
)
