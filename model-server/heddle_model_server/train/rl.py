"""Reinforcement learning on trajectories that were sampled and rewarded elsewhere: groups in, a LoRA checkpoint out. One
gradient step per few groups, in order, read as a stream."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from itertools import islice
from statistics import fmean, pstdev
from typing import Annotated

import numpy as np
import torch
from pydantic import Field

from .advantages import normalised
from .errors import Control, TrainingError
from .events import Event, ending_in_failure
from .job import Job, JobOptions
from .loss import LossOptions, centred, from_teacher, losses
from .pack import PackedRow
from .policy import Policy
from .data import SkippedSamples
from .tokens import TokenSequence
from .trajectories import GroupTokens, TrainedSequence, group_tokens
from .wire_options import Number, checked


@checked
class RlOptions:
    """groups_per_step: trajectory groups per gradient step. precalculate_logprobs: recompute the sampling policy's
    logprobs with the job's initial policy, even if trajectories bring them."""

    learning_rate: Number = 5e-6
    scale_rewards: bool = True
    advantage_balance: Annotated[float, Field(ge=-1, le=1)] = 0.0
    precalculate_logprobs: bool = False
    groups_per_step: Annotated[int, Field(ge=1)] = 8
    loss: LossOptions = field(default_factory=LossOptions)


@ending_in_failure
def train_rl(
    policy: Policy,
    groups: Iterable[dict],
    count: int,
    options: RlOptions,
    job_options: JobOptions,
    control: Control | None = None,
) -> Iterator[Event]:
    """Trains while its events are read. Reading may stop at any event; the same arguments resume the job later. groups: as clients
    send them. count: their number. Each trajectory of a step counts the same, see `normalised`, however it is split into rows."""
    control = control or Control()
    if count < 1:
        raise TrainingError("NOTHING_TO_LEARN", "The job has no trajectory groups.")

    job = Job(policy, job_options, "rl", control)
    skipped = SkippedSamples(control.report)
    steps = math.ceil(count / options.groups_per_step)
    coming = islice(groups, count)
    for _ in islice(coming, job.done * options.groups_per_step):
        control.check()

    def step(index: int) -> tuple[dict[str, float], list[int]]:
        first = index * options.groups_per_step
        how = (
            policy.chat,
            policy.context,
            options.scale_rewards,
            options.advantage_balance,
            options.loss.distillation_coef > 0,
        )
        read = [group_tokens(group, first + i, *how) for i, group in enumerate(islice(coming, options.groups_per_step))]
        if len(read) < min(options.groups_per_step, count - first):
            why = f"The training data has {first + len(read)} trajectory groups, and {count} were announced."
            raise TrainingError("BAD_DATA", why)
        for group in read:
            for error in group.skipped:
                skipped.add(error)
        learnt = trained_step(policy, job, read, options)
        return {**group_metrics(read), **learnt}, [len(one.sequence) for group in read for one in group.sequences]

    yield from job.steps(steps, step)
    if note := policy.chat.note():
        control.report(note)
    if job.metric_sum("data/num_left_out") and not job.metric_sum("num_trajectories"):
        raise skipped.nothing_left()
    yield from job.end()


def trained_step(policy: Policy, job: Job, read: list[GroupTokens], options: RlOptions) -> dict[str, float]:
    """A gradient step over these groups; returns its metrics. Changes nothing if no group is trainable."""
    trained = [one for group in read for one in group.sequences]
    lengths = [len(one.sequence) for one in trained]
    passes = lambda tokens: gradients(policy, job, trained, options, tokens)
    found = job.learn(passes, lengths, options.learning_rate if trained else None)
    return {
        **found,
        "policy_loss": found["loss"],
        "learning_rate": options.learning_rate,
        "num_trainable_tokens": sum(one.sequence.trained_tokens for one in trained),
        "num_datums": len(trained),
    }


