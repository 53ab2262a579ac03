import litellm
from opentelemetry import trace

litellm.callbacks = ['weave_otel']


def ask(question):
    messages = [{'role': 'user', 'content': question}]
    metadata = {'session_id': 'session-1', 'user_id': 'ann'}
    with trace.get_tracer('app').start_as_current_span('answer', attributes={'user.id': 'ann'}):
        litellm.completion(model='openai/gpt-4o', messages=messages, metadata=metadata, user='ann')


ask('How is the weather in Paris?')
try:
    ask('fail')
except litellm.BadRequestError:
    pass
trace.get_tracer_provider().force_flush()
