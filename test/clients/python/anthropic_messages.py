"""Anthropic's SDK against the Messages interface: plain, streamed, counted, tools and their runner, structure, errors."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

from typing import Literal

from anthropic import Anthropic, BadRequestError, NotFoundError, beta_tool
from pydantic import BaseModel
from result import report

client = Anthropic(default_headers={'x-heddle-project': 'me/messages'})
ask = [{'role': 'user', 'content': 'What is the capital of France?'}]
greedy = {'temperature': 0}
usual = {'model': 'demo', 'messages': ask, 'max_tokens': 24, 'extra_body': greedy}
schema = {
    'type': 'object',
    'properties': {'kind': {'enum': ['city', 'river']}},
    'required': ['kind'],
    'additionalProperties': False,
}


class Pick(BaseModel):
    colour: Literal['red', 'green']


def streamed():
    with client.messages.stream(**usual) as stream:
        text = ''.join(stream.text_stream)
        return {'text': text, 'message': stream.get_final_message().model_dump()}


def tools():
    asked = {**usual, 'max_tokens': 200, 'tools': [{'name': 'look_up', 'input_schema': schema}]}
    answer = client.messages.create(**asked, tool_choice={'type': 'any', 'disable_parallel_tool_use': True})
    call = answer.content[-1]
    result = {'type': 'tool_result', 'tool_use_id': call.id, 'content': 'nothing', 'is_error': True}
    told = [*ask, {'role': 'assistant', 'content': answer.content}, {'role': 'user', 'content': [result]}]
    after = client.messages.create(**{**asked, 'messages': told, 'max_tokens': 4}, tool_choice={'type': 'none'})
    return {'name': call.name, 'kind': call.input['kind'], 'stop': answer.stop_reason, 'after': after.stop_reason}


def runner():
    asked = []

    @beta_tool
    def look_up(kind: Literal['city', 'river']) -> str:
        """Look something up."""
        asked.append(kind)
        return 'nothing'

    runs = client.beta.messages.tool_runner(
        **{**usual, 'max_tokens': 200},
        tools=[look_up],
        tool_choice={'type': 'any', 'disable_parallel_tool_use': True},
        max_iterations=2,
    )
    return {'answers': len(list(runs)), 'asked': len(asked)}


def refused(kind, **more):
    try:
        client.messages.create(**{**usual, **more})
    except kind as error:
        return {'status': error.status_code, **error.body['error']}


plain = client.messages.create(**usual)
parsed = client.messages.parse(**{**usual, 'max_tokens': 60}, output_format=Pick)
ids = client.messages.create(**{**usual, 'extra_body': {**greedy, 'return_token_ids': True, 'logprobs': True}})
stopped = client.messages.create(**usual, stop_sequences=[' is'])
begun = client.messages.create(**{**usual, 'messages': [*ask, {'role': 'assistant', 'content': 'The capital of'}]})
image = {'type': 'image', 'source': {'type': 'base64', 'media_type': 'image/png', 'data': ''}}

report(
    {
        'plain': plain.model_dump(),
        'streamed': streamed(),
        'counted': client.messages.count_tokens(model='demo', messages=ask).input_tokens,
        'parsed': parsed.parsed_output.colour,
        'ids': {'prompt': len(ids.prompt_token_ids), 'answer': len(ids.token_ids), 'logprobs': len(ids.logprobs['content'])},
        'stopped': {'text': stopped.content[0].text, 'reason': stopped.stop_reason, 'by': stopped.stop_sequence},
        'begun': begun.content[0].text,
        'tools': tools(),
        'runner': runner(),
        'models': [model.id for model in client.models.list()],
        'model': client.models.retrieve('demo').model_dump(mode='json'),
        'refused': {
            'model': refused(NotFoundError, model='artifact:///me/sdk/nobody'),
            'image': refused(BadRequestError, messages=[{'role': 'user', 'content': [image]}]),
            'tool': refused(BadRequestError, tools=[{'type': 'web_search_20250305', 'name': 'web_search'}]),
            'long': refused(BadRequestError, messages=[{'role': 'user', 'content': 'Hello! ' * 20_000}]),
        },
    }
)