def gradients(
    policy: Policy, job: Job, trained: list[TrainedSequence], options: RlOptions, row_tokens: int
) -> dict[str, float]:
    """Adds up the gradients of a step, in rows of at most so many tokens; returns means over its trained tokens."""
    sequences = [one.sequence for one in trained]
    sizes = [one.trained_tokens for one in sequences]
    count = sum(sizes)
    advantages, weights = normalised([one.advantage for one in trained], sizes, [one.of_trajectory for one in trained])
    sums = dict.fromkeys(("loss", "entropy", "kl_div", "loss/clip_fraction"), 0.0)
    if options.loss.distillation_coef:
        sums["kl_policy_teacher"] = 0.0
    # Against the sampler's own, log π_old is that of the weights that sampled, by this process.
    truncating = bool(options.loss.truncated_importance_sampling)
    if truncating:
        options = replace(options, precalculate_logprobs=True)
    unknown = options.precalculate_logprobs or any(np.isnan(one.logprobs[one.trained]).any() for one in sequences)
    local = policy.rows(sequences, row_tokens)
    divergences = mean_divergence = None
    if options.loss.kl_penalty_coef > 0 and trained:
        # A pass of its own, so that rows may be packed as they like.
        divergences, apart = job.from_reference(local)
        mean_divergence = apart / count
    baseline = teacher_baseline(sequences)
    olds = old_logprobs(policy, job, [row for row, _ in local], options, job.done > 0 and unknown)
    for place, (row, counted) in enumerate(local):
        logprobs, entropies = policy.logprobs(row, entropy=True)
        divergence = None if divergences is None else centred(divergences[place], mean_divergence)
        result = losses(
            logprobs,
            olds[place],
            row.of_tokens(advantages),
            row.sequence,
            options.loss,
            divergence,
            row.logprobs if truncating else None,
            row.teacher + baseline,
        )
        weight = counted / count
        share = (result.total * row.of_tokens(weights)).sum() * weight
        job.backward(share)
        sums["loss"] += float(share.detach())
        sums["entropy"] += float(entropies.sum()) * weight
        sums["kl_div"] += float(result.kl_div.sum()) * weight
        sums["loss/clip_fraction"] += float(result.clipped.sum()) * weight
        if options.loss.distillation_coef:
            sums["kl_policy_teacher"] += float(from_teacher(logprobs.detach(), row.teacher).sum()) * weight
    if mean_divergence is not None:
        # It is of all processes already, and sums are added up over them.
        sums["kl_policy_ref"] = mean_divergence if policy.distributed.is_main else 0.0
    return sums


def teacher_baseline(sequences: list[TokenSequence]) -> float:
    """The mean of log π_old − log π_teacher over the step's tokens that both told. Taken off every token's divergence it
    changes nothing on the whole, but much less is left to chance."""
    apart = np.concatenate([(one.logprobs - one.teacher)[one.trained] for one in sequences] or [np.empty(0)])
    known = apart[~np.isnan(apart)]
    return float(known.mean()) if len(known) else 0.0


def old_logprobs(policy: Policy, job: Job, rows: list[PackedRow], options: RlOptions, anew: bool) -> list[torch.Tensor]:
    """log π_old of each row's trained tokens, [tokens]: from the trajectory, otherwise by the job's initial policy. In the
    first step those are the policy's own, which the loss substitutes for NaN. anew: whether any token of the step
    needs them; then every process computes them for every row."""
    unknown = options.precalculate_logprobs
    known = [torch.full_like(row.logprobs, math.nan) if unknown else row.logprobs for row in rows]
    if not anew:
        return known
    computed = policy.logprobs_by(job.start, rows)
    return [torch.where(torch.isnan(one), other, one) for one, other in zip(known, computed)]


def group_metrics(read: list[GroupTokens]) -> dict[str, float]:
    """Metrics of the data, before training."""
    rewards = [reward for group in read for reward in group.rewards]
    exceptions = sum(group.exceptions for group in read)
    spreads = [pstdev(group.rewards) for group in read if group.rewards]
    named: dict[str, list[float]] = {}
    for group in read:
        for name, value in group.metrics.items():
            named.setdefault(name, []).append(value)
    attempts = len(rewards) + exceptions
    return {
        "reward": mean(rewards),
        "reward_std_dev": mean(spreads),
        "exception_rate": exceptions / attempts if attempts else 0.0,
        "num_groups_submitted": len(read),
        "num_groups_trainable": sum(group.trainable for group in read),
        "num_trajectories": len(rewards),
        "data/num_dropped": sum(group.dropped for group in read),
        "data/num_left_out": sum(len(group.skipped) for group in read),
        **{f"group_metric_{name}": mean(values) for name, values in named.items()},
    }


def mean(values: list[float]) -> float:
    """0 for an empty list."""
    return fmean(values) if values else 0.0
