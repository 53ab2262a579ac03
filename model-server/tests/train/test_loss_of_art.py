"""A gradient step's loss against the published trainer's own code: its weights, normalised advantages and loss, out of the
clients of the tests (`make clients`), of which only these files are loaded."""

from __future__ import annotations

import importlib
import itertools
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
import torch

from heddle_model_server.train.advantages import balanced, group_advantages, normalised
from heddle_model_server.train.loss import LEVELS, LossOptions, centred, losses

PLACES = sorted(Path(__file__).parents[3].glob(".venv/training/lib/python*/site-packages/art"))
pytestmark = pytest.mark.skipif(not PLACES, reason="openpipe-art is not installed: make clients")


@pytest.fixture(scope="module")
def art():
    """Its loss_fn and packed_tensors_from_tokenized_results, without what its package imports besides."""
    bare = {
        name: ModuleType(name)
        for name in ("art", "art.preprocessing", "art.utils", "art.types", "art.preprocessing.tokenize", "art.dev")
    }
    for name, module in bare.items():
        module.__path__ = [str(PLACES[0].joinpath(*name.split(".")[1:]))]
    bare["art.types"].Verbosity = bare["art.preprocessing.tokenize"].TokenizedResult = bare["art.dev"].TrainConfig = (
        object
    )
    bare["art"].dev = bare["art.dev"]
    sys.modules.update(bare)
    yield (
        importlib.import_module("art.loss").loss_fn,
        importlib.import_module("art.preprocessing.pack").packed_tensors_from_tokenized_results,
    )
    for name in [name for name in sys.modules if name.partition(".")[0] == "art"]:
        del sys.modules[name]


@dataclass
class Tokenized:
    """What the packing reads of a sequence."""

    advantage: float
    weight: float
    token_ids: list[int]
    assistant_mask: list[int]
    logprobs: list[float]
    prompt_id: int
    prompt_length: int = 0

    def __post_init__(self):
        self.input_pos = list(range(len(self.token_ids)))
        self.pixel_values = self.image_grid_thw = None

    def without_prompt(self):
        return self


def step(draw: random.Random, told: bool) -> list[Tokenized]:
    """Trajectories of some groups, each of one or two histories. told: whether the sampler told every logprob."""
    made = []
    for scale in (True, False):
        rewards = [draw.gauss(0, 2) for _ in range(draw.randint(2, 4))]
        for advantage in group_advantages(rewards, scale):
            histories = [draw.randint(1, 5) for _ in range(draw.randint(1, 2))]
            for trained in histories:
                mask = [0, 0, *([1] * trained), 0]
                made.append(
                    Tokenized(
                        advantage,
                        1 / (sum(histories) + 1e-6),
                        # Numbered, so that each is found again wherever it is packed.
                        [1000 * len(made) + i for i in range(len(mask))],
                        mask,
                        [draw.gauss(-2, 0.4) if one and (told or draw.random() < 0.8) else math.nan for one in mask],
                        prompt_id=len(made),
                    )
                )
    return made


OPTIONS = list(
    itertools.product(
        (False, True),
        LEVELS,
        (None, 0.9),
        (False, True),
        (None, 0.3),
        (0.0, 0.2),
        (None, 1.1),
        ({}, {"epsilon": 0.1, "epsilon_high": 0.3}),
    )
)
NAMES = (
    *("ppo", "importance_sampling_level", "max_negative_advantage_importance_sampling_weight", "mask_prob_ratio"),
    *("kimi_k2_tau", "kl_penalty_coef", "truncated_importance_sampling"),
)


def test_a_steps_loss_and_gradient_are_those_of_the_published_trainer(art):
    loss_fn, pack = art
    draw = random.Random(1)
    for *given, epsilons in OPTIONS:
        balance = draw.choice([0.0, 0.5, -0.5, 1.0])
        config = {name: value for name, value in zip(NAMES, given) if value is not None} | epsilons
        truncating = "truncated_importance_sampling" in config
        results = step(draw, truncating)
        packed = pack(results, 128, pad_token_id=-1, advantage_balance=balance)
        assert len(packed["tokens"]) == 1
        # At which of their places is each trained token: they predict the next one.
        place = {int(token): at for at, token in enumerate(packed["tokens"][0]) if token >= 0}
        tokens = [t for one in results for t, trained in zip(one.token_ids, one.assistant_mask) if trained]
        at = torch.tensor([place[token] - 1 for token in tokens])
        old = torch.tensor([lp for one in results for lp, trained in zip(one.logprobs, one.assistant_mask) if trained])
        new = (
            torch.where(torch.isnan(old), -2.0, old) + 0.3 * torch.tensor([draw.gauss(0, 1) for _ in tokens])
        ).double()
        reference = new + torch.tensor([draw.gauss(0, 0.5) for _ in tokens])
        sampled = old.double() + torch.tensor([draw.gauss(0, 0.2) for _ in tokens])

        theirs = torch.zeros(1, 128, dtype=torch.float64)
        theirs[0, at] = new
        theirs.requires_grad_()
        of_reference = torch.zeros(1, 128, dtype=torch.float64)
        of_reference[0, at] = reference
        inputs = {**packed, "logprobs": packed["logprobs"].double()}
        if truncating:
            inputs["original_logprobs"] = torch.full((1, 128), math.nan, dtype=torch.float64)
            inputs["original_logprobs"][0, at + 1] = sampled
        result = loss_fn(inputs, theirs, of_reference, None, config)
        result.policy_loss.backward()

        mine = new.clone().requires_grad_()
        sizes = [sum(one.assistant_mask) for one in results]
        sequence = torch.tensor([i for i, size in enumerate(sizes) for _ in range(size)])
        advantages, weights = normalised(
            [balanced(one.advantage, balance) for one in results], sizes, [round(1 / one.weight) for one in results]
        )
        options = LossOptions(**config)
        divergence = None
        if options.kl_penalty_coef:
            divergence = centred(new - reference, float((new - reference).mean()))
        of_tokens = lambda values: torch.tensor(values, dtype=torch.float64)[sequence]
        told = losses(mine, old.double(), of_tokens(advantages), sequence, options, divergence, sampled)
        loss = (told.total * of_tokens(weights)).sum() / len(tokens)
        loss.backward()
        assert float(loss.detach()) == pytest.approx(float(result.policy_loss.detach()), rel=1e-4, abs=1e-5), config
        assert mine.grad.tolist() == pytest.approx(theirs.grad[0, at].tolist(), rel=1e-3, abs=1e-5), config
        if divergence is not None:
            assert float((new - reference).mean()) == pytest.approx(float(result.kl_policy_ref), abs=1e-5)
