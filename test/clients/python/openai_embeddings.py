"""The OpenAI SDK against embeddings: every form of input and of vectors, sizes, refusals."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import base64
import struct

from openai import APIStatusError, OpenAI
from result import report

client = OpenAI()
MODEL = 'demo-embedding'


def vectors(given, **more):
    return [one.embedding for one in client.embeddings.create(model=MODEL, input=given, **more).data]


def refused(**more):
    try:
        client.embeddings.create(**{'model': MODEL, 'input': 'x', **more})
    except APIStatusError as error:
        return [error.status_code, error.body.get('reason'), error.body['param']]


def near(one, other):
    return sum(a * b for a, b in zip(one, other))


texts = ['What is the capital of France?', 'The capital of France is Paris.', 'A loom is a frame.']
# The SDK asks for base64 and decodes it, unless the format is given.
answer = client.embeddings.create(model=MODEL, input=texts)
question, paris, loom = (one.embedding for one in answer.data)
floats = vectors(texts, encoding_format='float')
encoded = client.embeddings.create(model=MODEL, input=texts[0], encoding_format='base64').data[0].embedding
unpacked = struct.unpack('<64f', base64.b64decode(encoded))
short = vectors(texts[0], dimensions=16)[0]
tokens = vectors([[5, 6, 7], [5, 6, 7]])
try:
    client.chat.completions.create(model=MODEL, messages=[{'role': 'user', 'content': 'Hello!'}])
    chat = None
except APIStatusError as error:
    chat = [error.status_code, error.body['reason']]

report(
    {
        'form': [answer.object, answer.data[2].object, answer.data[2].index, answer.model],
        'usage': answer.usage.prompt_tokens == answer.usage.total_tokens > 20,
        'sizes': [len(question), len(short)],
        'nearer': near(question, paris) > near(question, loom) + 0.2,
        'same': [max(abs(a - b) for a, b in zip(question, other)) < 1e-6 for other in (floats[0], unpacked)],
        'renormalised': round(near(short, short), 4),
        'tokens': tokens[0] == tokens[1],
        'refused': [
            refused(input=''),
            refused(input='word ' * 2000),
            refused(dimensions=20),
            refused(model='demo'),
            refused(model='nobody'),
        ],
        'chat': chat,
        'listed': [
            [model.id, model.capabilities['chat'], model.capabilities['embeddings']]
            for model in client.models.list().data
        ],
    }
)
