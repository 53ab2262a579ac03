"""Reinforcement learning of the demo model on rewards that the test computes, as a client does."""

from __future__ import annotations

import copy
import shutil
import math

import numpy as np
import pytest
import torch
from toy import QUESTIONS, group, learn_by_reward, made_in, prompt_tokens

from heddle_model_server.artifacts.folders import Folders
from heddle_model_server.artifacts.store import FolderStore
from heddle_model_server.train.checkpoints import Checkpoints, read_weights
from heddle_model_server.train.errors import Control
from heddle_model_server.train.events import CheckpointWritten, GradientStep
from heddle_model_server.train.job import JobOptions
from heddle_model_server.train.loss import LossOptions
from heddle_model_server.train.policy import Policy
from heddle_model_server.train.rl import RlOptions, train_rl
from heddle_model_server.train.tokens import TokenSequence


def steps_of(events: list) -> list[GradientStep]:
    return [event for event in events if isinstance(event, GradientStep)]


def groups_of(policy, seed: int, count: int, with_logprobs: bool = True) -> list[dict]:
    torch.manual_seed(seed)
    return [group(policy, QUESTIONS[i % 2], 8, with_logprobs) for i in range(count)]


SEEDS = [pytest.param(1), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 9))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ppo", [False, True])
def test_the_reward_rises(policy, tmp_path, ppo, seed):
    rewards = learn_by_reward(policy, str(tmp_path), ppo, seed)
    assert rewards[0] < 0.2 and rewards[-1] > 0.9 and len(rewards) <= 41, rewards
    # A checkpoint a job, each job begun with the one before.
    assert len(made_in(tmp_path)) == len(rewards) // 2


def test_metrics_are_the_contracts(policy, tmp_path):
    groups = groups_of(policy, 3, 3)
    groups[0]["exceptions"] = [{"type": "E", "message": "", "traceback": ""}] * 8
    groups[0]["metrics"] = {"turns": 2, "done": True}
    for trajectory in groups[2]["trajectories"]:
        trajectory["reward"] = 1.0
    options = RlOptions(groups_per_step=3, loss=LossOptions(kl_penalty_coef=0.1))
    events = list(train_rl(policy, groups, 3, options, JobOptions("job", str(tmp_path))))
    metrics = steps_of(events)[0].metrics
    wanted = {
        "exception_rate": 8 / 32,
        "num_groups_submitted": 3,
        "num_groups_trainable": 2,
        "num_trajectories": 24,
        "num_datums": 16,
        "num_trainable_tokens": 16 * 12,
        "learning_rate": 5e-6,
        "group_metric_turns": 2,
        "group_metric_done": 1,
    }
    assert {name: metrics[name] for name in wanted} == pytest.approx(wanted)
    assert metrics.keys() >= {"reward", "reward_std_dev", "policy_loss", "loss", "entropy", "grad_norm"}
    # The sampling policy, the trained one and the base are still the same.
    assert metrics["kl_div"] == pytest.approx(0, abs=1e-5) and metrics["kl_policy_ref"] == pytest.approx(0, abs=1e-5)
    assert all(math.isfinite(value) for value in metrics.values())


@pytest.mark.parametrize("precalculate", [False, True])
def test_recomputed_logprobs_do_as_well_as_those_that_were_sent(make_policy, tmp_path, precalculate):
    """Four steps over one policy's samples: from the second on, old logprobs are the ones of the job's beginning."""
    sampler = make_policy()
    sent = groups_of(sampler, 4, 4)
    results = []
    for name, groups, anew in (("sent", sent, False), ("anew", bare(sent) if not precalculate else sent, precalculate)):
        policy = make_policy()
        options = RlOptions(learning_rate=2e-3, groups_per_step=1, precalculate_logprobs=anew)
        events = list(train_rl(policy, groups, 4, options, JobOptions("job", str(tmp_path / name), seed=9)))
        results.append([event.metrics["kl_div"] for event in steps_of(events)])
    assert max(results[0]) > 1e-4
    assert results[1] == pytest.approx(results[0], rel=0.01, abs=1e-5)


def bare(groups: list[dict]) -> list[dict]:
    """Logprobs that say what was sampled, but not how likely it was."""
    groups = copy.deepcopy(groups)
    for one in groups:
        for trajectory in one["trajectories"]:
            for entry in trajectory["messages_and_choices"][1]["logprobs"]["content"]:
                del entry["logprob"]
    return groups


