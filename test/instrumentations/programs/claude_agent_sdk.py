import asyncio

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


@tool('get_weather', 'The weather in a city.', {'city': str})
async def get_weather(args):
    return {'content': [{'type': 'text', 'text': f'sunny in {args["city"]}'}]}


async def main():
    options = ClaudeAgentOptions(
        model='claude-sonnet-4-5',
        tools=[],
        mcp_servers={'weather': create_sdk_mcp_server('weather', tools=[get_weather])},
        allowed_tools=['mcp__weather__get_weather'],
    )
    for question in ['How is the weather in Paris?', 'fail']:
        with provider.get_tracer('app').start_as_current_span('answer') as span:
            span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
            try:
                async for _ in query(prompt=question, options=options):
                    pass
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
