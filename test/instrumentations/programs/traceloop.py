import os

from openai import BadRequestError, OpenAI
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow

Traceloop.init(app_name='app', disable_batch=True)


@tool(name='get_weather')
def get_weather(city):
    return f'sunny in {city}'


@workflow(name='answer')
def answer(question):
    Traceloop.set_association_properties({'session_id': 'session-1', 'user_id': 'ann'})
    get_weather('Paris')
    messages = [{'role': 'user', 'content': question}]
    return OpenAI(max_retries=0).chat.completions.create(model='gpt-4o', messages=messages).choices[0].message.content


answer('How is the weather in Paris?')
try:
    answer('fail')
except BadRequestError:
    pass
