"""Agents of openai-agents and LangChain's model with a model served here, by responses, which both use by default or on demand."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import asyncio

from agents import Agent, OpenAIConversationsSession, Runner, function_tool, set_tracing_disabled
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from result import report

set_tracing_disabled(True)


@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


agent = Agent(name='forecaster', model='coder', tools=[get_weather])


async def streamed():
    run = Runner.run_streamed(agent, 'How is the weather in Paris?')
    types = {event.type async for event in run.stream_events()}
    return {'output': run.final_output, 'types': sorted(types)}


async def session():
    session = OpenAIConversationsSession()
    await Runner.run(agent, 'How is the weather in Paris?', session=session)
    return [item['type'] for item in await session.get_items()]


@tool
def look_up(city: str) -> str:
    """The weather in a city."""
    return f'sunny in {city}'


def langchain():
    model = ChatOpenAI(model='coder', use_responses_api=True).bind_tools([look_up])
    asked = [('user', 'How is the weather in Paris?')]
    first = model.invoke(asked)
    told = [*asked, first, *[look_up.invoke(call) for call in first.tool_calls]]
    chunks = list(model.stream(told))
    return {'called': [call['name'] for call in first.tool_calls], 'text': ''.join(chunk.text for chunk in chunks)}


async def main():
    plain = await Runner.run(agent, 'How is the weather in Paris?')
    return {
        'agents': plain.final_output,
        'chained': (await Runner.run(agent, 'And now?', previous_response_id=plain.last_response_id)).final_output,
        'streamed': await streamed(),
        'session': await session(),
        'langchain': langchain(),
    }


report(asyncio.run(main()))
