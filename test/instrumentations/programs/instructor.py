import instructor
from openai import OpenAI
from openinference.instrumentation import TracerProvider, using_attributes
from openinference.instrumentation.instructor import InstructorInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic import BaseModel

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
InstructorInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)


class get_weather(BaseModel):
    city: str


client = instructor.from_openai(OpenAI(max_retries=0))


def answer(question):
    messages = [{'role': 'user', 'content': question}]
    client.chat.completions.create(model='gpt-4o', response_model=get_weather, messages=messages, max_retries=1)


with using_attributes(session_id='session-1', user_id='ann'):
    answer('How is the weather in Paris?')
    try:
        answer('fail')
    except Exception:
        pass
provider.shutdown()
