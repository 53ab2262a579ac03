from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

telemetry = StrandsTelemetry().setup_otlp_exporter()


@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: its name
    """
    return f'sunny in {city}'


def ask(question):
    Agent(
        name='forecaster',
        model=OpenAIModel(model_id='gpt-4o'),
        tools=[get_weather],
        callback_handler=None,
        trace_attributes={'session.id': 'session-1', 'user.id': 'ann'},
    )(question)


ask('How is the weather in Paris?')
try:
    ask('fail')
except Exception:
    pass
telemetry.tracer_provider.shutdown()
