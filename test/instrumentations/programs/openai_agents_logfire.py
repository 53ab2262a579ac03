import logfire
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from openai import AsyncOpenAI

# Its scrubbing would hide names of sessions.
logfire.configure(send_to_logfire=False, console=False, scrubbing=False)
logfire.instrument_openai_agents()


@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


model = OpenAIChatCompletionsModel('gpt-4o', AsyncOpenAI(max_retries=0))
agent = Agent(name='forecaster', model=model, tools=[get_weather])
for question in ['How is the weather in Paris?', 'fail']:
    try:
        with logfire.set_baggage(**{'user.id': 'ann'}):
            Runner.run_sync(agent, question, run_config=RunConfig(group_id='session-1'))
    except Exception:
        pass
logfire.shutdown()
