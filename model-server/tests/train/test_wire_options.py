"""Options as the public client sends them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from heddle_model_server.train.dpo import DpoOptions
from heddle_model_server.train.errors import TrainingError
from heddle_model_server.train.loss import LossOptions
from heddle_model_server.train.rl import RlOptions
from heddle_model_server.train.sft import SftOptions
from heddle_model_server.train.kto import KtoOptions
from heddle_model_server.train.run import BATCH_RECIPES, options_of

LISTED = Path(__file__).parents[3] / "proto/heddle/node/v1/training-options.txt"
# Fields that aren't options of clients.
OURS = {
    "groups_per_step": "a field of the request",
    "loss": "options that stand beside the others",
}


def test_they_are_those_of_the_contract():
    """The contract's test compares the same file with what clients may send."""
    kinds = {name: (options,) for name, (options, *_) in BATCH_RECIPES.items()} | {"rl": (RlOptions, LossOptions)}
    read = {f"{recipe} {field.name}" for recipe, of in kinds.items() for kind in of for field in fields(kind)} - {
        f"rl {name}" for name in OURS
    }
    assert read == set(LISTED.read_text().splitlines())


def test_absent_null_and_unknown_options_are_the_defaults():
    for config in (None, {}, dict.fromkeys(("ppo", "epsilon", "learning_rate", "scale_rewards")), {"new": 1}):
        assert options_of("rl", config) == RlOptions()
    assert (
        options_of("sft", None)
        == options_of("sft", {"batch_size": None, "learning_rate": None, "new": 1})
        == SftOptions()
    )
    assert (RlOptions().learning_rate, SftOptions().batch_size) == (5e-6, 2)
    assert LossOptions().clip_range() == (0, 5) and LossOptions(ppo=True).clip_range() == (0.8, 1.2)


def test_given_options_are_taken():
    made = options_of(
        "rl", {"ppo": True, "epsilon": 0.1, "scale_rewards": False, "importance_sampling_level": "sequence"}
    )
    assert made.loss == LossOptions(ppo=True, epsilon=0.1, importance_sampling_level="sequence")
    assert not made.scale_rewards
    assert options_of("sft", {"batch_size": 3, "learning_rate": [0.1, 0.2]}) == SftOptions(3, (0.1, 0.2))
    assert options_of("dpo", {"beta": 0.5, "batch_size": 3, "method": "dpo"}) == DpoOptions(batch_size=3, beta=0.5)
    assert options_of("kto", {"undesirable_weight": 1.5, "method": "kto"}) == KtoOptions(undesirable_weight=1.5)


@pytest.mark.parametrize(
    "config",
    [{"ppo": 1}, {"epsilon": "x"}, {"learning_rate": -1}, {"advantage_balance": 2}, {"importance_sampling_level": "w"}],
)
def test_wrong_ones_are_named(config):
    with pytest.raises(TrainingError, match=next(iter(config))):
        options_of("rl", config)


@pytest.mark.parametrize(
    "config", [{"batch_size": 0}, {"batch_size": 1.5}, {"learning_rate": []}, {"learning_rate": "x"}]
)
def test_wrong_ones_of_sft_are_named(config):
    with pytest.raises(TrainingError, match=next(iter(config))):
        options_of("sft", config)
