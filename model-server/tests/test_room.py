"""What serving gives up for training, and that callers hardly notice."""

from __future__ import annotations

import pytest
from wire import user

from heddle_model_server.server.room import way_of

ASK = {"messages": user("Hello!"), "temperature": 0.0, "ignore_eos": True, "max_tokens": 200}


@pytest.mark.parametrize(
    ("share", "device", "train_device", "devices", "way"),
    [
        ("auto", "cpu", "cpu", 1, "beside"),
        ("auto", "cuda:0", "cuda:0", 1, "pause"),
        ("auto", "cuda", "cuda", 1, "pause"),
        ("auto", "cuda:0", "cuda:1", 3, "beside"),
        ("auto", "cuda:2", "cuda:1", 3, "pause"),
        ("auto", "cuda:0", "cpu", 1, "beside"),
        ("shrink", "cpu", "cpu", 1, "shrink"),
    ],
)
def test_who_gives_way(share, device, train_device, devices, way):
    assert way_of(share, device, train_device, devices) == way


@pytest.mark.parametrize("kept", [0.0, 0.25])
def test_what_was_at_work_goes_on_and_ends_as_if_nothing_had_been(make_node, kept):
    node = make_node(slots=4)
    engine = node.engine
    alone = node.ask(**ASK).text
    bytes_before = engine.load().memory_bytes
    waits = [node.begin(**ASK, prompt_logprobs=0) for _ in range(6)]
    engine.make_room(kept).result(20)
    load = engine.load()
    assert load.memory_bytes < bytes_before and load.free_slots <= 4 * kept
    if kept == 0:
        steps = engine.counts.generated_tokens
        assert (load.running, load.waiting) == (0, 6)
        later = node.begin(**ASK)
        engine.between_steps(lambda: None).result(20)
        assert engine.counts.generated_tokens == steps
        # Who goes away while he waits is gone.
        node.begin(**ASK, request_id="gone")
        assert engine.abort("gone")
        engine.between_steps(lambda: None).result(20)
        assert engine.load().waiting == 7
    else:
        later = node.begin(**ASK)
        assert later().text == alone
        later = node.begin(**ASK)
    engine.make_room(1.0).result(20)
    results = [wait() for wait in [*waits, later]]
    assert [one.text for one in results] == [alone] * 7
    assert all(len(one.done.prompt_logprobs) == one.done.usage.prompt_tokens for one in results[:6])
    assert engine.load().memory_bytes == bytes_before and engine.load().free_slots == 4
