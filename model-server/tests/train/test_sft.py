"""Supervised fine-tuning of the demo model: it learns what it is taught, and an interruption changes nothing."""

from __future__ import annotations

import json
import math
import re

import pytest
import torch
from peft import PeftModel
from toy import TAUGHT, learn_by_heart, lines, made_in, recited

from heddle_model_server.artifacts.folders import fetch
from heddle_model_server.artifacts.peft_files import read_adapter
from heddle_model_server.model import load_model
from heddle_model_server.train.errors import Control
from heddle_model_server.train.data import read_lines
from heddle_model_server.train.events import CheckpointWritten, GradientStep
from heddle_model_server.train import job as module
from heddle_model_server.train.job import Job, JobOptions
from heddle_model_server.train.policy import AdaptedLinear, LoraOptions, Policy
from heddle_model_server.train.sft import SftOptions, train_sft


def toy() -> list:
    return list(read_lines(lines(TAUGHT)))


def steps_of(events: list) -> list[GradientStep]:
    return [event for event in events if isinstance(event, GradientStep)]


def test_it_learns_by_heart_and_its_checkpoint_is_served(policy, answer, tmp_path, model_folder):
    options = SftOptions(batch_size=4, learning_rate=5e-3, epochs=80)
    events = list(train_sft(policy, toy(), options, JobOptions("job", str(tmp_path), save_every=0)))

    assert [event.type for event in events[:1] + events[-2:]] == [
        "training_started",
        "checkpoint_written",
        "training_ended",
    ]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert events[0].num_sequences == 80
    steps = steps_of(events)
    assert [event.step for event in steps] == list(range(1, 81))
    assert all(math.isfinite(value) for event in steps for value in event.metrics.values())
    assert steps[0].metrics["loss"] > 1 and steps[-1].metrics["loss"] < 0.01
    for asked, said in TAUGHT.items():
        assert answer(policy, asked) == said

    # As a node takes it, hashes and all; and as peft does.
    written = next(event for event in events if isinstance(event, CheckpointWritten))
    files = fetch(written.address, written.manifest_sha256)
    loaded = load_model(str(model_folder))
    shapes = {n: (m.in_features, m.out_features) for n, m in loaded.model.named_modules() if hasattr(m, "in_features")}
    assert len(read_adapter(files, shapes, 16)) == 14
    assert str(tmp_path) not in files["adapter_config.json"].decode()
    theirs = PeftModel.from_pretrained(loaded.model, written.address)
    ids = torch.tensor([[1, 5, 9, 40]])
    assert torch.allclose(theirs(ids).logits, policy.model.eval()(ids).logits, atol=1e-5)


def test_an_adapter_in_one_operation_is_peft_s(policy):
    """The layer's output and the gradients of its input and of both of its weights."""
    torch.manual_seed(1)
    layer = next(one for one in policy.model.modules() if isinstance(one, AdaptedLinear))
    a, b = layer.lora_A["default"].weight, layer.lora_B["default"].weight
    torch.nn.init.normal_(b)
    x = torch.randn(2, 5, layer.in_features, requires_grad=True)
    found = []
    for forward in (layer.forward, super(AdaptedLinear, layer).forward):
        made = forward(x)
        found.append([made, *torch.autograd.grad((made * torch.arange(made.numel()).view_as(made)).sum(), (x, a, b))])
    for ours, theirs in zip(*found):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5 * float(theirs.detach().abs().max()))


@pytest.mark.slow
def test_it_learns_by_heart_whatever_the_seed(policy, tmp_path):
    for seed in range(1, 9):
        losses = learn_by_heart(policy, str(tmp_path / str(seed)), seed)
        assert losses[0] > 1 and losses[-1] < 0.01, (seed, losses[-1])
        assert recited(policy), seed


