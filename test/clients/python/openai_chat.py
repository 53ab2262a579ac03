"""The OpenAI SDK against the chat interface: plain, streamed, several choices, log-probabilities, tools, structure, abort."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import json

from openai import BadRequestError, NotFoundError, OpenAI
from result import report

client = OpenAI(project='me/sdk')
ask = [{'role': 'user', 'content': 'What is the capital of France?'}]


def plain():
    answer = client.chat.completions.create(model='demo', messages=ask, max_tokens=24, temperature=0)
    return {
        'content': answer.choices[0].message.content,
        'finish': answer.choices[0].finish_reason,
        'usage': answer.usage.model_dump(),
    }


def streamed():
    chunks = list(
        client.chat.completions.create(
            model='demo',
            messages=ask,
            max_tokens=24,
            temperature=0,
            stream=True,
            stream_options={'include_usage': True},
        )
    )
    return {
        'content': ''.join(chunk.choices[0].delta.content or '' for chunk in chunks if chunk.choices),
        'ids': len({chunk.id for chunk in chunks}),
        'finish': [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1],
        'usage': chunks[-1].usage.model_dump(),
    }


def several():
    answer = client.chat.completions.create(model='demo', messages=ask, max_tokens=8, n=3, seed=7, temperature=1)
    return [choice.index for choice in answer.choices]


def logprobs():
    answer = client.chat.completions.create(
        model='demo', messages=ask, max_tokens=4, temperature=0, logprobs=True, top_logprobs=2
    )
    content = answer.choices[0].logprobs.content
    return {
        'tokens': len(content),
        'completion': answer.usage.completion_tokens,
        'top': [len(token.top_logprobs) for token in content],
        'negative': all(token.logprob <= 0 for token in content),
    }


def tools():
    answer = client.chat.completions.create(
        model='demo',
        messages=ask,
        max_tokens=200,
        temperature=0,
        tools=[
            {
                'type': 'function',
                'function': {
                    'name': 'look_up',
                    'description': 'Look something up',
                    'parameters': {
                        'type': 'object',
                        'properties': {'kind': {'enum': ['city', 'river']}},
                        'required': ['kind'],
                        'additionalProperties': False,
                    },
                },
            }
        ],
        tool_choice={'type': 'function', 'function': {'name': 'look_up'}},
    )
    choice = answer.choices[0]
    calls = choice.message.tool_calls or []
    return {
        'names': [call.function.name for call in calls],
        'arguments': [json.loads(call.function.arguments) for call in calls],
        'finish': choice.finish_reason,
    }


def structured():
    schema = {
        'type': 'object',
        'properties': {'colour': {'enum': ['red', 'green']}},
        'required': ['colour'],
        'additionalProperties': False,
    }
    answer = client.chat.completions.create(
        model='demo',
        messages=ask,
        max_tokens=60,
        temperature=0,
        response_format={'type': 'json_schema', 'json_schema': {'name': 'pick', 'schema': schema, 'strict': True}},
    )
    choice = client.chat.completions.create(
        model='demo', messages=ask, max_tokens=20, extra_body={'structured_outputs': {'choice': ['yes', 'no']}}
    )
    return {'json': json.loads(answer.choices[0].message.content), 'choice': choice.choices[0].message.content}


def aborted():
    stream = client.chat.completions.create(
        model='demo', messages=ask, max_tokens=1000, stream=True, extra_body={'ignore_eos': True}
    )
    first = next(iter(stream))
    stream.close()
    return first.choices[0].delta.role


def refused():
    found = {}
    try:
        client.models.retrieve('artifact:///me/sdk/nobody')
    except NotFoundError as error:
        found['model'] = error.body
    try:
        client.chat.completions.create(model='nothing-like-it', messages=ask)
    except NotFoundError as error:
        found['unknown'] = error.message
    try:
        client.chat.completions.create(model='demo', messages=[])
    except BadRequestError as error:
        found['empty'] = error.message
    return found


report(
    {
        'models': [model.id for model in client.models.list()],
        'model': client.models.retrieve('demo') in list(client.models.list()),
        'plain': plain(),
        'streamed': streamed(),
        'several': several(),
        'logprobs': logprobs(),
        'tools': tools(),
        'structured': structured(),
        'aborted': aborted(),
        'refused': refused(),
    }
)
