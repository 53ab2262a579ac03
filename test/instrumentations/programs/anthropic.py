import anthropic
from openinference.instrumentation import TracerProvider, using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
AnthropicInstrumentor().instrument(tracer_provider=provider)

client = anthropic.Anthropic(max_retries=0)


@provider.get_tracer('app').chain
def answer(content):
    messages = [{'role': 'user', 'content': content}]
    return client.messages.create(model='claude-sonnet-4-5', max_tokens=100, messages=messages).content[0].text


with using_attributes(session_id='session-1', user_id='ann'):
    answer('How is the weather in Paris?')
    try:
        answer('fail')
    except anthropic.BadRequestError:
        pass
provider.shutdown()
