"""The losses against the plainest way to write them: loops over Python numbers, gradients by differences."""

from __future__ import annotations

import itertools
import math
import random

import pytest
import torch

from heddle_model_server.train.advantages import balanced, group_advantages, normalised
from heddle_model_server.train.errors import TrainingError
from heddle_model_server.train.loss import LEVELS, LossOptions, centred, losses
from heddle_model_server.train.run import options_of


def slow_loss(
    new, old, advantages, sequence, options: LossOptions, reference, weights_at, sampled=None, teacher=None
) -> list[float]:
    """The loss of each token. weights_at: the logprobs at which a weight without gradient is taken."""
    default = 0.2 if options.ppo else 1.0
    low = options.epsilon if options.epsilon is not None else default
    high = options.epsilon_high
    if high is None:
        high = 4.0 if options.epsilon is None and not options.ppo else low

    def ratio_at(logprobs, i):
        old_i = lambda j: weights_at[j] if math.isnan(old[j]) else old[j]
        own = logprobs[i] - old_i(i)
        fellows = [j for j in range(len(logprobs)) if sequence[j] == sequence[i]]
        whole = sum(logprobs[j] - old_i(j) for j in fellows) / len(fellows)
        return {
            "token": math.exp(own),
            "sequence": math.exp(whole),
            "average": (math.exp(own) + math.exp(whole)) / 2,
            "geometric_average": math.sqrt(math.exp(own) * math.exp(whole)),
        }[options.importance_sampling_level]

    result = []
    for i in range(len(new)):
        advantage = advantages[i]
        cap = options.max_negative_advantage_importance_sampling_weight
        ratio, held = ratio_at(new, i), ratio_at(weights_at, i)
        if cap is not None:
            ratio, held = min(ratio, cap), min(held, cap)
        if options.mask_prob_ratio and not 1 - low < held < 1 + high:
            ratio = held = 0.0
        if options.kimi_k2_tau:
            known = weights_at[i] if math.isnan(old[i]) else old[i]
            advantage -= options.kimi_k2_tau * (weights_at[i] - known)
        if reference is not None:
            away = [weights_at[j] - reference[j] for j in range(len(new))]
            advantage += options.kl_penalty_coef * (sum(away) / len(away) - away[i])
        if teacher is not None and not math.isnan(teacher[i]):
            advantage -= options.distillation_coef * math.log(math.exp(weights_at[i]) / math.exp(teacher[i]))
        clip = lambda value: max(1 - low, min(1 + high, value))
        if options.ppo:
            loss = -min(ratio * advantage, clip(ratio) * advantage)
        else:
            loss = -clip(held) * advantage * new[i]
        if sampled is not None and options.truncated_importance_sampling and not math.isnan(sampled[i]):
            known = weights_at[i] if math.isnan(old[i]) else old[i]
            loss *= min(math.exp(known) / math.exp(sampled[i]), options.truncated_importance_sampling)
        result.append(loss)
    return result


def cases():
    for ppo, level, masked, cap, tau, kl, most in itertools.product(
        (False, True), LEVELS, (False, True), (None, 0.9), (None, 0.3), (0.0, 0.2), (None, 1.2)
    ):
        yield LossOptions(
            ppo=ppo,
            importance_sampling_level=level,
            mask_prob_ratio=masked,
            max_negative_advantage_importance_sampling_weight=cap,
            kimi_k2_tau=tau,
            kl_penalty_coef=kl,
            truncated_importance_sampling=most,
        )


