from crewai import Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation import using_attributes
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)


@tool('get_weather')
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: its name
    """
    return f'sunny in {city}'


def kickoff(description):
    agent = Agent(role='forecaster', goal='Know it', backstory='You watch the sky.', tools=[get_weather], llm='gpt-4o')
    task = Task(description=description, expected_output='One sentence', agent=agent)
    Crew(name='weather', agents=[agent], tasks=[task]).kickoff()


with using_attributes(session_id='session-1', user_id='ann'):
    kickoff('How is the weather in Paris?')
    try:
        kickoff('fail')
    except Exception:
        pass
provider.shutdown()
