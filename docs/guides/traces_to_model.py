"""From traces to a better model: log calls, keep the good ones by feedback, train on them, serve, evaluate.

Needs a running Heddle, `pip install weave openai`, and the environment of the guide beside this file.
"""

import asyncio
import os
import sys
import time

# The SDK remembers what it has published, also when the server's data folder is a new one: let it ask.
os.environ.setdefault('WEAVE_USE_SERVER_CACHE', 'false')

import weave
from openai import AsyncOpenAI
from weave import Dataset, Evaluation

PROJECT = os.environ.get('HEDDLE_PROJECT', 'acme/weaving')
ENTITY, NAME = PROJECT.split('/')

# What a person, or a large model, answered. Not all of it is right.
ANSWERED = [
    ('What is the weft?', 'The weft goes across the warp.', True),
    ('What is the weft?', 'The weft is a sort of wool.', False),
    ('What is a bobbin?', 'A bobbin holds the thread.', True),
    ('What is felt?', 'Felt is pressed and not woven.', True),
    ('What is felt?', 'Felt is woven very tightly.', False),
    ('What is the selvage?', 'It is the edge of the cloth.', True),
    ('What is a shuttle?', 'A shuttle carries the weft.', True),
    ('What is a reed?', 'I do not know.', False),
    ('What is a reed?', 'A reed beats the weft into place.', True),
]

client = weave.init(PROJECT)
models = AsyncOpenAI()  # OPENAI_BASE_URL is the training interface


# 1. Calls are logged, with what people thought of them.

@weave.op
def answer(messages: list[dict], said: str) -> str:
    """Stands in for whatever answers your users today."""
    return said


for question, said, good in ANSWERED:
    _, call = answer.call([{'role': 'user', 'content': question}], said)
    call.feedback.add_reaction('👍' if good else '👎')
client.flush()


# 2. The good ones are found by their feedback, looked at, and kept as a dataset.

good_calls = client.get_calls(
    filter={'op_names': [answer.ref.uri()]},
    query={'$expr': {'$eq': [{'$getField': 'feedback.[wandb.reaction.1].payload.emoji'}, {'$literal': '👍'}]}},
)
rows = [
    {'messages': [*call.inputs['messages'], {'role': 'assistant', 'content': call.output}]} for call in good_calls
]
dataset = weave.publish(Dataset(name='good-answers', rows=rows)).uri()


async def training(method: str, path: str, body: dict | None = None) -> dict:
    """A request to the training interface, for which the OpenAI SDK has no method."""
    if method == 'GET':
        return await models.get(path, cast_to=object)
    return await models.post(path, cast_to=object, body=body)


async def train() -> str:
    source = {'dataset': dataset}
    seen = await training('POST', '/preview/training-data/preview', {'training_data': source, 'examples': 1})
    print(f"{seen['rows_used']} of {seen['rows_read']} rows to train on, such as {seen['examples'][0]['messages']}")

    # 3. A model is trained on them.
    base = (await models.models.list()).data[0].id
    asked = {'entity': ENTITY, 'project': NAME, 'name': 'weaver', 'base_model': base, 'return_existing': True}
    model = await training('POST', '/preview/models', asked)
    config = {'batch_size': 3, 'learning_rate': 5e-3, 'epochs': 50}
    asked = {'model_id': model['id'], 'training_data_url': dataset, 'config': config}
    job = await training('POST', '/preview/sft-training-jobs', asked)
    while job['status'] in ('queued', 'running'):
        time.sleep(0.5)
        job = await training('GET', f"/preview/training-jobs/{job['id']}")
    if job['status'] != 'completed':
        sys.exit(f"{job['status']}: {job['error_message']}")
    steps = (await training('GET', f"/preview/training-jobs/{job['id']}/metrics"))['data']
    first, last = (step['metrics']['loss'] for step in (steps[0], steps[-1]))
    print(f"{len(steps)} steps, loss {first:.2f} → {last:.4f}")
    return base


# 4. It is served: the address of the model is its newest checkpoint.

class Served(weave.Model):
    address: str

    @weave.op
    async def predict(self, messages: list[dict]) -> str:
        asked = [message for message in messages if message['role'] != 'assistant']
        reply = await models.chat.completions.create(model=self.address, messages=asked, temperature=0, max_tokens=40)
        return reply.choices[0].message.content


# 5. The evaluation shows the gain.

@weave.op
def right(messages: list[dict], output: str) -> bool:
    return output.strip() == messages[-1]['content']


async def main() -> None:
    base = await train()
    evaluation = Evaluation(name='weaving', dataset=weave.ref(dataset).get(), scorers=[right])
    for name, address in (('before', base), ('after', f'artifact:///{PROJECT}/weaver')):
        summary = await evaluation.evaluate(Served(name=name, address=address))
        print(f"{name}: {summary['right']['true_fraction']:.0%} right")


asyncio.run(main())
