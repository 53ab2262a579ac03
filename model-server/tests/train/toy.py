"""A toy environment: questions, samples of the policy, rewards; and what is sent of them, as clients send it."""

from __future__ import annotations

from pathlib import Path

import torch

from heddle_model_server.train.policy import Policy

QUESTIONS = ("Tell me a story.", "What is a heddle?")
TOKENS = 12


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
    """The share of tokens whose number can be divided by three."""
    return sum(token % 3 == 0 for token in tokens) / len(tokens)


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


def made_in(folder: Path) -> list[str]:
    """Names of the whole checkpoints below a model's folder."""
    return sorted(manifest.parent.name for manifest in folder.glob("checkpoints/*/manifest.json"))
