import asyncio

from mcp.client import Client
from mcp.server.mcpserver import MCPServer
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)

server = MCPServer('weather')


@server.tool()
def get_weather(city: str) -> str:
    """The weather in a city."""
    if city == 'fail':
        raise ValueError('I will not')
    return f'sunny in {city}'


async def main():
    with provider.get_tracer('app').start_as_current_span('answer') as span:
        span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
        async with Client(server) as client:
            for city in ['Paris', 'fail']:
                await client.call_tool('get_weather', {'city': city})


asyncio.run(main())
provider.shutdown()
