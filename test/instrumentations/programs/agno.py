from agno.agent import Agent
from agno.models.openai import OpenAIChat
from openinference.instrumentation import using_attributes
from openinference.instrumentation.agno import AgnoInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
AgnoInstrumentor().instrument(tracer_provider=provider)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


agent = Agent(name='forecaster', model=OpenAIChat(id='gpt-4o', max_retries=0), tools=[get_weather], telemetry=False)

with using_attributes(session_id='session-1', user_id='ann'):
    agent.run('How is the weather in Paris?', session_id='session-1', user_id='ann')
    try:
        agent.run('fail', session_id='session-1', user_id='ann')
    except Exception:
        pass
provider.shutdown()
