"""Kahneman-Tversky optimisation of the demo model: the same loss and gradients as the plainest way to write it, and an
interruption changes nothing."""

from __future__ import annotations

import pytest
import torch
from node import judged
from test_dpo import adapted
from test_sft import steps_of

from heddle_model_server.train import pack
from heddle_model_server.train.data import read_judged
from heddle_model_server.train.events import GradientStep
from heddle_model_server.train.job import Job, JobOptions
from heddle_model_server.train.kto import KtoOptions, train_kto

ANSWERS = [
    ("What is the weft?", "The weft goes across the warp.", True),
    ("What is a bobbin?", "A bobbin is a bird that sings in the morning.", False),
    ("Tell me at length: " + "what the warp is, what the weft is, " * 6, "Felt is pressed and not woven.", True),
]


def toy(answers: list = ANSWERS) -> list:
    return list(read_judged([judged(*one) for one in answers]))


class Plain:
    """One sequence a pass, by the template as transformers applies it; log-probabilities by log_softmax."""

    def __init__(self, policy, options: KtoOptions):
        self.policy, self.options, self.tokenizer = policy, options, policy.chat._tokenizer

    def tokens(self, asked: str, said: str) -> tuple[list[int], list[int]]:
        messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
        before = self.tokenizer.apply_chat_template(messages[:1], add_generation_prompt=True, return_dict=False)
        ids = self.tokenizer.apply_chat_template(messages, return_dict=False)
        end = len(ids) - ids[::-1].index(self.tokenizer.eos_token_id)
        return before, ids[len(before) : end]

    def logprob(self, before: list[int], answer: list[int]) -> torch.Tensor:
        logits = self.policy.model(torch.tensor([before + answer]), use_cache=False).logits[0, len(before) - 1 : -1]
        return logits.log_softmax(-1)[range(len(answer)), answer].sum()

    def ratio(self, before: list[int], answer: list[int]) -> torch.Tensor:
        with torch.no_grad(), self.policy.model.disable_adapter():
            reference = self.logprob(before, answer)
        return self.logprob(before, answer) - reference

    def loss(self, answers: list) -> tuple[torch.Tensor, float]:
        parts = [self.tokens(asked, said) for asked, said, _ in answers]
        with torch.no_grad():
            apart = [self.ratio(before, parts[(i + 1) % len(parts)][1]) for i, (before, _) in enumerate(parts)]
        divergence = max(float(sum(apart)) / len(apart), 0.0)
        losses = []
        for part, (_, _, good) in zip(parts, answers):
            gain = self.options.beta * (self.ratio(*part) - divergence)
            value = torch.sigmoid(gain if good else -gain)
            losses.append((self.options.desirable_weight if good else self.options.undesirable_weight) * (1 - value))
        return sum(losses) / len(losses), divergence


@pytest.mark.parametrize("row_tokens", [1, 2048])
@pytest.mark.parametrize("sign", [1, -1])
def test_loss_and_gradients_are_those_of_the_plainest_way(make_policy, tmp_path, monkeypatch, row_tokens, sign):
    policy = make_policy()
    options = KtoOptions(batch_size=3, beta=0.3, desirable_weight=1.25, undesirable_weight=0.75)
    weights = {name: sign * tensor if "lora_B" in name else tensor for name, tensor in adapted(policy).items()}
    policy.load_weights(weights)
    loss, divergence = Plain(policy, options).loss(ANSWERS)
    expected = torch.autograd.grad(loss, policy.trained)
    found: list = []

    def update(job: Job, _rate: float) -> float:
        found.extend(p.grad.clone() for p in policy.trained)
        job.optimizer.zero_grad()
        return 0.0

    monkeypatch.setattr(Job, "update", update)
    monkeypatch.setattr(Job, "start", weights)
    monkeypatch.setattr(pack, "LEAST_SHARED", 4)
    (step,) = steps_of(list(train_kto(policy, toy(), options, JobOptions("job", str(tmp_path), row_tokens=row_tokens))))
    assert step.metrics["loss"] == pytest.approx(float(loss.detach()), rel=1e-5)
    assert step.metrics["kl"] == pytest.approx(divergence, rel=1e-4, abs=1e-6)
    largest = max(float(one.abs().max()) for one in expected)
    assert all(torch.allclose(a, b, atol=1e-5 * largest, rtol=1e-4) for a, b in zip(found, expected))


def test_a_new_adapter_judges_nothing_and_learns_to(policy, tmp_path):
    options = KtoOptions(batch_size=3, learning_rate=1e-3, epochs=30)
    events = list(train_kto(policy, toy(), options, JobOptions("job", str(tmp_path))))
    assert [event.type for event in events[-2:]] == ["checkpoint_written", "training_ended"]
    first, *_, last = [event.metrics for event in steps_of(events)]
    assert first["loss"] == pytest.approx(0.5, abs=1e-3) and first["rewards/margins"] == pytest.approx(0, abs=1e-4)
    assert last["loss"] < 0.4 and last["rewards/chosen"] > 0 > last["rewards/rejected"]


def test_a_batch_of_one_kind_or_of_one_answer_is_trained_on(policy, tmp_path):
    good = [(asked, said, True) for asked, said, _ in ANSWERS]
    events = list(train_kto(policy, toy(good), KtoOptions(batch_size=2), JobOptions("job", str(tmp_path))))
    steps = [event.metrics for event in steps_of(events)]
    assert len(steps) == 2 and steps[1]["kl"] == 0
    assert all("rewards/chosen" in one and "rewards/rejected" not in one for one in steps)


def test_resuming_equals_never_stopping(make_policy, tmp_path):
    options = KtoOptions(batch_size=2, learning_rate=1e-3, epochs=3)
    job = lambda name, after=0: JobOptions("job", str(tmp_path / name), after=after, save_every=2)
    whole, second = make_policy(), make_policy()
    undisturbed = list(train_kto(whole, toy(), options, job("whole")))
    seen = []
    for event in train_kto(make_policy(), toy(), options, job("cut")):
        seen.append(event)
        if isinstance(event, GradientStep) and event.step == 3:
            break
    resumed = list(train_kto(second, toy(), options, job("cut", seen[-1].number)))
    assert all(torch.equal(tensor, second.weights()[name]) for name, tensor in whole.weights().items())
    by_number = {event.number: event for event in [*seen, *resumed]}
    assert sorted(by_number) == [event.number for event in undisturbed]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "needs `prompt`"),
        (
            '{"prompt": [{"role": "user", "content": "?"}], "completion": [{"role": "assistant"}], "label": 1}',
            "needs `label`",
        ),
    ],
)
def test_a_bad_line_is_named(policy, tmp_path, line, sentence):
    data = read_judged([judged(*ANSWERS[0]), line])
    (event,) = train_kto(policy, data, KtoOptions(), JobOptions("job", str(tmp_path)))
    assert (event.code, event.message.startswith("Line 2 ")) == ("BAD_DATA", True) and sentence in event.message