def test_resuming_equals_never_stopping(make_policy, tmp_path):
    sent = groups_of(make_policy(), 5, 5)
    options = RlOptions(learning_rate=2e-3, groups_per_step=1, precalculate_logprobs=True)
    whole = make_policy()
    undisturbed = list(train_rl(whole, sent, 5, options, JobOptions("job", str(tmp_path / "whole"), save_every=2)))
    for event in train_rl(make_policy(), sent, 5, options, JobOptions("job", str(tmp_path / "cut"), save_every=2)):
        if isinstance(event, GradientStep) and event.step == 4:
            break
    last = make_policy()
    resumed = list(train_rl(last, iter(sent), 5, options, JobOptions("job", str(tmp_path / "cut"), save_every=2)))
    assert all(torch.equal(tensor, last.weights()[name]) for name, tensor in whole.weights().items())
    assert [event.number for event in resumed] == [event.number for event in undisturbed][-len(resumed) :]


def hello(count: int) -> dict:
    """A group whose rewards differ."""
    return {
        "trajectories": [
            {
                "messages_and_choices": [
                    {"role": "user", "content": "Hi"},
                    {
                        "finish_reason": "stop",
                        "index": 0,
                        "message": {"role": "assistant", "content": "Hello"},
                        "logprobs": {"content": [{"token": "Hello", "logprob": -1.0, "top_logprobs": []}]},
                    },
                ],
                "reward": float(i),
            }
            for i in range(count)
        ]
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.update(reward=math.nan), "trajectories[1] has a reward that is not a number"),
        (lambda t: t["messages_and_choices"].pop(), "trajectories[1] has no choice"),
        (
            lambda t: t["messages_and_choices"][1]["message"].update(content="Hello, you!"),
            "messages_and_choices[1] has logprobs that don't belong to its message",
        ),
        (
            lambda t: t["messages_and_choices"][1]["logprobs"]["content"][0].update(logprob="much"),
            "messages_and_choices[1] has a logprob that is not a number",
        ),
        (lambda t: t["messages_and_choices"].insert(0, 5), "messages_and_choices[0] must be an object"),
        (lambda t: t["messages_and_choices"].insert(0, {"content": "x"}), "needs a role"),
        (lambda t: t["messages_and_choices"][0].update(content="\ud83d"), "messages[0] has half of a surrogate pair"),
        (lambda t: t["messages_and_choices"][1].update(logprobs="none"), "has logprobs that are no object"),
        (lambda t: t.update(additional_histories=[1]), "additional_histories that are no array of objects"),
        (
            lambda t: t["messages_and_choices"][1]["message"].update(content=[{"type": "image_url"}]),
            "has a part that is no text",
        ),
    ],
)
def test_a_trajectory_that_can_not_be_used_is_left_out_and_the_others_are_learnt(
    make_policy, tmp_path, change, sentence
):
    """Weights to the bit as if it had never been sent; the event counts it, and the log names it."""
    one, clean, said = hello(3), hello(3), []
    change(one["trajectories"][1])
    del clean["trajectories"][1]
    made = []
    for name, group in (("with", one), ("without", clean)):
        policy = make_policy()
        options = JobOptions("job", str(tmp_path / name))
        events = list(train_rl(policy, [group], 1, RlOptions(learning_rate=1e-2), options, Control(said.append)))
        assert events[-1].type == "training_ended"
        made.append((policy.weights(), steps_of(events)[0].metrics))
    (weights, metrics), (expected, told) = made
    assert all(torch.equal(tensor, weights[name]) for name, tensor in expected.items())
    assert (metrics["data/num_left_out"], told["data/num_left_out"]) == (1, 0)
    assert metrics["num_trajectories"] == metrics["num_datums"] == 2 and metrics["reward"] == told["reward"] == 1
    (left,) = [reason for reason in said if reason.startswith("left out: ")]
    assert sentence in left and "trajectory_groups[0].trajectories[1]" in left


def test_the_divergence_is_centred_over_the_step_however_it_is_packed(make_policy, tmp_path):
    """The reference's divergence and the sampler's, with rows for all sequences and with one for each."""
    loss = LossOptions(kl_penalty_coef=0.5, truncated_importance_sampling=1.1)
    options = RlOptions(learning_rate=1e-3, groups_per_step=2, loss=loss)
    groups = [hello(3) for _ in range(6)]
    for group in groups:
        # The first keeps what its sampler told.
        for i, trajectory in enumerate(group["trajectories"][1:], 1):
            choice = trajectory["messages_and_choices"][1]
            choice["message"]["content"] = f"Hello {'you ' * i}!"
            del choice["logprobs"]
    made = []
    for row_tokens in (2048, 1):
        policy = make_policy()
        job = JobOptions("job", str(tmp_path / str(row_tokens)), row_tokens=row_tokens)
        steps = steps_of(train_rl(policy, groups, 6, options, job))
        assert abs(steps[-1].metrics["kl_policy_ref"]) > 1e-3
        made.append([step.metrics for step in steps])
    for packed, alone in zip(*made, strict=True):
        for name in ("loss", "grad_norm", "kl_policy_ref", "kl_div"):
            assert alone[name] == pytest.approx(packed[name], rel=1e-2, abs=1e-4)


