import mlflow
from openai import BadRequestError, OpenAI

mlflow.openai.autolog()


@mlflow.trace
def answer(question):
    mlflow.update_current_trace(session_id='session-1', user='ann')
    messages = [{'role': 'user', 'content': question}]
    return OpenAI(max_retries=0).chat.completions.create(model='gpt-4o', messages=messages).choices[0].message.content


answer('How is the weather in Paris?')
try:
    answer('fail')
except BadRequestError:
    pass
mlflow.flush_trace_async_logging()
