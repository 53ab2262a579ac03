import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.fastmcp import FastMCP
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.mcp import McpInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
McpInstrumentor().instrument(tracer_provider=provider)

server = FastMCP('weather')


@server.tool()
def get_weather(city: str) -> str:
    """The weather in a city."""
    if city == 'fail':
        raise ValueError('I will not')
    return f'sunny in {city}'


async def main():
    itself = StdioServerParameters(command=sys.executable, args=[__file__, 'server'], env=dict(os.environ))
    with provider.get_tracer('app').start_as_current_span('answer') as span:
        span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
        async with stdio_client(itself) as streams, ClientSession(*streams) as client:
            await client.initialize()
            for city in ['Paris', 'fail']:
                await client.call_tool('get_weather', {'city': city})


if 'server' in sys.argv:
    server.run()
else:
    asyncio.run(main())
provider.shutdown()
