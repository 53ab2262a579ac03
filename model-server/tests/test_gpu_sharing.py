"""What serving gives up for training, and that callers hardly notice."""

from __future__ import annotations

import pytest
import torch
from wire import user

from heddle_model_server.engine_cpu import memory
from heddle_model_server.engine_cpu.kv_cache import KVCache
from heddle_model_server.engine_cpu.row_allocator import RowAllocator
from heddle_model_server.node.gpu_sharing import sharing_mode

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
    assert sharing_mode(share, device, train_device, devices) == way


@pytest.mark.parametrize("kept", [0.0, 0.25])
def test_what_was_at_work_goes_on_and_ends_as_if_nothing_had_been(make_node, kept):
    node = make_node(slots=4)
    engine = node.engine
    alone = node.ask(**ASK).text
    bytes_before = engine.load().memory_bytes
    waits = [node.begin(**ASK, prompt_logprobs=0) for _ in range(6)]
    engine.set_memory_share(kept).result(20)
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
    engine.set_memory_share(1.0).result(20)
    results = [wait() for wait in [*waits, later]]
    assert [one.text for one in results] == [alone] * 7
    assert all(len(one.done.prompt_logprobs) == one.done.usage.prompt_tokens for one in results[:6])
    assert engine.load().memory_bytes == bytes_before and engine.load().free_slots == 4


def small_cache() -> KVCache:
    return KVCache(1, 1, 2, 512, 4, 256, torch.float32, torch.device("cpu"), width=64)


def test_a_cache_without_rows_is_asked_for_none():
    """Widths double until a text fits: from nothing they never would."""
    cache = small_cache()
    cache.reallocate(0)
    rows = RowAllocator(cache)
    assert not rows.can_admit(1) and not rows.fits(0)
    with pytest.raises(RuntimeError, match="no rows"):
        cache.width_for(10)
    with pytest.raises(RuntimeError, match="no rows"):
        rows._width_of_all(10)


def test_a_cache_that_can_not_be_had_has_no_rows():
    cache = small_cache()
    with pytest.raises(RuntimeError):
        cache.reallocate(2**50)
    assert not RowAllocator(cache).can_admit(1)
    cache.reallocate(512)
    assert RowAllocator(cache).can_admit(100)


def test_below_one_context_nothing_is_served_and_the_figures_are_said():
    gib = 2**30
    # 80 GiB of which 20 are free, 128 KiB a token.
    assert memory.tokens_that_fit(20 * gib, 80 * gib, 2**17, 8192, 33 * 8192) == int(10.4 * gib) // 2**17
    assert memory.tokens_that_fit(70 * gib, 80 * gib, 2**17, 8192, 33 * 8192) == 33 * 8192
    with pytest.raises(ValueError, match="no room for one context") as error:
        memory.tokens_that_fit(10 * gib, 80 * gib, 2**17, 8192, 33 * 8192)
    said = str(error.value)
    assert "8192 tokens take 1.00 GiB" in said and "0.40 GiB are left" in said
    assert "10.00 GiB of 80.00 GiB" in said and "HEDDLE_NODE_CONTEXT to 3276 or less" in said
    with pytest.raises(ValueError, match="to 0 or less"):
        memory.tokens_that_fit(gib, 80 * gib, 2**17, 8192, 33 * 8192)


def test_what_nobody_uses_any_more_is_given_back_before_it_is_measured(reference, monkeypatch):
    """A device whose allocator holds on to 6 GiB of freed weights."""
    from dataclasses import replace

    from heddle_model_server.model import load_model

    model, _ = reference
    gib = 2**30
    free = [4 * gib]
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: free.__setitem__(0, 10 * gib))
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (free[0], 24 * gib))
    loaded = load_model(model.config._name_or_path)
    loaded = replace(loaded, device=torch.device("cuda"), layers=32, kv_heads=8, head_dim=128)
    each = KVCache.bytes_per_token(32, 8, 128, loaded.dtype)
    budget = memory.cache_budget(replace(loaded, context=8192), 32, 0)
    assert budget == int(10 * gib - memory.RESERVED_SHARE * 24 * gib) // each
