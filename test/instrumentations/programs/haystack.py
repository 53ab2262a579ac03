from haystack import Pipeline
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from openinference.instrumentation import using_attributes
from openinference.instrumentation.haystack import HaystackInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
HaystackInstrumentor().instrument(tracer_provider=provider)

pipeline = Pipeline()
pipeline.add_component('llm', OpenAIChatGenerator(model='gpt-4o', max_retries=0))

with using_attributes(session_id='session-1', user_id='ann'):
    pipeline.run({'llm': {'messages': [ChatMessage.from_user('How is the weather in Paris?')]}})
    try:
        pipeline.run({'llm': {'messages': [ChatMessage.from_user('fail')]}})
    except Exception:
        pass
provider.shutdown()
