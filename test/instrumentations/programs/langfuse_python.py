from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import OpenAI

client = OpenAI(max_retries=0)


@observe(as_type='tool')
def get_weather(city):
    return f'sunny in {city}'


@observe()
def answer(question):
    with propagate_attributes(session_id='session-1', user_id='ann'):
        get_weather('Paris')
        messages = [{'role': 'user', 'content': question}]
        return client.chat.completions.create(model='gpt-4o', messages=messages).choices[0].message.content


answer('How is the weather in Paris?')
try:
    answer('fail')
except Exception:
    pass
get_client().flush()
