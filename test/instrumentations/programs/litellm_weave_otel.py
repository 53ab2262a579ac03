import litellm
from opentelemetry import trace

litellm.callbacks = ['weave_otel']


def ask(question):
    messages = [{'role': 'user', 'content': question}]
    attributes = {'session.id': 'session-1', 'user.id': 'ann'}
    with trace.get_tracer('app').start_as_current_span('answer', attributes=attributes):
        litellm.completion(model='openai/gpt-4o', messages=messages, user='ann')


# It makes its provider with the first completion, so the span around that one is lost.
ask('How is the weather in Paris?')
ask('How is the weather in Paris?')
try:
    ask('fail')
except litellm.BadRequestError:
    pass
trace.get_tracer_provider().force_flush()
