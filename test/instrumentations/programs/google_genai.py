from google import genai
from google.genai.errors import ClientError
from openinference.instrumentation import TracerProvider, using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
GoogleGenAIInstrumentor().instrument(tracer_provider=provider)

client = genai.Client()


@provider.get_tracer('app').chain
def answer(question):
    return client.models.generate_content(model='gemini-2.5-flash', contents=question).text


with using_attributes(session_id='session-1', user_id='ann'):
    answer('How is the weather in Paris?')
    try:
        answer('fail')
    except ClientError:
        pass
provider.shutdown()
