import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LlamaIndexInstrumentor().instrument(tracer_provider=provider)


def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: its name
    """
    return f'sunny in {city}'


async def main():
    agent = FunctionAgent(tools=[get_weather], llm=OpenAI(model='gpt-4o', max_retries=0), streaming=False)
    with using_attributes(session_id='session-1', user_id='ann'):
        for question in ['How is the weather in Paris?', 'fail']:
            try:
                await agent.run(question)
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
