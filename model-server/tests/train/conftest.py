"""What the tests of training share."""

from __future__ import annotations

import pytest
from toy import likeliest

from heddle_model_server.model import load_model
from heddle_model_server.train.policy import LoraOptions, Policy


@pytest.fixture
def make_policy(model_folder):
    """The demo model with a new adapter."""

    def make(rank: int = 8, **settings) -> Policy:
        loaded = load_model(str(model_folder), name="demo", device="cpu")
        return Policy(loaded, LoraOptions(rank=rank, alpha=2 * rank), **settings)

    return make


@pytest.fixture
def policy(make_policy):
    return make_policy()


@pytest.fixture
def answer():
    return likeliest
