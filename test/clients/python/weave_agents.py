"""A conversation that OpenTelemetry exported, read by the agents' methods of the weave Python SDK. PROJECT names the
project. Reports what they answer.
"""

import guard  # noqa: F401, I001

import base64
import datetime
import json
import os

import weave
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import format_span_id, format_trace_id

from result import report

project = os.environ['PROJECT']
key = base64.b64encode(f'api:{os.environ["WANDB_API_KEY"]}'.encode()).decode()
exporter = OTLPSpanExporter(
    endpoint=f'{os.environ["WF_TRACE_SERVER_URL"]}/agents/otel/v1/traces',
    headers={'Authorization': f'Basic {key}', 'project_id': project},
)
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
tracer = provider.get_tracer('test')


def messages(role, text):
    return json.dumps([{'role': role, 'parts': [{'type': 'text', 'content': text}]}])


started = datetime.datetime.now(datetime.timezone.utc)
with tracer.start_as_current_span('invoke_agent Weather') as agent:
    agent.set_attributes({'gen_ai.conversation.id': 'talk-1', 'gen_ai.agent.version': '2', 'team': 'blue'})
    with tracer.start_as_current_span('chat gpt-4o') as chat:
        chat.set_attributes(
            {
                'gen_ai.operation.name': 'chat',
                'gen_ai.request.model': 'gpt-4o',
                'gen_ai.usage.input_tokens': 20,
                'gen_ai.usage.output_tokens': 7,
                'gen_ai.input.messages': messages('user', 'How is the weather?'),
                'gen_ai.output.messages': messages('assistant', 'It is sunny.'),
            }
        )
provider.shutdown()
trace_id = format_trace_id(agent.get_span_context().trace_id)
chat_id = format_span_id(chat.get_span_context().span_id)

client = weave.init(project)
agents = client.get_agents()
versions = client.get_agent_versions(agent_name='Weather')
spans = client.get_agent_spans(agent_name='Weather')
turn = client.get_agent_turn(trace_id=trace_id, include_feedback=True)
turns = client.get_agent_turns(conversation_id='talk-1')
stats = client.get_agent_span_stats(
    start=started - datetime.timedelta(hours=1),
    metrics=[
        {
            'alias': 'tokens',
            'value_type': 'number',
            'value': {'source': 'field', 'key': 'input_tokens'},
            'aggregations': ['sum'],
        }
    ],
)
found = {
    'agents': [len(agents), [(one.agent_name, one.span_count, one.invocation_count) for one in agents]],
    'versions': [len(versions), [(one.agent_version, one.span_count) for one in versions]],
    'spans': [len(spans), sorted((one.span_name, one.agent_name, one.conversation_id) for one in spans)],
    'turn': [turn.agent_name, turn.total_input_tokens, [one.type for one in turn.messages]],
    'turns': [turns.total_turns, [one.trace_id == trace_id for one in turns.turns]],
    'search': [
        [(message.span_id == chat_id, message.role) for message in one.matched_messages]
        for one in client.search_agents(query='It is sunny').results
    ],
    'attributes': [(one.source, one.key) for one in client.get_agent_custom_attributes().attributes],
    'stats': sum(row['sum_tokens'] for row in stats.rows),
    'feedback': [
        len(list(client.get_agent_turn_feedback(trace_id))),
        len(list(client.get_agent_span_feedback(chat_id))),
        len(list(client.get_agent_conversation_feedback('talk-1'))),
    ],
}
client.finish()
report(found)
