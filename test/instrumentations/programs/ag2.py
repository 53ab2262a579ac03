import asyncio

from ag2 import Agent
from ag2.config import OpenAIConfig
from ag2.middleware import TelemetryMiddleware
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


agent = Agent(
    'forecaster',
    config=OpenAIConfig(model='gpt-4o', max_retries=0),
    tools=[get_weather],
    middleware=[TelemetryMiddleware(agent_name='forecaster', capture_content=True)],
)


async def main():
    tracer = trace.get_tracer('weather')
    for question in ('How is the weather in Paris?', 'fail'):
        # It names no session and no user: a span around it does.
        with tracer.start_as_current_span('answer', attributes={'session.id': 'session-1', 'user.id': 'ann'}):
            try:
                await agent.ask(question)
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
