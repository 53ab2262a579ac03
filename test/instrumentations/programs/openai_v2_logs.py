from openai import BadRequestError, OpenAI
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)

client = OpenAI(max_retries=0)
with provider.get_tracer('app').start_as_current_span('answer') as span:
    span.set_attribute('session.id', 'session-1')
    span.set_attribute('user.id', 'ann')
    for question in ['How is the weather in Paris?', 'fail']:
        try:
            client.chat.completions.create(model='gpt-4o', messages=[{'role': 'user', 'content': question}])
        except BadRequestError:
            pass
provider.shutdown()
logs.shutdown()
