"""Spans whose messages are log records, by the OpenTelemetry Python SDK: events of chat completions, on both protocols.

Environment: OTEL_EXPORTER_OTLP_ENDPOINT, …_PROTOCOL, …_HEADERS; FIRST: `logs` or `spans`, whichever is sent first. Reports
trace and span ids.
"""

import guard  # noqa: F401, I001

import os

from opentelemetry._logs import LogRecord
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcLogExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcSpanExporter
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from result import report

is_grpc = os.environ.get('OTEL_EXPORTER_OTLP_PROTOCOL') == 'grpc'
spans = TracerProvider()
spans.add_span_processor(BatchSpanProcessor(GrpcSpanExporter() if is_grpc else OTLPSpanExporter()))
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(GrpcLogExporter() if is_grpc else OTLPLogExporter()))
tracer = spans.get_tracer('chat')
logger = logs.get_logger('chat')


def say(name, attributes=None, body=None):
    logger.emit(LogRecord(event_name=name, attributes=attributes or {}, body=body))


made = []
with tracer.start_as_current_span('chat old') as span:
    span.set_attribute('gen_ai.operation.name', 'chat')
    span.set_attribute('gen_ai.request.model', 'gpt-4o')
    say('gen_ai.system.message', {'gen_ai.system': 'openai'}, {'content': 'Be brief.'})
    say('gen_ai.user.message', {'gen_ai.system': 'openai'}, {'content': 'What is 1 + 1?'})
    message = {'role': 'assistant', 'content': '2'}
    say('gen_ai.choice', {'gen_ai.system': 'openai'}, {'index': 0, 'finish_reason': 'stop', 'message': message})
    made.append(format(span.get_span_context().span_id, '016x'))
with tracer.start_as_current_span('chat new') as span:
    span.set_attribute('gen_ai.operation.name', 'chat')
    asked = {'role': 'user', 'parts': [{'type': 'text', 'content': 'And 2 + 2?'}]}
    said = {'role': 'assistant', 'parts': [{'type': 'text', 'content': '4'}], 'finish_reason': 'stop'}
    say(
        'gen_ai.client.inference.operation.details',
        {'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [asked], 'gen_ai.output.messages': [said]},
    )
    made.append(format(span.get_span_context().span_id, '016x'))

providers = [logs, spans] if os.environ.get('FIRST') == 'logs' else [spans, logs]
for provider in providers:
    provider.force_flush()
for provider in providers:
    provider.shutdown()
report({'spans': made})
