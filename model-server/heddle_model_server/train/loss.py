"""Reinforcement-learning losses over sampled tokens. Every tensor is [tokens]: one entry per trained token, all sequences
concatenated. `sequence` holds each token's sequence index."""

from dataclasses import dataclass
from typing import Literal

import torch

from .wire_options import Number, checked

LEVELS = ("token", "sequence", "average", "geometric_average")


@checked
class LossOptions:
    ppo: bool = False
    # Absent: 0.2 for PPO (and upwards the same); 1.0 and 4.0 for CISPO, which then clips upwards only.
    epsilon: Number | None = None
    epsilon_high: Number | None = None
    importance_sampling_level: Literal[LEVELS] = "token"
    max_negative_advantage_importance_sampling_weight: Number | None = None
    mask_prob_ratio: bool = False
    kimi_k2_tau: Number | None = None
    # Weight of the divergence from the base model.
    kl_penalty_coef: Number = 0.0
    # Weight of the divergence from a teacher.
    distillation_coef: Number = 0.0
    # The most that a token counts where sampler and trainer disagree.
    truncated_importance_sampling: Number | None = None

    def clip_range(self) -> tuple[float, float]:
        """The lowest and the highest ratio that isn't clipped."""
        low = self.epsilon if self.epsilon is not None else 0.2 if self.ppo else 1.0
        if self.epsilon_high is not None:
            high = self.epsilon_high
        else:
            high = low if self.epsilon is not None or self.ppo else 4.0
        return 1.0 - low, 1.0 + high


@dataclass(slots=True)
class Losses:
    """One entry per trained token, [tokens]. `total` has a gradient; the others are for metrics."""

    total: torch.Tensor
    # Between the sampling policy and this one.
    kl_div: torch.Tensor
    clipped: torch.Tensor


def losses(
    new: torch.Tensor,
    old: torch.Tensor,
    advantages: torch.Tensor,
    sequence: torch.Tensor,
    options: LossOptions,
    divergence: torch.Tensor | None = None,
    sampled: torch.Tensor | None = None,
    teacher: torch.Tensor | None = None,
) -> Losses:
    """new, old: [tokens], logprobs by the policy and by the sampling policy (NaN: unknown, taken as the policy's own).
    advantages: [tokens], of each token's trajectory. sequence: [tokens], the index of each token's sequence, from 0.
    divergence: [tokens], of `centred`. sampled: [tokens], logprobs that the sampler itself told (NaN: unknown); `old` is
    then recomputed. teacher: [tokens], logprobs by a teacher (NaN: unknown)."""
    held = new.detach()
    old = torch.where(torch.isnan(old), held, old)
    difference = new - old
    ratio = importance(difference, sequence, options.importance_sampling_level)
    low, high = options.clip_range()
    clipped = (ratio.detach() < low) | (ratio.detach() > high)
    if options.max_negative_advantage_importance_sampling_weight:
        # "Dual-clip PPO", Ye et al., arXiv:1912.09729, §4.2, bounds only negative advantages; ART bounds all.
        ratio = ratio.clamp(max=options.max_negative_advantage_importance_sampling_weight)
    if options.mask_prob_ratio:
        ratio = masked(ratio, low, high)
    if options.kimi_k2_tau:
        advantages = regularised(advantages, difference.detach(), options.kimi_k2_tau)
    if divergence is not None:
        advantages = advantages - options.kl_penalty_coef * divergence
    if options.distillation_coef and teacher is not None:
        advantages = advantages - options.distillation_coef * from_teacher(held, teacher)
    policy = ppo(ratio, advantages, low, high) if options.ppo else cispo(ratio, advantages, new, low, high)
    if options.truncated_importance_sampling and sampled is not None:
        policy = policy * truncated(old, sampled, options.truncated_importance_sampling)
    return Losses(policy, k3(difference.detach()), clipped)


