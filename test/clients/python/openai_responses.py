"""The OpenAI SDK against the Responses interface: whole, streamed by its helper, parsed, with tools, refused."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import json
from typing import Literal

from openai import BadRequestError, NotFoundError, OpenAI
from pydantic import BaseModel
from result import report

client = OpenAI(project='me/responses')
ask = 'What is the capital of France?'
base = {'model': 'demo', 'temperature': 0, 'max_output_tokens': 24}


class Paint(BaseModel):
    colour: Literal['red', 'green']


class LookUp(BaseModel):
    kind: Literal['city', 'river']


look_up = {
    'type': 'function',
    'name': 'look_up',
    'strict': True,
    'parameters': {
        'type': 'object',
        'properties': {'kind': {'enum': ['city', 'river']}},
        'required': ['kind'],
        'additionalProperties': False,
    },
}


def plain():
    answer = client.responses.create(input=ask, **base)
    return {'text': answer.output_text, 'status': answer.status, 'usage': answer.usage.model_dump()}


def streamed():
    with client.responses.stream(input=ask, **base) as stream:
        types = [event.type for event in stream]
        answer = stream.get_final_response()
    return {'text': answer.output_text, 'status': answer.status, 'types': sorted(set(types))}


def parsed():
    compact = {'structured_outputs': {'disable_any_whitespace': True}}
    answer = client.responses.parse(input='Paint it.', text_format=Paint, extra_body=compact, **base)
    return answer.output_parsed.colour


def tools():
    answer = client.responses.create(
        input='What is it?', tools=[look_up], tool_choice='required', model='demo', max_output_tokens=200
    )
    call = answer.output[-1]
    told = client.responses.create(
        input=[
            {'role': 'user', 'content': 'What is it?'},
            *[item.model_dump(exclude_none=True) for item in answer.output],
            {'type': 'function_call_output', 'call_id': call.call_id, 'output': 'Paris'},
        ],
        tools=[look_up],
        **base,
    )
    return {'name': call.name, 'kind': json.loads(call.arguments)['kind'], 'told': told.status}


def logprobs():
    answer = client.responses.create(input=ask, include=['message.output_text.logprobs'], top_logprobs=2, **base)
    return [len(one.top_logprobs) for one in answer.output[0].content[0].logprobs]


def stored():
    first = client.responses.create(input=ask, instructions='Be brief.', metadata={'kind': 'test'}, **base)
    found = client.responses.retrieve(first.id)
    items = [item.content[0].text if item.type == 'message' else item.type for item in client.responses.input_items.list(first.id)]
    second = client.responses.create(input='And again?', previous_response_id=first.id, **base)
    counted = client.responses.input_tokens.count(
        model='demo', input='And again?', previous_response_id=first.id
    ).input_tokens
    client.responses.delete(first.id)
    try:
        client.responses.retrieve(first.id)
        gone = False
    except NotFoundError:
        gone = True
    return {
        'same': found.model_dump() == first.model_dump(),
        'items': items,
        'counted': counted == second.usage.input_tokens,
        'gone': gone,
    }


def conversation():
    made = client.conversations.create(metadata={'kind': 'test'})
    client.responses.create(input=ask, conversation=made.id, **base)
    items = list(client.conversations.items.list(made.id, order='asc'))
    updated = client.conversations.update(made.id, metadata={'kind': 'other'})
    return {
        'types': [item.type for item in items],
        'roles': [item.role for item in items],
        'metadata': updated.metadata,
        'deleted': client.conversations.delete(made.id).deleted,
    }


def background():
    made = client.responses.create(input=ask, background=True, **base)
    with client.responses.retrieve(made.id, stream=True) as events:
        types = [event.type for event in events]
    answer = client.responses.retrieve(made.id)
    return {'began': made.status, 'ended': types[-1], 'text': answer.output_text}


def compacted():
    done = client.responses.compact(model='demo', input=ask)
    answer = client.responses.create(
        input=[*[item.model_dump(exclude_none=True) for item in done.output], {'role': 'user', 'content': 'So?'}], **base
    )
    return {'type': done.output[0].type, 'status': answer.status}


def refused():
    found = {}
    for name, error, body in [
        ('model', NotFoundError, {'model': 'nobody', 'input': ask}),
        ('tool', BadRequestError, {'model': 'demo', 'input': ask, 'tools': [{'type': 'file_search'}]}),
        (
            'image',
            BadRequestError,
            {
                'model': 'demo',
                'input': [
                    {'role': 'user', 'content': [{'type': 'input_image', 'image_url': 'data:,', 'detail': 'auto'}]}
                ],
            },
        ),
    ]:
        try:
            client.responses.create(**body)
        except error as refusal:
            found[name] = {'message': refusal.body['message'], 'reason': refusal.body['reason']}
    return found


report(
    {
        'plain': plain(),
        'streamed': streamed(),
        'parsed': parsed(),
        'tools': tools(),
        'logprobs': logprobs(),
        'stored': stored(),
        'conversation': conversation(),
        'background': background(),
        'compacted': compacted(),
        'refused': refused(),
    }
)
