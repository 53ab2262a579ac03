import asyncio

from agent_framework import Agent
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
enable_instrumentation(enable_sensitive_data=True)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


async def main():
    client = OpenAIChatCompletionClient('gpt-4o')
    agent = Agent(client=client, name='forecaster', tools=[get_weather])
    for question in ['How is the weather in Paris?', 'fail']:
        with provider.get_tracer('app').start_as_current_span('answer') as span:
            span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
            try:
                await agent.run(question)
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