def importance(difference: torch.Tensor, sequence: torch.Tensor, level: str) -> torch.Tensor:
    """How much likelier the policy makes a token, or its whole sequence, than the one that sampled did.

    token: w_t = exp(log π(t) − log π_old(t)) (PPO, arXiv:1707.06347, eq. 6). sequence: the same with the mean difference
    over the sequence's tokens, one value for all of them ("GSPO", Zheng et al., arXiv:2507.18071, eq. 7). average and
    geometric_average: of these two (options of OpenPipe's ART).
    """
    if level == "token":
        return torch.exp(difference)
    count = int(sequence.max()) + 1 if len(sequence) else 0
    sums = difference.new_zeros(count).index_add(0, sequence, difference)
    sizes = difference.new_zeros(count).index_add(0, sequence, torch.ones_like(difference))
    mean = (sums / sizes.clamp(min=1))[sequence]
    if level == "sequence":
        return torch.exp(mean)
    if level == "average":
        return (torch.exp(difference) + torch.exp(mean)) / 2
    return torch.exp((difference + mean) / 2)


def masked(ratio: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """The ratio, 0 outside the clip range (`mask_prob_ratio` of OpenPipe's ART, which clips afterwards: with a lower bound
    above 0, CISPO still weighs such a token by that bound)."""
    return torch.where((ratio > low) & (ratio < high), ratio, torch.zeros_like(ratio))


def truncated(old: torch.Tensor, sampled: torch.Tensor, most: float) -> torch.Tensor:
    """min(π_old(t) / π_sampler(t), most): corrects for a sampler whose kernels give other likelihoods than the trainer's
    for the same weights ("truncated importance sampling", Yao et al., "Your Efficient RL Framework Secretly Brings You
    Off-Policy RL Training", 2025). 1 where the sampler told nothing."""
    return torch.exp(old - torch.where(torch.isnan(sampled), old, sampled)).clamp(max=most)


def centred(divergences: torch.Tensor, mean: float) -> torch.Tensor:
    """log π(t) − log π_ref(t) less its mean over the step: in the advantages it moves weight from tokens that went far from
    the reference to those that stayed, and rewards or punishes nothing on the whole (as OpenPipe's ART has it)."""
    return divergences - mean


def from_teacher(held: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    """log π(t) − log π_teacher(t), 0 where the teacher told nothing: on the policy's own samples, an advantage of its
    negative has the gradient of the reverse KL(π‖π_teacher) ("on-policy distillation": Agarwal et al., GKD,
    arXiv:2306.13649, §3; Gu et al., MiniLLM, arXiv:2306.08543, §2.2)."""
    return torch.where(torch.isnan(teacher), torch.zeros_like(held), held - teacher)


def regularised(advantages: torch.Tensor, difference: torch.Tensor, tau: float) -> torch.Tensor:
    """A_t − τ (log π(t) − log π_old(t)): the gradient of Kimi's squared objective (r − mean r − τ log π/π_old)², which
    holds the policy near the one that sampled (Kimi k1.5, arXiv:2501.12599, eq. 3; Kimi K2, arXiv:2507.20534, §3.2.3)."""
    return advantages - tau * difference


def ppo(ratio: torch.Tensor, advantages: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """−min(w A, clip(w, 1 − ε, 1 + ε_high) A): Schulman et al., arXiv:1707.06347, eq. 7; two epsilons as "clip-higher"
    of DAPO, arXiv:2503.14476, eq. 10."""
    return -torch.minimum(ratio * advantages, ratio.clamp(low, high) * advantages)


def cispo(ratio: torch.Tensor, advantages: torch.Tensor, new: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """−sg(clip(w, 1 − ε, 1 + ε_high)) A log π(t), where sg has no gradient: every token keeps its gradient, its weight is
    bounded. MiniMax-M1, arXiv:2506.13585, eqs. 4 and 5."""
    return -(ratio.detach().clamp(low, high) * advantages * new)


def k3(log_ratio: torch.Tensor) -> torch.Tensor:
    """exp(x) − x − 1: an estimate of KL(p‖q) from a token of p, with x = log q − log p; unbiased, never negative, of
    little variance. Schulman, "Approximating KL divergence", joschu.net/blog/kl-approx.html, 2020."""
    # expm1: near 0, exp(x) − 1 would be only rounding error.
    return torch.expm1(log_ratio) - log_ratio
