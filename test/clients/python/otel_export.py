"""The OpenTelemetry Python exporter as a user would set it up: a small agent's trace, protobuf.

Environment: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, …_PROTOCOL, …_HEADERS, …_COMPRESSION, and RESOURCE (JSON) for the
resource attributes, COUNT for how many traces. Reports trace and span ids.
"""

import guard  # noqa: F401, I001

import json
import os

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcSpanExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind, Status, StatusCode

from result import report


class Watched(SpanExporter):
    """The exporter, with its answers written down: the SDK only logs them."""

    def __init__(self, inner):
        self.inner = inner
        self.answers = []

    def export(self, spans):
        answer = self.inner.export(spans)
        self.answers.append(answer == SpanExportResult.SUCCESS)
        return answer

    def shutdown(self):
        self.inner.shutdown()

    def force_flush(self, timeout_millis=30000):
        return self.inner.force_flush(timeout_millis)


is_grpc = os.environ.get('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') == 'grpc'
exporter = Watched(GrpcSpanExporter() if is_grpc else OTLPSpanExporter())
provider = TracerProvider(resource=Resource.create(json.loads(os.environ.get('RESOURCE', '{}'))))
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer('agent', '1.2.3')

traces = []
for number in range(int(os.environ.get('COUNT', '1'))):
    with tracer.start_as_current_span('agent.run', kind=SpanKind.SERVER) as root:
        root.set_attribute('gen_ai.conversation.id', f'conversation-{number % 2}')
        root.set_attribute('input.value', json.dumps({'question': f'how many? {number}', 'n': number}))
        root.set_attribute('output.value', json.dumps({'answer': number}))
        root.add_event('thought', {'text': 'counting', 'step': 1})
        with tracer.start_as_current_span('chat model-small', kind=SpanKind.CLIENT) as chat:
            chat.set_attribute('gen_ai.operation.name', 'chat')
            chat.set_attribute('gen_ai.provider.name', 'local')
            chat.set_attribute('gen_ai.request.model', 'model-small')
            chat.set_attribute('gen_ai.response.model', 'model-small-1')
            chat.set_attribute('gen_ai.request.temperature', 0.5)
            chat.set_attribute('gen_ai.usage.input_tokens', 10 + number)
            chat.set_attribute('gen_ai.usage.output_tokens', 5)
            chat.set_attribute('gen_ai.prompt.0.role', 'user')
            chat.set_attribute('gen_ai.prompt.0.content', f'how many? {number} żółć 🧵')
            chat.set_attribute('gen_ai.completion.0.role', 'assistant')
            chat.set_attribute('gen_ai.completion.0.content', str(number))
            chat.set_attribute('gen_ai.response.finish_reasons', ['stop'])
        with tracer.start_as_current_span('tool.lookup') as tool:
            tool.set_attribute('traceloop.span.kind', 'tool')
            tool.set_attribute('api_key', 'sk-not-to-be-stored')
            tool.set_status(Status(StatusCode.ERROR, 'no such tool'))
        ids = [format(span.get_span_context().span_id, '016x') for span in (root, chat, tool)]
        traces.append({'trace': format(root.get_span_context().trace_id, '032x'), 'spans': ids})

provider.shutdown()
report({'traces': traces, 'answers': exporter.answers})
