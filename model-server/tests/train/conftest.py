"""What the tests of training share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

from toy import prompt_tokens

from heddle_model_server.engine.model import load_model
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
    """The likeliest answer of the policy."""

    def ask(policy: Policy, question: str, most: int = 24) -> str:
        tokens = prompt_tokens(policy, question)
        with torch.no_grad():
            made = policy.model.eval().generate(input_ids=torch.tensor([tokens]), max_new_tokens=most, do_sample=False)[
                0, len(tokens) :
            ]
        policy.model.train()
        return policy.chat.text(made.tolist())

    return ask
