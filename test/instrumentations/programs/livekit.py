import asyncio

from livekit.agents import Agent, AgentSession, function_tool
from livekit.agents.telemetry import set_tracer_provider
from livekit.plugins import openai
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
set_tracer_provider(provider, metadata={'session.id': 'session-1', 'user.id': 'ann'})


@function_tool
async def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


async def ask(question):
    # Without a room, what is said is text.
    session = AgentSession(llm=openai.LLM(model='gpt-4o', max_retries=0))
    await session.start(Agent(instructions='Say how the weather is.', tools=[get_weather]))
    try:
        await session.run(user_input=question)
    except Exception:
        pass
    await session.aclose()


asyncio.run(ask('How is the weather in Paris?'))
asyncio.run(ask('fail'))
provider.shutdown()
