"""A span that OpenTelemetry exported, found by the weave Python SDK: its op by ref, and the call by what its op is named.
PROJECT names the project. Reports what it found.
"""

import guard  # noqa: F401, I001

import base64
import os

import weave
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from result import report

project = os.environ['PROJECT']
key = base64.b64encode(f'api:{os.environ["WANDB_API_KEY"]}'.encode()).decode()
exporter = OTLPSpanExporter(
    endpoint=f'{os.environ["WF_TRACE_SERVER_URL"]}/otel/v1/traces',
    headers={'Authorization': f'Basic {key}', 'project_id': project},
)
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
tracer = provider.get_tracer('test')
ids = []
for name in ['GET /users/{id}', 'Get  users id', 'żółć']:
    with tracer.start_as_current_span(name) as span:
        ids.append(format(span.get_span_context().span_id, '016x'))
provider.shutdown()

client = weave.init(project)
call = client.get_call(ids[0])
ref = weave.ref(call.op_name)
op = ref.get()
found = {
    'name': ref.name,
    'func_name': call.func_name,
    'trace_name': call.summary['weave']['trace_name'],
    'op': callable(op),
    'original': call.attributes['otel_span']['name'],
    'raw': weave.ref(client.get_call(ids[2]).op_name).name,
    'by_op': len(list(client.get_calls(filter={'op_names': [call.op_name]}))),
    'by_any_version': len(list(client.get_calls(filter={'op_names': [f'weave:///{project}/op/{ref.name}:*']}))),
}
client.finish()
report(found)
