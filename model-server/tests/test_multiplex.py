"""Many requests in one call: each is told what a call of its own would be told."""

from __future__ import annotations

import asyncio
import queue
import signal
from collections import defaultdict

import grpc
import pytest
from served import PATIENCE, ServedNode, until
from test_service import HELLO, LONG, code, report
from wire import Result, read, user, wire

from heddle.node.v1 import node_pb2 as pb
from heddle_model_server.node.multiplex import MAX_MESSAGE_BYTES, Multiplexer

HELLO_WANTED = {"messages": user("Hello!"), "temperature": 0.0, "stream": True}


class Call:
    """The other side of one call."""

    def __init__(self, node: ServedNode):
        self._asked: queue.Queue = queue.Queue()
        self.call = node.stub.GenerateTogether(iter(self._asked.get, None))
        self.events: dict[int, list[pb.GenerateEvent]] = defaultdict(list)
        # Events of a message.
        self.sizes: list[int] = []

    def ask(self, *numbers: int, fields: dict | None = None, **more) -> None:
        """Begins requests; more: cancel, hold and resume."""
        request = wire(fields or {}).SerializeToString() if fields else b""
        begin = [pb.TogetherBegin(number=number, request=request) for number in numbers]
        self._asked.put(pb.TogetherRequest(begin=begin, **more))

    def until(self, true) -> None:
        while not true():
            message = next(self.call)
            self.sizes.append(len(message.events))
            for event in message.events:
                self.events[event.number].append(pb.GenerateEvent.FromString(event.event))

    def finished(self, number: int) -> bool:
        return bool(self.events[number]) and self.events[number][-1].WhichOneof("event") in ("done", "error")

    def result(self, number: int) -> Result:
        self.until(lambda: self.finished(number))
        return read(self.events[number])

    def end(self) -> None:
        self._asked.put(None)


@pytest.fixture
def together(served):
    until(lambda: report(served).running == 0)
    one = Call(served)
    yield one
    one.end()
    one.call.cancel()
    until(lambda: report(served).running == 0)


def test_each_is_told_what_a_call_of_its_own_is_told(served, together):
    alone = served.ask(**HELLO_WANTED, logprobs=True)
    together.ask(*range(1, 9), fields={**HELLO_WANTED, "logprobs": True})
    for number in range(1, 9):
        result = together.result(number)
        assert result.text == alone.text == HELLO
        assert result.first.tokens == alone.first.tokens
        assert len(result.first.logprobs) == len(result.first.tokens)
        assert result.done.usage.completion_tokens == alone.done.usage.completion_tokens
        kinds = [event.WhichOneof("event") for event in result.events]
        assert kinds[0] == "started" and kinds[-1] == "done" and set(kinds[1:-1]) == {"delta"}
    assert max(together.sizes) > 2, "what comes at once is told at once"


def test_a_request_that_is_refused_is_the_only_one_that_is(together):
    together.ask(1, fields=LONG)
    together.ask(2, fields={**HELLO_WANTED, "top_p": 2.0})
    together.ask(3, fields={**HELLO_WANTED, "structured_outputs": {"regex": "("}})
    together.ask(4, fields={**HELLO_WANTED, "adapter": "nobody"})
    together._asked.put(pb.TogetherRequest(begin=[pb.TogetherBegin(number=5, request=b"\xff\xff")]))
    together.ask(6, fields=HELLO_WANTED)
    codes = {2: "BAD_FIELD", 3: "BAD_STRUCTURE", 4: "ADAPTER_NOT_LOADED", 5: "BAD_FIELD"}
    for number, code in codes.items():
        assert together.result(number).error.code == code
    error = together.result(2).error
    assert (error.field, error.status) == ("top_p", grpc.StatusCode.INVALID_ARGUMENT.value[0])
    assert together.result(3).error.field == "structured_outputs.regex"
    assert together.result(6).text == HELLO
    assert not together.finished(1)


def test_what_is_cancelled_ends_and_its_number_is_free(served, together):
    together.ask(1, 2, 3, fields=LONG)
    together.until(lambda: len(together.events) == 3)
    assert report(served).running == 3
    together.ask(cancel=[1, 3, 99])
    until(lambda: report(served).running == 1)
    # Nothing more comes of the first one, whatever was said of it before.
    together.ask(4, fields=HELLO_WANTED)
    assert together.result(4).text == HELLO
    together.events[1].clear()
    together.ask(1, fields=HELLO_WANTED)
    assert together.result(1).text == HELLO
    # Before it has begun, too.
    together.ask(7, fields={**LONG, "structured_outputs": {"regex": "a+"}})
    together.ask(cancel=[2, 7])
    until(lambda: report(served).running == 0)


