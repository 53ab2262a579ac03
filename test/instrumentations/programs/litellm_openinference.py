import litellm
from openinference.instrumentation import TracerProvider, using_attributes
from openinference.instrumentation.litellm import LiteLLMInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LiteLLMInstrumentor().instrument(tracer_provider=provider)


@provider.get_tracer('app').chain
def answer(question):
    messages = [{'role': 'user', 'content': question}]
    return litellm.completion(model='openai/gpt-4o', messages=messages).choices[0].message.content


with using_attributes(session_id='session-1', user_id='ann'):
    answer('How is the weather in Paris?')
    try:
        answer('fail')
    except litellm.BadRequestError:
        pass
provider.shutdown()
