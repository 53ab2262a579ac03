"""Finds the text that is nearest to a question, by embeddings."""

import os

from openai import OpenAI

client = OpenAI()
model = os.environ.get('MODEL', 'demo-embedding')
texts = ['The capital of France is Paris.', 'A heddle is the part of a loom that lifts the threads of the warp.', 'Grass is green.']
question = 'What is a heddle?'


def embed(inputs):
    return [one.embedding for one in client.embeddings.create(model=model, input=inputs).data]


[asked], found = embed([question]), embed(texts)
scores = [sum(a * b for a, b in zip(asked, vector)) for vector in found]
print(max(zip(scores, texts))[1])
