"""Toys that a policy learns from nothing: answers by heart; and an environment of questions, samples of the policy and
rewards, with what is sent of them, as clients send it."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from heddle_model_server.train.data import read_lines
from heddle_model_server.train.events import CheckpointWritten, GradientStep
from heddle_model_server.train.job import JobOptions
from heddle_model_server.train.loss import LossOptions
from heddle_model_server.train.policy import Policy
from heddle_model_server.train.rl import RlOptions, train_rl
from heddle_model_server.train.sft import SftOptions, train_sft

QUESTIONS = ("Tell me a story.", "What is a heddle?")
TOKENS = 12
RATE = 2e-2
TAUGHT = {
    "What is the weft?": "The weft goes across the warp.",
    "What is a bobbin?": "A bobbin holds the thread.",
    "What is felt?": "Felt is pressed and not woven.",
    "What is the selvage?": "It is the edge of the cloth.",
}


def prompt_tokens(policy: Policy, question: str) -> list[int]:
    text = f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
    return policy.chat._tokenizer(text, add_special_tokens=False)["input_ids"]


@torch.no_grad()
def sample(policy: Policy, question: str, many: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens and their logprobs [many, TOKENS], without an end."""
    policy.model.eval()
    ids = torch.tensor([prompt_tokens(policy, question)] * many)
    begun = ids.shape[1]
    for _ in range(TOKENS):
        logits = policy.model(ids, use_cache=False, logits_to_keep=1).logits[:, -1].float()
        ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1)], dim=1)
    logits = policy.model(ids, use_cache=False).logits[:, begun - 1 : -1].float()
    policy.model.train()
    made = ids[:, begun:]
    return made, logits.log_softmax(-1).gather(-1, made[..., None])[..., 0]


def reward(tokens: list[int]) -> float:
    """The share of tokens whose number can be divided by seven: about one in eight of those the demo model says."""
    return sum(token % 7 == 0 for token in tokens) / len(tokens)


def group(policy: Policy, question: str, many: int, with_logprobs: bool = True) -> dict:
    made, logprobs = sample(policy, question, many)
    return {
        "trajectories": [
            {
                "messages_and_choices": [
                    {"role": "user", "content": question},
                    {
                        "finish_reason": "length",
                        "index": 0,
                        "message": {"role": "assistant", "content": policy.chat.text(tokens)},
                        "logprobs": {
                            "content": [
                                {"token": f"token_id:{token}", "logprob": logprob, "top_logprobs": []}
                                for token, logprob in zip(tokens, known)
                            ]
                        }
                        if with_logprobs
                        else None,
                    },
                ],
                "reward": reward(tokens),
            }
            for tokens, known in zip(made.tolist(), logprobs.tolist())
        ]
    }


def likeliest(policy: Policy, question: str, most: int = 24) -> str:
    """The likeliest answer of the policy."""
    tokens = prompt_tokens(policy, question)
    with torch.no_grad():
        made = policy.model.eval().generate(input_ids=torch.tensor([tokens]), max_new_tokens=most, do_sample=False)
    policy.model.train()
    return policy.chat.text(made[0, len(tokens) :].tolist())


def lines(pairs: dict[str, str]) -> list[str]:
    return [
        json.dumps({"messages": [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]})
        for asked, said in pairs.items()
    ]


def learn_by_heart(policy: Policy, folder: str, seed: int) -> list[float]:
    """A job that teaches a new adapter what is in TAUGHT; its losses, one a gradient step."""
    options = SftOptions(batch_size=4, learning_rate=5e-3, epochs=80)
    events = list(train_sft(policy, read_lines(lines(TAUGHT)), options, JobOptions("sft", folder, seed=seed)))
    assert events[-1].type == "training_ended", events[-1]
    return [event.metrics["loss"] for event in events if isinstance(event, GradientStep)]


def recited(policy: Policy) -> bool:
    """Whether the policy answers everything exactly as it was taught."""
    return all(likeliest(policy, asked) == said for asked, said in TAUGHT.items())


def learn_by_reward(policy: Policy, folder: str, ppo: bool, seed: int, most: int = 40) -> list[float]:
    """Teaches a new adapter to earn the reward, job after job on fresh samples, each of two gradient steps, until it earns
    0.95 or has made `most` steps. The mean reward of fresh samples before each gradient step, and at the end."""
    policy.load_weights(policy.new_weights(seed))
    rewards: list[float] = []
    start: dict = {}
    while True:
        torch.manual_seed(1000 * seed + len(rewards))
        groups = [group(policy, question, 16) for question in QUESTIONS]
        earned = [one["reward"] for each in groups for one in each["trajectories"]]
        rewards.append(sum(earned) / len(earned))
        if rewards[-1] >= 0.95 or len(rewards) > most:
            return rewards
        options = RlOptions(learning_rate=RATE, groups_per_step=1, loss=LossOptions(ppo=ppo))
        step = len(rewards) // 2 + 1
        events = list(
            train_rl(policy, groups, 2, options, JobOptions(f"rl{step}", folder, step=step, seed=seed, **start))
        )
        assert events[-1].type == "training_ended", events[-1]
        (written,) = (event for event in events if isinstance(event, CheckpointWritten))
        start = {"start": written.address, "start_sha256": written.manifest_sha256}
        # The job's second step is made from the same samples.
        rewards.append(rewards[-1])


def made_in(folder: Path) -> list[str]:
    """Names of the whole checkpoints below a model's folder."""
    return sorted(manifest.parent.name for manifest in folder.glob("checkpoints/*/manifest.json"))
