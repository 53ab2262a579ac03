"""Reinforcement learning with rewards by a judge: sample answers, send them without rewards, train, sample again.

Needs a running Heddle, the rubric and the dataset of the guide beside this file, and `pip install openai`.
"""

import asyncio

from openai import AsyncOpenAI

QUESTIONS = ['Tell me more.', 'What is the weft?', 'Why?', 'What is felt?']
SAMPLES = 8
STEPS = 3
ADDRESS = 'artifact:///acme/short/judged'
OBJECTS = 'weave:///acme/short/object'

models = AsyncOpenAI()  # OPENAI_BASE_URL is the training interface


async def group(question: str) -> dict:
    """Answers to one question, with the logprobs of their tokens; the judge compares them with each other."""
    messages = [{'role': 'user', 'content': question}]
    reply = await models.chat.completions.create(
        model=ADDRESS, messages=messages, n=SAMPLES, temperature=1, max_tokens=24, logprobs=True
    )
    return {'trajectories': [{'messages_and_choices': [*messages, one.model_dump()]} for one in reply.choices]}


async def main() -> None:
    base = (await models.models.list()).data[0].id
    asked = {'entity': 'acme', 'project': 'short', 'name': 'judged', 'base_model': base, 'return_existing': True}
    model = await models.post('/preview/models', cast_to=object, body=asked)
    for step in range(STEPS):
        asked = {
            'model_id': model['id'],
            'trajectory_groups': await asyncio.gather(*(group(question) for question in QUESTIONS)),
            'reward': {'scorer': f'{OBJECTS}/helpful:latest'},
            'check': {'dataset': f'{OBJECTS}/held-out:latest', 'max_tokens': 24},
            'experimental_config': {'learning_rate': 5e-3},
        }
        job = await models.post('/preview/training-jobs', cast_to=object, body=asked)
        path = f'/preview/training-jobs/{job["id"]}'
        while job['status'] in ('queued', 'running', 'paused'):
            await asyncio.sleep(0.2)
            job = await models.get(path, cast_to=object)
        if job['status'] != 'completed':
            raise SystemExit(f'{job["status"]}: {job["error_message"]}')
        metrics = (await models.get(f'{path}/metrics', cast_to=object))['data'][0]['metrics']
        print(f'step {step}: mean reward {metrics["reward"]:.2f}, held out {metrics["held_out"]:.2f}', flush=True)


asyncio.run(main())
