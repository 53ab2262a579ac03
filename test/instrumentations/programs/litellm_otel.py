import litellm
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

# It exports by itself where there is no provider yet, but then makes one with the first completion.
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
litellm.callbacks = ['otel']


def ask(question):
    messages = [{'role': 'user', 'content': question}]
    attributes = {'session.id': 'session-1', 'user.id': 'ann'}
    with provider.get_tracer('app').start_as_current_span('answer', attributes=attributes):
        litellm.completion(model='openai/gpt-4o', messages=messages, user='ann')


ask('How is the weather in Paris?')
try:
    ask('fail')
except litellm.BadRequestError:
    pass
provider.shutdown()
