"""How a node is put together: which engine serves, and when serving pauses for training."""

from __future__ import annotations

import pytest

from heddle_model_server.node.gpu_sharing import pauses
from heddle_model_server.node.serve import chosen_engine


@pytest.mark.parametrize(
    ("setting", "gpu", "installed", "width", "engine"),
    [
        ("auto", True, True, 4096, "vllm"),
        ("auto", False, True, 4096, "cpu"),
        ("auto", True, False, 4096, "cpu"),
        # The demo model.
        ("auto", True, True, 96, "cpu"),
        ("cpu", True, True, 4096, "cpu"),
        ("vllm", False, False, 96, "vllm"),
    ],
)
def test_which_engine_serves(setting, gpu, installed, width, engine):
    assert chosen_engine(setting, gpu, installed, width) == engine


@pytest.mark.parametrize(
    ("share", "device", "train_device", "devices", "paused"),
    [
        ("auto", "cpu", "cpu", 1, False),
        ("pause", "cpu", "cpu", 1, True),
        ("auto", "cuda:0", "cuda:0", 1, True),
        ("auto", "cuda", "cuda", 1, True),
        ("auto", "cuda:0", "cuda:1", 3, False),
        ("auto", "cuda:2", "cuda:1", 3, True),
        ("auto", "cuda:0", "cpu", 1, False),
        ("pause", "cuda:0", "cuda:1", 1, True),
        ("beside", "cuda:0", "cuda:0", 1, False),
    ],
)
def test_who_gives_way(share, device, train_device, devices, paused):
    assert pauses(share, device, train_device, devices) == paused