def test_a_job_of_which_everything_is_left_out_fails_for_good(policy, tmp_path):
    groups = [hello(3), hello(3)]
    for group in groups:
        for trajectory in group["trajectories"]:
            trajectory["messages_and_choices"][1]["message"].update(content="Hello, you!")
    *steps, last = train_rl(policy, groups, 2, RlOptions(groups_per_step=1), JobOptions("job", str(tmp_path)))
    assert [event.metrics["data/num_left_out"] for event in steps_of(steps)] == [3, 3]
    assert (last.code, last.retriable) == ("BAD_DATA", False)
    assert "trajectory_groups[0].trajectories[0].messages_and_choices[1] has logprobs that don't belong" in last.message
    assert made_in(tmp_path) == []


def test_groups_are_read_as_they_are_needed(policy, tmp_path):
    read = []
    sent = groups_of(policy, 6, 2)

    def coming():
        for i in range(10_000):
            read.append(i)
            yield sent[i % 2]

    events = train_rl(policy, coming(), 10_000, RlOptions(groups_per_step=4), JobOptions("job", str(tmp_path)))
    assert next(events).num_sequences == 2500
    next(events), next(events)
    assert len(read) == 8


def test_groups_that_teach_nothing_change_nothing(policy, tmp_path):
    sent = groups_of(policy, 7, 1)
    for trajectory in sent[0]["trajectories"]:
        trajectory["reward"] = 0.5
    before = policy.weights()
    events = list(train_rl(policy, sent, 1, RlOptions(), JobOptions("job", str(tmp_path))))
    assert steps_of(events)[0].metrics["num_groups_trainable"] == 0
    assert events[-1].type == "training_ended"
    assert before.keys() == policy.weights().keys()
    assert all(tensor.abs().max() == 0 for name, tensor in policy.weights().items() if "lora_B" in name)


def test_a_state_is_the_adapter_and_its_optimiser_and_the_last_one_only_the_optimiser(make_policy, tmp_path):
    """In multiples of the adapter's own size; and each is enough to go on with, to the bit."""
    groups = [hello(3), hello(2)]
    options = RlOptions(learning_rate=1e-2, groups_per_step=1, precalculate_logprobs=True)

    def states(folder: str) -> list[tuple[str, float]]:
        size = (tmp_path / "whole/checkpoints/step1-a1/adapter_model.safetensors").stat().st_size
        found = (tmp_path / folder / "state/step1").glob("*/state.pt")
        return [(path.parent.name, path.stat().st_size / size) for path in found]

    def trained(folder: str, attempt: int = 1) -> tuple[Policy, CheckpointWritten]:
        policy = make_policy()
        job = JobOptions("job", str(tmp_path / folder), attempt=attempt, save_every=1)
        return policy, list(train_rl(policy, iter(groups), 2, options, job))[-2]

    whole, written = trained("whole")
    (end,) = states("whole")
    assert end == ("a1-2-end", pytest.approx(2, abs=0.3))
    job = JobOptions("job", str(tmp_path / "cut"), save_every=1)
    for event in train_rl(make_policy(), iter(groups), 2, options, job):
        if isinstance(event, GradientStep) and event.step == 2:
            break
    (middle,) = states("cut")
    assert middle == ("a1-1", pytest.approx(3, abs=0.3))
    shutil.copytree(tmp_path / "whole", tmp_path / "gone")
    shutil.rmtree(tmp_path / "gone/checkpoints/step1-a1")
    for folder in ("whole", "cut", "gone"):
        policy, again = trained(folder, attempt=2)
        assert again.address.endswith("step1-a2") and again.number == written.number
        assert all(torch.equal(tensor, policy.weights()[name]) for name, tensor in whole.weights().items())


def loud(policy: Policy, seed: int, scale: float = 0.05) -> dict[str, torch.Tensor]:
    """Weights of an adapter that says something else than the base model."""
    generator = torch.Generator().manual_seed(seed)
    new = policy.new_weights(seed)
    return {n: t if ".lora_A." in n else torch.randn(t.shape, generator=generator) * scale for n, t in new.items()}


