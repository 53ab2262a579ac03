"""What is gathered for a reader who comes late."""

from __future__ import annotations

from conftest import Node
from wire import user, wire

from heddle_model_server.request import Delta, Done
from heddle_model_server.node.event_buffer import EventBuffer


def test_what_was_not_read_is_joined_and_the_end_stands_by_itself(node: Node):
    told = []
    buffer = EventBuffer(node.preparer.prepare(wire({"messages": user("Hello!")})), lambda: told.append(1))
    buffer.put(Delta(0, "a", [1], []))
    (event,) = buffer.take()
    assert event.delta.text == "a" and buffer.take() == []
    for text in ("b", "c"):
        buffer.put(Delta(0, text, [1], []))
    buffer.put(Delta(0, "d", [1], [], finish="stop"))
    buffer.put(Done(1, 4, 0, None, 0.0, 0.0))
    delta, end = buffer.take()
    assert (delta.delta.text, list(delta.delta.token_ids)) == ("bcd", [1, 1, 1])
    assert end.WhichOneof("event") == "done" and buffer.finished and len(told) == 5
