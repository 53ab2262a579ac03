import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: its name
    """
    return f'sunny in {city}'


agent = LlmAgent(name='forecaster', model=LiteLlm(model='openai/gpt-4o'), tools=[get_weather])


async def main():
    runner = InMemoryRunner(agent=agent, app_name='app')
    await runner.session_service.create_session(app_name='app', user_id='ann', session_id='session-1')
    for question in ['How is the weather in Paris?', 'fail']:
        message = types.Content(role='user', parts=[types.Part(text=question)])
        with provider.get_tracer('app').start_as_current_span('answer') as span:
            # Its own say nothing of users.
            span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
            try:
                async for _ in runner.run_async(user_id='ann', session_id='session-1', new_message=message):
                    pass
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