def test_the_end_of_the_call_ends_what_it_began(served):
    for end in (lambda call: call.call.cancel(), lambda call: call.end()):
        call = Call(served)
        call.ask(1, 2, fields=LONG)
        call.until(lambda: len(call.events) == 2)
        assert report(served).running == 2
        end(call)
        until(lambda: report(served).running == 0)
        call.end()


def test_who_can_not_read_on_finds_what_came_joined(served, together):
    wanted = {**LONG, "max_tokens": 400}
    together.ask(1, fields=wanted)
    together.until(lambda: len(together.events[1]) > 1)
    together.ask(hold=[1])
    together.ask(2, fields={**wanted, "max_tokens": 300})
    together.result(2)
    until(lambda: report(served).running == 0)
    before = len(together.events[1])
    together.ask(3, fields=HELLO_WANTED)
    together.result(3)
    assert len(together.events[1]) == before, "it is told of nothing while it is held"
    together.ask(resume=[1])
    result = together.result(1)
    assert len(result.first.tokens) == result.done.usage.completion_tokens == 400
    assert len(together.events[1]) <= before + 2, "one delta and the end"


def test_a_number_that_runs_is_not_given_again(together):
    together.ask(1, fields=LONG)
    together.until(lambda: len(together.events[1]) > 1)
    together.ask(1, fields=HELLO_WANTED)
    together.ask(2, fields=HELLO_WANTED)
    assert together.result(2).text == HELLO
    assert not together.finished(1)


def test_a_node_that_is_stopped_finishes_what_it_has_and_waits_for_a_reader_who_is_slow(model_folder):
    # One at a time, so that there is something to finish for a while.
    node = ServedNode(model_folder, "--slots", "1", "--grace", str(PATIENCE))
    try:
        call = Call(node)
        call.ask(1, fields={**LONG, "max_tokens": 100})
        call.until(lambda: len(call.events[1]) > 1)
        call.ask(hold=[1])
        until(lambda: report(node).running == 0)
        call.ask(2, fields={**LONG, "max_tokens": 600})
        streams = [node.stub.Generate(wire({**LONG, "max_tokens": 600})) for _ in range(3)]
        until(lambda: report(node).requests_total == 5)
        watch = node.stub.WatchLoad(pb.WatchLoadRequest(interval_ms=60_000))
        assert next(watch).state == pb.NODE_STATE_SERVING
        node.process.send_signal(signal.SIGTERM)
        assert next(watch).state == pb.NODE_STATE_DRAINING
        with pytest.raises(grpc.RpcError) as error:
            node.ask(messages=user("Hello!"))
        assert (error.value.code(), code(error)) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        assert call.result(2).done.usage.completion_tokens == 600
        for stream in streams:
            assert read(list(stream)).done.usage.completion_tokens == 600
        with pytest.raises(TimeoutError):
            node.process.wait(1)
        call.ask(resume=[1])
        assert call.result(1).done.usage.completion_tokens == 100
        assert node.process.wait(PATIENCE) == 0
        call.end()
    finally:
        node.close()


def test_an_end_that_meets_its_cancel_is_one():
    class Large:
        """An answer of two messages."""

        finished, started = False, True

        def take(self):
            return [pb.GenerateEvent(delta=pb.Delta(text="x" * (MAX_MESSAGE_BYTES - 100))) for _ in range(2)]

    class Submitter:
        released = 0

        async def submit(self, request, on_event):
            asyncio.get_running_loop().call_soon(on_event)
            return Large()

        async def release(self, submitted):
            self.released += 1
            submitted.finished = True

    async def meet() -> int:
        submitter, written, cancelled = Submitter(), asyncio.Event(), asyncio.Event()

        async def asked():
            yield pb.TogetherRequest(begin=[pb.TogetherBegin(number=1, request=b"")])
            await written.wait()
            yield pb.TogetherRequest(cancel=[1])
            cancelled.set()
            await asyncio.sleep(0)

        async def write(message):
            written.set()
            await cancelled.wait()

        await Multiplexer(submitter, write).run(asked())
        return submitter.released

    assert asyncio.run(meet()) == 1