def told_by(policy: Policy, weights: dict[str, torch.Tensor], groups: list[dict]) -> list[float]:
    """log π of every sampled token with these weights, by the whole model and a softmax over all."""
    policy.load_weights(weights)
    found = []
    for trajectory in (one for each in groups for one in each["trajectories"]):
        question, choice = trajectory["messages_and_choices"]
        prompt = prompt_tokens(policy, question["content"])
        made = [int(entry["token"].removeprefix("token_id:")) for entry in choice["logprobs"]["content"]]
        with torch.no_grad():
            logits = policy.model(torch.tensor([[*prompt, *made]]), use_cache=False).logits[0]
        known = logits.double().log_softmax(-1)
        found += [float(known[len(prompt) + i - 1, token]) for i, token in enumerate(made)]
    return found


def test_the_divergence_is_from_the_reference_that_was_given(make_policy, tmp_path):
    policy = make_policy()
    adapters = {name: loud(policy, seed) for seed, name in enumerate(("mine", "theirs"))}
    written = {}
    for name, weights in adapters.items():
        policy.load_weights(weights)
        store = Checkpoints(Folders(FolderStore(tmp_path / name)), 1, 1)
        written[name] = store.write(policy, {})
    policy.load_weights(adapters["mine"])
    groups = groups_of(policy, 11, 2)
    own = told_by(policy, adapters["mine"], groups)
    for reference, other in (("theirs", adapters["theirs"]), ("mine", adapters["mine"]), ("", policy.new_weights(0))):
        expected = [a - b for a, b in zip(own, told_by(policy, other, groups))]
        given = {"start": written["mine"].address}
        if reference:
            known = written[reference]
            given |= {"reference": known.address, "reference_sha256": known.manifest_sha256}
        job = JobOptions(f"job{reference}", str(tmp_path / "out"), **given)
        options = RlOptions(loss=LossOptions(kl_penalty_coef=0.1))
        (step,) = steps_of(train_rl(policy, groups, 2, options, job))
        assert step.metrics["kl_policy_ref"] == pytest.approx(sum(expected) / len(expected), abs=1e-4)
        assert (abs(step.metrics["kl_policy_ref"]) > 0.01) == (reference != "mine")
    job = JobOptions("gone", str(tmp_path / "out"), reference=str(tmp_path / "nowhere"))
    *_, last = train_rl(policy, groups, 2, options, job)
    assert (
        last.code == "BAD_CHECKPOINT"
        and "The checkpoint that kl_penalty_coef compares with can't be used" in last.message
    )


def test_a_reference_is_swapped_in_once_a_pass_however_many_rows_it_has(make_policy, monkeypatch):
    policy = make_policy()
    mine, theirs = loud(policy, 1), loud(policy, 2)
    policy.load_weights(mine)
    rows = [TokenSequence.plain(np.arange(first, first + 9), np.arange(9) > 3) for first in (5, 25, 45)]
    rows = [row for row, _ in policy.rows(rows, 10)]
    swapped, load = [], policy.load_weights
    monkeypatch.setattr(policy, "load_weights", lambda weights: swapped.append(weights) or load(weights))
    found = policy.logprobs_by(theirs, rows)
    assert len(rows) == len(found) == 3 and len(swapped) == 2 and swapped[0] is theirs
    assert all(torch.equal(tensor, mine[name]) for name, tensor in policy.weights().items())
    load(theirs)
    assert all(torch.equal(one, policy.logprobs(row)[0]) for one, row in zip(found, rows))


def test_a_policy_learns_from_a_teacher_without_rewards(make_policy, tmp_path):
    """The teacher tells how likely it finds what the policy sampled; the policy becomes like it, job after job."""
    policy = make_policy()
    teacher = loud(policy, 3, 0.3)
    weights = policy.new_weights(1)
    options = RlOptions(learning_rate=1e-2, groups_per_step=2, loss=LossOptions(distillation_coef=1.0))
    start: dict = {}
    apart = []
    for step in range(1, 13):
        policy.load_weights(weights)
        torch.manual_seed(step)
        groups = [group(policy, question, 8) for question in QUESTIONS]
        known = told_by(policy, teacher, groups)
        told = iter(known)
        for trajectory in (one for each in groups for one in each["trajectories"]):
            trajectory["reward"] = 1.0
            for entry in trajectory["messages_and_choices"][1]["logprobs"]["content"]:
                entry["teacher_logprob"] = next(told)
        job = JobOptions(f"job{step}", str(tmp_path), step=step, **start)
        events = list(train_rl(policy, groups, 2, options, job))
        metrics, written = steps_of(events)[0].metrics, events[-2]
        own = told_by(policy, weights, groups)
        assert metrics["kl_policy_teacher"] == pytest.approx(
            sum(a - b for a, b in zip(own, known)) / len(own), abs=1e-3
        )
        apart.append(metrics["kl_policy_teacher"])
        start = {"start": written.address, "start_sha256": written.manifest_sha256}
        weights = read_weights(written.address)
    assert sum(apart[-3:]) < sum(apart[:3]) / 2, apart
