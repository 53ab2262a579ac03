"""Computes advantages from the rewards of a group. Pure; knows nothing of tokens or losses."""

from __future__ import annotations

import math

# Bounds the advantages of a group whose rewards hardly differ; as in GRPO's implementations.
STD_FLOOR = 1e-6


def group_advantages(rewards: list[float], scale: bool) -> list[float] | None:
    """How much better each trajectory was than its group; None if all rewards are equal, since such a group teaches nothing.

    A_i = r_i − mean(r), and with `scale` divided by the group's standard deviation: "GRPO", Shao et al., DeepSeekMath,
    arXiv:2402.03300, §4.1.2. Without: "Dr. GRPO", Liu et al., arXiv:2503.20783, §3.2, which argues that the division
    favours questions that are too easy or too hard. The deviation is the population's (divided by n).
    """
    if len(rewards) < 2 or max(rewards) == min(rewards):
        return None
    mean = math.fsum(rewards) / len(rewards)
    centred = [reward - mean for reward in rewards]
    if not scale:
        return centred
    std = math.sqrt(math.fsum(one * one for one in centred) / len(rewards))
    return [one / (std + STD_FLOOR) for one in centred]


def balanced(advantage: float, balance: float) -> float:
    """Weighs positive against negative advantages: −1 trains on negative ones only, 1 on positive ones only, 0 on
    both alike; in between, one side is scaled down. As `advantage_balance` in OpenPipe's ART (`dev.TrainConfig`)."""
    if advantage > 0:
        return advantage * min(1.0, 1.0 + balance)
    return advantage * min(1.0, 1.0 - balance)