@pytest.mark.parametrize("killed_after", [4, 8])
def test_resuming_equals_never_stopping(make_policy, tmp_path, killed_after):
    """Weights to the bit, events by their numbers."""
    options = SftOptions(batch_size=1, learning_rate=tuple(1e-3 * (1 + i % 3) for i in range(12)), epochs=3)

    def job(name, after=0):
        return JobOptions("job", str(tmp_path / name), after=after, save_every=3)

    whole = make_policy()
    undisturbed = list(train_sft(whole, toy(), options, job("whole")))
    first, seen = make_policy(), []
    for event in train_sft(first, toy(), options, job("cut")):
        seen.append(event)
        if isinstance(event, GradientStep) and event.step == killed_after:
            break
    second = make_policy()
    resumed = list(train_sft(second, toy(), options, job("cut", seen[-1].number)))

    for name, tensor in whole.weights().items():
        assert torch.equal(tensor, second.weights()[name]), name
    told = {event.number: event for event in [*seen, *resumed]}
    assert sorted(told) == [event.number for event in undisturbed]
    for event in undisturbed:
        assert told[event.number].type == event.type
        if isinstance(event, GradientStep):
            assert told[event.number].metrics["loss"] == event.metrics["loss"]
    # Steps that were saved are not made again; to whom they are unknown, they are told again.
    assert min(event.number for event in resumed) == 2 + killed_after // 3 * 3
    third = list(train_sft(make_policy(), toy(), options, job("cut", 2)))
    assert [told[event.number].type for event in third] == [event.type for event in undisturbed[2:]]
    assert [event.number for event in third] == [event.number for event in undisturbed[2:]]


def test_the_next_job_goes_on_from_the_checkpoint(make_policy, tmp_path):
    options = SftOptions(batch_size=4, learning_rate=2e-3, epochs=5)
    policy = make_policy()
    first = list(train_sft(policy, toy(), options, JobOptions("one", str(tmp_path), step=1)))
    made = first[-2]
    start = {"start": made.address, "start_sha256": made.manifest_sha256}
    second = list(train_sft(make_policy(), toy(), options, JobOptions("two", str(tmp_path), step=2, **start)))
    assert steps_of(second)[0].metrics["loss"] < steps_of(first)[-1].metrics["loss"] + 0.1
    assert made_in(tmp_path) == ["step1-a1", "step2-a1"]


def test_rows_and_gradient_checkpointing_change_nothing(make_policy, tmp_path):
    """A batch in one row, in rows of one sequence each, and with activations computed twice: the same step."""
    results = []
    for row_tokens, again in ((2048, False), (1, False), (2048, True)):
        policy = make_policy(gradient_checkpointing=again)
        folder = tmp_path / f"{row_tokens}{again}"
        options = SftOptions(batch_size=4, learning_rate=1e-3)
        events = list(train_sft(policy, toy(), options, JobOptions("job", str(folder), row_tokens=row_tokens)))
        results.append((steps_of(events)[0].metrics["loss"], steps_of(events)[0].metrics["grad_norm"]))
    assert results[1] == pytest.approx(results[0], rel=1e-4)
    assert results[2] == pytest.approx(results[0], rel=1e-4)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("{", "Line 3 .* not JSON"),
        ('{"messages": []}', "Line 3 .* at least one message"),
        ('{"messages": [{"role": "user", "content": "?"}]}', "Line 3 .* no assistant"),
        ('{"messages": [{"content": "?"}]}', "Line 3 .* needs a role"),
        ('{"messages": [{"role": "assistant", "content": "."}], "tools": 1}', "Line 3 .* `tools`"),
    ],
)
def test_a_bad_line_is_named(policy, tmp_path, bad, sentence):
    data = read_lines([*lines(TAUGHT)[:2], bad])
    (event,) = train_sft(policy, data, SftOptions(), JobOptions("job", str(tmp_path)))
    assert event.type == "training_failed"
    assert re.search(sentence, event.message)


def test_what_can_not_go_on_says_so_and_leaves_no_checkpoint(make_policy, tmp_path):
    policy = make_policy()
    *_, last = train_sft(policy, toy(), SftOptions(learning_rate=(1e-3,)), JobOptions("job", str(tmp_path)))
    assert "lists 1 numbers, and the data makes 2 batches" in last.message
    *_, last = train_sft(policy, [], SftOptions(), JobOptions("job", str(tmp_path)))
    assert last.code == "NOTHING_TO_LEARN"

    events = list(train_sft(policy, toy(), SftOptions(learning_rate=1e30, epochs=5), JobOptions("job", str(tmp_path))))
    assert (events[-1].type, events[-1].code) == ("training_failed", "NOT_A_NUMBER")
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert made_in(tmp_path) == []


