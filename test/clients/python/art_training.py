"""The published training client: registers a model, trains it by reinforcement learning on a toy environment and by
examples, and chats with what came of it."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import asyncio
import base64
import json
import os

# With a key in the environment the client reports to a service elsewhere as well.
os.environ.pop('WANDB_API_KEY', None)

import art
from art.serverless.backend import ServerlessBackend
from result import report

QUESTIONS = ('Tell me a story.', 'What is a heddle?')
JOBS = 14
SAMPLES = 16
ENOUGH = 0.85
# Another one: other samples, and so another course of the training.
SEED = int(os.environ.get('TRAINING_SEED', '1'))


def reward(choice) -> float:
    """The share of tokens whose number can be divided by three."""
    ids = [int(entry.token.split(':')[1]) for entry in choice.logprobs.content]
    return sum(one % 3 == 0 for one in ids) / len(ids)


async def rollouts(client, name, question, many, seed):
    messages = [{'role': 'user', 'content': question}]
    answer = await client.chat.completions.create(
        model=name,
        messages=messages,
        n=many,
        max_tokens=12,
        temperature=1.0,
        logprobs=True,
        seed=seed,
        extra_body={'return_tokens_as_token_ids': True, 'ignore_eos': True},
    )
    return [
        art.Trajectory(messages_and_choices=[*messages, choice], reward=reward(choice)) for choice in answer.choices
    ]


async def asked(client, name, many, seed):
    """A group for each question, asked at the same time, and the mean reward of them all."""
    found = await asyncio.gather(*[rollouts(client, name, question, many, seed) for question in QUESTIONS])
    rewards = [one.reward for group in found for one in group]
    return [art.TrajectoryGroup(group) for group in found], sum(rewards) / len(rewards)


async def by_reward(backend):
    model = art.TrainableModel(name='toy', project='training', entity='acme', base_model='demo')
    await model.register(backend)
    client = model.openai_client()
    rewards, steps, metrics = [], [], []
    for job in range(JOBS):
        groups, reward = await asked(client, backend._model_inference_name(model), SAMPLES, 1000 * SEED + job)
        rewards.append(reward)
        if min(rewards[-2:]) > ENOUGH:
            break
        result = await backend.train(model, groups, learning_rate=2e-2)
        steps.append(result.step)
        metrics.append(result.metrics)
    _, first = await asked(client, backend._model_inference_name(model, 1), SAMPLES, SEED)
    _, newest = await asked(client, backend._model_inference_name(model), 2 * SAMPLES, SEED)
    return {
        'rewards': rewards,
        'steps': steps,
        'step': await model.get_step(),
        'metrics': metrics,
        'first': first,
        'newest': newest,
    }


async def by_examples(backend):
    model = art.TrainableModel(name='taught', project='training', entity='acme', base_model='demo')
    await model.register(backend)
    asked = [{'role': 'user', 'content': 'What is a heddle?'}]
    line = json.dumps({'messages': [*asked, {'role': 'assistant', 'content': 'It guides the warp.'}]})
    data = base64.b64encode('\n'.join([line] * 16).encode()).decode()
    job = await backend._client.sft_training_jobs.create(
        model_id=model.id,
        training_data_url=f'data:application/jsonl;base64,{data}',
        config={'batch_size': 2, 'learning_rate': 1e-2},
    )
    types, after = [], None
    while not types or types[-1] not in ('training_ended', 'training_failed'):
        await asyncio.sleep(0.2)
        more = {'after': after} if after else {}
        async for event in backend._client.training_jobs.events.list(training_job_id=job.id, **more):
            types.append(event.type)
            after = event.id
    answer = await model.openai_client().chat.completions.create(
        model=backend._model_inference_name(model), messages=asked, temperature=0, max_tokens=24
    )
    return {'types': types, 'said': answer.choices[0].message.content}


async def main():
    backend = ServerlessBackend(api_key=os.environ['OPENAI_API_KEY'], base_url=os.environ['OPENAI_BASE_URL'])
    found = {'taught': await by_examples(backend), 'toy': await by_reward(backend)}
    await backend.close()
    report(found)


asyncio.run(main())