@pytest.mark.parametrize("epsilons", [(None, None), (0.1, None), (0.1, 0.3), (None, 0.5)])
def test_every_option_is_what_the_loops_say(epsilons):
    draw = random.Random(repr(epsilons))
    for base in cases():
        options = LossOptions(
            **{name: getattr(base, name) for name in base.__dataclass_fields__}
            | {"epsilon": epsilons[0], "epsilon_high": epsilons[1], "distillation_coef": draw.choice([0.0, 0.4])}
        )
        count = draw.randint(1, 9)
        new = [-draw.expovariate(1.0) for _ in range(count)]
        old = [math.nan if draw.random() < 0.2 else one + draw.gauss(0, 0.4) for one in new]
        advantages = [draw.gauss(0, 1) for _ in range(count)]
        sequence = sorted(draw.randrange(3) for _ in range(count))
        reference = [one + draw.gauss(0, 0.5) for one in new] if options.kl_penalty_coef else None
        sampled = [math.nan if draw.random() < 0.2 else one + draw.gauss(0, 0.4) for one in new]
        teacher = [math.nan if draw.random() < 0.2 else one + draw.gauss(0, 0.5) for one in new]
        tensor = lambda values: None if values is None else torch.tensor(values, dtype=torch.float64)
        variable = tensor(new).requires_grad_()
        divergence = None
        if reference is not None:
            apart = tensor(new) - tensor(reference)
            divergence = centred(apart, float(apart.mean()))
        given = (
            tensor(old),
            tensor(advantages),
            torch.tensor(sequence),
            options,
            divergence,
            tensor(sampled),
            tensor(teacher),
        )
        result = losses(variable, *given)
        slow = lambda at: slow_loss(at, old, advantages, sequence, options, reference, new, sampled, teacher)
        expected = slow(new)
        assert result.total.tolist() == pytest.approx(expected, abs=1e-9), options

        result.total.sum().backward()
        step = 1e-6
        for i in range(count):
            moved = [sum(slow([*new[:i], new[i] + way, *new[i + 1 :]])) for way in (-step, step)]
            assert float(variable.grad[i]) == pytest.approx((moved[1] - moved[0]) / (2 * step), abs=1e-4), options


def test_divergences_are_never_negative_and_nothing_where_policies_agree():
    new, old = torch.randn(50) - 3, torch.randn(50) - 3
    sequence = torch.zeros(50, dtype=torch.long)
    apart = losses(new, old, torch.ones(50), sequence, LossOptions())
    assert (apart.kl_div >= 0).all()
    same = losses(new, torch.full((50,), math.nan), torch.ones(50), sequence, LossOptions())
    assert same.kl_div.abs().max() == 0 and not same.clipped.any()


def test_advantages_are_within_the_group():
    draw = random.Random(1)
    for _ in range(200):
        rewards = [draw.choice([0.0, 1.0, draw.gauss(0, 3)]) for _ in range(draw.randint(2, 8))]
        if len(set(rewards)) == 1:
            assert group_advantages(rewards, True) is None
            continue
        mean = sum(rewards) / len(rewards)
        std = (sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) ** 0.5
        assert group_advantages(rewards, False) == pytest.approx([reward - mean for reward in rewards], abs=1e-9)
        expected = [(reward - mean) / (std + 1e-6) for reward in rewards]
        assert group_advantages(rewards, True) == pytest.approx(expected, abs=1e-6)
    assert group_advantages([1.0], True) is None


def test_every_trajectory_counts_the_same_and_a_step_is_always_as_large():
    draw = random.Random(2)
    for _ in range(100):
        of_trajectory = [draw.randint(1, 9) for _ in range(draw.randint(1, 6))]
        # Each in up to three sequences.
        parts = [(i, size) for i, n in enumerate(of_trajectory) for size in split(draw, n)]
        rewards = [draw.gauss(0, 5) for _ in of_trajectory]
        sizes = [size for _, size in parts]
        advantages, weights = normalised([rewards[i] for i, _ in parts], sizes, [of_trajectory[i] for i, _ in parts])
        counts = [0.0] * len(of_trajectory)
        for (i, size), weight in zip(parts, weights):
            counts[i] += size * weight
        assert counts == pytest.approx([sum(sizes) / len(of_trajectory)] * len(of_trajectory))
        whole = sum(abs(a) * w * size for a, w, size in zip(advantages, weights, sizes))
        assert whole == pytest.approx(sum(sizes))
        assert all(a == pytest.approx(rewards[i] * advantages[0] / rewards[0]) for a, (i, _) in zip(advantages, parts))


def split(draw: random.Random, size: int) -> list[int]:
    first = draw.randint(1, size)
    return [first] if first == size else [first, size - first]


@pytest.mark.parametrize(
    ("balance", "better", "worse"), [(0, 1, -1), (1, 1, 0), (-1, 0, -1), (0.25, 1, -0.75), (-0.25, 0.75, -1)]
)
def test_balance_scales_down_the_side_that_counts_less(balance, better, worse):
    assert (balanced(1.0, balance), balanced(-1.0, balance)) == (better, worse)


@pytest.mark.parametrize(
    "options",
    [{"importance_sampling_level": "word"}, {"epsilon": -1}, {"epsilon_high": math.nan}, {"kl_penalty_coef": -1}],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(TrainingError, match="experimental_config"):
        options_of("rl", options)