def test_a_conversation_that_can_not_be_used_is_left_out_and_the_others_are_learnt(make_policy, tmp_path):
    """Its place in its batch stays empty, so that each batch has the learning rate that was meant for it."""
    half = json.dumps({"messages": [{"role": "user", "content": "\ud83d"}, {"role": "assistant", "content": "?"}]})
    data = lines(TAUGHT)
    rates, said = (1e-3, 2e-3, 3e-3), []
    made = []
    for name, text in (
        ("with", [half, half, *data[:3], half]),
        ("without", data[:3]),
    ):
        policy = make_policy()
        options = SftOptions(batch_size=2, learning_rate=rates if name == "with" else rates[1:])
        job = JobOptions("job", str(tmp_path / name))
        events = list(train_sft(policy, read_lines(text), options, job, Control(said.append)))
        assert events[-1].type == "training_ended"
        made.append((policy.weights(), [event.metrics for event in steps_of(events)]))
    (weights, metrics), (expected, _) = made
    assert all(torch.equal(tensor, weights[name]) for name, tensor in expected.items())
    assert [one["num_trajectories"] for one in metrics] == [0, 2, 1]
    assert [one["data/num_left_out"] for one in metrics] == [3, 3, 3]
    left = [reason for reason in said if reason.startswith("left out: ")]
    assert [re.search(r"Line (\d)", one)[1] for one in left] == ["1", "2", "6"] and "surrogate" in left[0]

    (event,) = train_sft(make_policy(), read_lines([half] * 2), SftOptions(), JobOptions("job", str(tmp_path / "all")))
    assert (event.code, event.retriable) == ("BAD_DATA", False) and "Line 1" in event.message


BACKWARD = Job.backward


def gradients_of(folder, job_folder, dtype: str, monkeypatch) -> tuple[torch.Tensor, float]:
    """Of one step in which a token has as tiny a share in the loss as if there were ten thousand times as many; and the scale
    of the loss that it took."""
    policy = Policy(load_model(str(folder), dtype=dtype), LoraOptions(rank=4, alpha=8))
    found = []

    def update(job: Job, _rate: float) -> float:
        found.append((torch.cat([p.grad.flatten() for p in policy.trained]) / job.loss_scale, job.loss_scale))
        return 0.0

    monkeypatch.setattr(Job, "update", update)
    monkeypatch.setattr(Job, "backward", lambda job, loss: BACKWARD(job, loss / 1e4))
    *_, last = train_sft(policy, toy(), SftOptions(batch_size=4), JobOptions("job", str(job_folder)))
    assert last.type == "training_ended" and policy.attention
    assert {p.dtype for p in policy.trained} == {torch.float32}
    (made,) = found
    return made


def test_half_precision_has_the_gradients_of_float32(model_folder, tmp_path, monkeypatch):
    """float16 has no numbers for the smallest of them, and none for those of a loss that is scaled too much."""
    expected, scale = gradients_of(model_folder, tmp_path / "whole", "float32", monkeypatch)
    assert scale == 1
    apart = lambda one: float((one - expected).norm() / expected.norm())
    assert apart(gradients_of(model_folder, tmp_path / "bf", "bfloat16", monkeypatch)[0]) < 3e-2
    errors = {}
    for begun in (1.0, 2.0**16, 2.0**45):
        monkeypatch.setattr(module, "FLOAT16_SCALE", begun)
        made, scale = gradients_of(model_folder, tmp_path / str(begun), "float16", monkeypatch)
        errors[begun] = apart(made)
        assert scale == begun if begun < 2.0**45 else 1 < scale < begun
    assert max(errors[2.0**16], errors[2.0**45]) < 0.01 < errors[1.0] / 5, errors
