"""What a stream is told at once, and what is gathered first."""

from __future__ import annotations

import asyncio

from conftest import Node
from wire import user, wire

from heddle_model_server.request import Delta, Done
from heddle_model_server.node.event_buffer import EventBuffer


def buffer_of(node: Node) -> EventBuffer:
    return EventBuffer(node.preparer.prepare(wire({"messages": user("Hello!")})))


def test_what_comes_before_its_time_is_joined_and_the_end_waits_for_nothing(node: Node):
    buffer = buffer_of(node)

    async def read() -> None:
        never = asyncio.get_running_loop().time() + 3600
        buffer.put(Delta(0, "a", [1], []))
        assert (await buffer.get()).delta.text == "a"
        waiting = asyncio.create_task(buffer.get(never))
        for text in ("b", "c"):
            buffer.put(Delta(0, text, [1], []))
            await asyncio.sleep(0)
        assert not waiting.done()
        buffer.put(Delta(0, "d", [1], [], finish="stop"))
        buffer.put(Done(1, 4, 0, None, 0.0, 0.0))
        event = await asyncio.wait_for(waiting, 10)
        assert (event.delta.text, list(event.delta.token_ids)) == ("bcd", [1, 1, 1])
        assert (await buffer.get(never)).WhichOneof("event") == "done"

    asyncio.run(read())


def test_when_the_time_has_come_what_is_there_goes_out(node: Node):
    buffer = buffer_of(node)

    async def read() -> None:
        loop = asyncio.get_running_loop()
        soon = loop.time() + 0.01
        buffer.put(Delta(0, "a", [1], []))
        assert (await asyncio.wait_for(buffer.get(soon), 10)).delta.text == "a"
        assert loop.time() >= soon
        # Nothing is there yet: the next goes out as it comes.
        waiting = asyncio.create_task(buffer.get(soon))
        await asyncio.sleep(0)
        buffer.put(Delta(0, "b", [1], []))
        assert (await asyncio.wait_for(waiting, 10)).delta.text == "b"

    asyncio.run(read())
