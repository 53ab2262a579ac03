"""Direct preference optimisation of the demo model: the same loss and gradients as the plainest way to write it, and an
interruption changes nothing."""

from __future__ import annotations

import pytest
import torch
from node import pair
from test_sft import steps_of

from heddle_model_server.model import load_model
from heddle_model_server.train import pack
from heddle_model_server.train.data import read_pairs
from heddle_model_server.train.dpo import DpoOptions, train_dpo
from heddle_model_server.train.events import GradientStep
from heddle_model_server.train.job import Job, JobOptions
from heddle_model_server.train.policy import LoraOptions, Policy

LONG = "Tell me at length about weaving: " + "what the warp is, what the weft is, " * 6
PAIRS = [
    ("What is the weft?", "The weft goes across the warp.", "I don't know."),
    (LONG, "A bobbin holds the thread.", "A bobbin is a bird that sings in the morning."),
    ("What is felt?", "Felt is pressed and not woven.", "No."),
]


def toy() -> list:
    return list(read_pairs([pair(*one) for one in PAIRS]))


def adapted(policy: Policy) -> dict[str, torch.Tensor]:
    """Weights of an adapter that changes something."""
    torch.manual_seed(3)
    return {name: 0.1 * torch.randn(tensor.shape) for name, tensor in policy.weights().items()}


def plain_loss(policy: Policy, beta: float) -> torch.Tensor:
    """One sequence a pass, by the template as transformers applies it; log-probabilities by log_softmax."""
    tokenizer = policy.chat._tokenizer

    def answer_logprob(asked: str, said: str) -> torch.Tensor:
        messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
        before = tokenizer.apply_chat_template(messages[:1], add_generation_prompt=True, return_dict=False)
        ids = tokenizer.apply_chat_template(messages, return_dict=False)
        end = len(ids) - ids[::-1].index(tokenizer.eos_token_id)
        logprobs = policy.model(torch.tensor([ids[:end]]), use_cache=False).logits[0, :-1].log_softmax(-1)
        return sum(logprobs[at - 1, ids[at]] for at in range(len(before), end))

    def ratio(asked: str, said: str) -> torch.Tensor:
        with torch.no_grad(), policy.model.disable_adapter():
            reference = answer_logprob(asked, said)
        return answer_logprob(asked, said) - reference

    return sum(
        torch.log1p(torch.exp(-beta * (ratio(asked, chosen) - ratio(asked, rejected))))
        for asked, chosen, rejected in PAIRS
    ) / len(PAIRS)


@pytest.mark.parametrize("row_tokens", [1, 2048])
@pytest.mark.parametrize("least_shared", [32, 2**20])
def test_loss_and_gradients_are_those_of_the_plainest_way(make_policy, tmp_path, monkeypatch, row_tokens, least_shared):
    policy, beta = make_policy(), 0.3
    weights = adapted(policy)
    policy.load_weights(weights)
    loss = plain_loss(policy, beta)
    expected = torch.autograd.grad(loss, policy.trained)
    found: list = []

    def update(job: Job, _rate: float) -> float:
        found.extend(p.grad.clone() for p in policy.trained)
        job.optimizer.zero_grad()
        return 0.0

    monkeypatch.setattr(Job, "update", update)
    monkeypatch.setattr(Job, "start", weights)
    monkeypatch.setattr(pack, "LEAST_SHARED", least_shared)
    job = JobOptions("job", str(tmp_path), row_tokens=row_tokens)
    (step,) = steps_of(list(train_dpo(policy, toy(), DpoOptions(batch_size=3, beta=beta), job)))
    assert step.metrics["loss"] == pytest.approx(float(loss.detach()), rel=1e-5)
    largest = max(float(one.abs().max()) for one in expected)
    assert all(torch.allclose(a, b, atol=1e-5 * largest, rtol=1e-4) for a, b in zip(found, expected))
    margin = step.metrics["rewards/chosen"] - step.metrics["rewards/rejected"]
    assert step.metrics["rewards/margins"] == pytest.approx(margin, rel=1e-4)


def test_a_new_adapter_prefers_nothing_and_learns_to(policy, tmp_path):
    options = DpoOptions(batch_size=3, learning_rate=1e-3, epochs=30)
    events = list(train_dpo(policy, toy(), options, JobOptions("job", str(tmp_path))))
    assert [event.type for event in events[-2:]] == ["checkpoint_written", "training_ended"]
    first, *_, last = [event.metrics for event in steps_of(events)]
    assert first["loss"] == pytest.approx(0.6931, abs=1e-3) and first["rewards/margins"] == pytest.approx(0, abs=1e-4)
    assert last["loss"] < 0.3 and last["rewards/accuracies"] == 1 and last["rewards/chosen"] > last["rewards/rejected"]


def test_resuming_equals_never_stopping(make_policy, tmp_path):
    options = DpoOptions(batch_size=1, learning_rate=1e-3, epochs=3)
    job = lambda name, after=0: JobOptions("job", str(tmp_path / name), after=after, save_every=2)
    whole = make_policy()
    undisturbed = list(train_dpo(whole, toy(), options, job("whole")))
    seen = []
    for event in train_dpo(make_policy(), toy(), options, job("cut")):
        seen.append(event)
        if isinstance(event, GradientStep) and event.step == 5:
            break
    second = make_policy()
    resumed = list(train_dpo(second, toy(), options, job("cut", seen[-1].number)))
    assert all(torch.equal(tensor, second.weights()[name]) for name, tensor in whole.weights().items())
    told = {event.number: event for event in [*seen, *resumed]}
    assert sorted(told) == [event.number for event in undisturbed]
    losses = lambda events: [event.metrics["loss"] for event in steps_of(events)]
    assert losses(told.values()) == losses(undisturbed)


def test_half_a_pair_is_not_trained_on(model_folder, tmp_path):
    """One answer is longer than the model's context: the pair has no place in a batch, and the others do."""
    loaded = load_model(str(model_folder))
    policy = Policy(loaded, LoraOptions(rank=4, alpha=8))
    policy.context = 200
    pairs = list(read_pairs([pair("What?", "It is long. " * 100, "No."), pair(*PAIRS[0])]))
    events = list(train_dpo(policy, pairs, DpoOptions(batch_size=1), JobOptions("job", str(tmp_path))))
    steps = [event.metrics for event in steps_of(events)]
    assert [one["num_trajectories"] for one in steps] == [0, 1] and steps[1]["data/num_dropped"] == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "needs `prompt`"),
        ('{"prompt": [{"role": "user", "content": "?"}], "chosen": []}', "needs `chosen`"),
        (
            '{"prompt": [{"content": "?"}], "chosen": [{"role": "assistant"}], "rejected": [{"role": "assistant"}]}',
            "`prompt` needs a role",
        ),
    ],
)
def test_a_bad_line_is_named(policy, tmp_path, line, sentence):
    data = read_pairs([pair(*PAIRS[0]), line])
    (event,) = train_dpo(policy, data, DpoOptions(), JobOptions("job", str(tmp_path)))
    assert (event.code, event.message.startswith("Line 2 ")) == ("BAD_DATA", True) and sentence in event.message
