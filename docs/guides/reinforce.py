"""Reinforcement learning by hand: sample answers, reward them, train, and sample from what came of it.

Needs a running Heddle and `pip install openai`; the environment is that of the guide beside this file.
"""

import asyncio

from openai import AsyncOpenAI

QUESTIONS = ['Tell me more.', 'What is the weft?', 'Why?', 'What is felt?']
SAMPLES = 16
ADDRESS = 'artifact:///acme/short/answers'

models = AsyncOpenAI()  # OPENAI_BASE_URL is the training interface


def reward(text: str) -> float:
    """Short answers are good ones: 1 for a single word, 0 for eight and more."""
    return max(0.0, 1 - (len(text.split()) - 1) / 7)


async def group(address: str, question: str) -> dict:
    """Answers to one question, with the logprobs of their tokens: what training compares with each other."""
    messages = [{'role': 'user', 'content': question}]
    reply = await models.chat.completions.create(
        model=address, messages=messages, n=SAMPLES, temperature=1, max_tokens=24, logprobs=True
    )
    return {
        'trajectories': [
            {
                'messages_and_choices': [*messages, choice.model_dump()],
                'reward': reward(choice.message.content or ''),
            }
            for choice in reply.choices
        ]
    }


async def main() -> None:
    base = (await models.models.list()).data[0].id
    asked = {'entity': 'acme', 'project': 'short', 'name': 'answers', 'base_model': base, 'return_existing': True}
    model = await models.post('/preview/models', cast_to=object, body=asked)
    for step in range(12):
        groups = await asyncio.gather(*(group(ADDRESS, question) for question in QUESTIONS))
        rewards = [one['reward'] for group in groups for one in group['trajectories']]
        print(f'step {step}: mean reward {sum(rewards) / len(rewards):.2f}', flush=True)
        config = {'learning_rate': 5e-3}
        asked = {'model_id': model['id'], 'trajectory_groups': groups, 'experimental_config': config}
        job = await models.post('/preview/training-jobs', cast_to=object, body=asked)
        while job['status'] in ('queued', 'running'):
            await asyncio.sleep(0.2)
            job = await models.get(f"/preview/training-jobs/{job['id']}", cast_to=object)
        if job['status'] != 'completed':
            raise SystemExit(f"{job['status']}: {job['error_message']}")


asyncio.run(main())
