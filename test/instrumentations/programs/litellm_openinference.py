import litellm
from openinference.instrumentation import using_attributes
from openinference.instrumentation.litellm import LiteLLMInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LiteLLMInstrumentor().instrument(tracer_provider=provider)


def ask(question):
    litellm.completion(model='openai/gpt-4o', messages=[{'role': 'user', 'content': question}])


with using_attributes(session_id='session-1', user_id='ann'):
    ask('How is the weather in Paris?')
    try:
        ask('fail')
    except litellm.BadRequestError:
        pass
provider.shutdown()
