"""Computes advantages from the rewards of a group, and what each trajectory counts in a gradient step. Pure."""

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


def normalised(advantages: list[float], sizes: list[int], of_trajectory: list[int]) -> tuple[list[float], list[float]]:
    """The advantages and weights of a gradient step's sequences, as OpenPipe's ART scales them. sizes: trained tokens of
    each sequence; of_trajectory: of its whole trajectory.

    Every trajectory weighs the same however long it is, and a token weighs 1 on average. Advantages are then scaled so that
    |A| w is 1 on average over the tokens: a step is equally large whatever the rewards' unit and spread are."""
    count = sum(sizes)
    shares = [1.0 / tokens for tokens in of_trajectory]
    usual = math.fsum(size * share for size, share in zip(sizes, shares)) / max(count, 1)
    weights = [share / usual for share in shares]
    size_of_all = math.fsum(abs(a) * w * size for a, w, size in zip(advantages, weights, sizes)) / max(count, 1)
    return [one / (size_of_all or 1.0) for one in advantages], weights
