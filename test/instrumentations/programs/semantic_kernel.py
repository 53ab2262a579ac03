import asyncio
import logging

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
# What was said goes to its logger.
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logger = logging.getLogger('semantic_kernel')
logger.addHandler(LoggingHandler(logger_provider=logs))
logger.setLevel(logging.INFO)


class Weather:
    @kernel_function
    def get_weather(self, city: str) -> str:
        """The weather in a city."""
        return f'sunny in {city}'


async def main():
    service = OpenAIChatCompletion(ai_model_id='gpt-4o')
    agent = ChatCompletionAgent(service=service, name='forecaster', plugins=[Weather()])
    for question in ['How is the weather in Paris?', 'fail']:
        with provider.get_tracer('app').start_as_current_span('answer') as span:
            span.set_attributes({'session.id': 'session-1', 'user.id': 'ann'})
            try:
                await agent.get_response(question)
            except Exception:
                pass


asyncio.run(main())
provider.shutdown()
logs.shutdown()
