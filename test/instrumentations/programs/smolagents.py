from openinference.instrumentation import using_attributes
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from smolagents import OpenAIModel, ToolCallingAgent, tool

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
SmolagentsInstrumentor().instrument(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: its name
    """
    return f'sunny in {city}'


def run(task):
    ToolCallingAgent(tools=[get_weather], model=OpenAIModel(model_id='gpt-4o'), max_steps=3).run(task)


with using_attributes(session_id='session-1', user_id='ann'):
    run('How is the weather in Paris?')
    try:
        run('fail')
    except Exception:
        pass
provider.shutdown()
