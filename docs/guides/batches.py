"""Asks a model many questions at once, as a batch: the answers come when nobody else needs the model."""

import json
import os
import time

from openai import OpenAI

client = OpenAI()
model = os.environ.get('MODEL', 'demo')
questions = ['What is the capital of France?', 'What is the capital of Italy?', 'How tall is the Eiffel Tower?']

lines = [
    {
        'custom_id': f'question-{i}',
        'method': 'POST',
        'url': '/v1/chat/completions',
        'body': {'model': model, 'messages': [{'role': 'user', 'content': question}], 'max_tokens': 24, 'temperature': 0},
    }
    for i, question in enumerate(questions)
]
content = '\n'.join(json.dumps(line) for line in lines)

file = client.files.create(file=('questions.jsonl', content.encode()), purpose='batch')
batch = client.batches.create(input_file_id=file.id, endpoint='/v1/chat/completions', completion_window='24h')

while batch.status in ('validating', 'in_progress'):
    time.sleep(0.5)
    batch = client.batches.retrieve(batch.id)
    print(batch.status, batch.request_counts)

if batch.output_file_id:
    for line in client.files.content(batch.output_file_id).text.splitlines():
        answer = json.loads(line)
        print(answer['custom_id'], answer['response']['body']['choices'][0]['message']['content'])
if batch.error_file_id:
    print(client.files.content(batch.error_file_id).text)
