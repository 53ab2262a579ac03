import mlflow
from openai import BadRequestError, OpenAI

mlflow.openai.autolog()


@mlflow.trace(span_type='TOOL')
def get_weather(city):
    return f'sunny in {city}'


@mlflow.trace
def answer(question):
    # Those of `update_current_trace` are not in its spans.
    mlflow.get_current_active_span().set_attributes({'mlflow.trace.session': 'session-1', 'mlflow.trace.user': 'ann'})
    get_weather('Paris')
    messages = [{'role': 'user', 'content': question}]
    return OpenAI(max_retries=0).chat.completions.create(model='gpt-4o', messages=messages).choices[0].message.content


answer('How is the weather in Paris?')
try:
    answer('fail')
except BadRequestError:
    pass
mlflow.flush_trace_async_logging()
