"""Reads calls back through the weave Python SDK. PROJECT names the project, QUERIES is JSON: name → the
keyword arguments of `get_calls`. Reports what each gave, and single reads by id for IDS (JSON list).
"""

import guard  # noqa: F401, I001

import json
import os

import weave

from result import report

client = weave.init(os.environ['PROJECT'])


def plain(call):
    return {
        'id': call.id,
        'trace_id': call.trace_id,
        'parent_id': call.parent_id,
        'op_name': call.op_name,
        'display_name': call.display_name,
        'inputs': json.loads(json.dumps(unwrap(call.inputs), default=str)),
        'output': json.loads(json.dumps(unwrap(call.output), default=str)),
        'attributes': json.loads(json.dumps(unwrap(call.attributes), default=str)),
        'summary': json.loads(json.dumps(unwrap(call.summary), default=str)),
        'exception': call.exception,
        'thread_id': call.thread_id,
        'turn_id': call.turn_id,
        'started_at': call.started_at,
        'ended_at': call.ended_at,
    }


def unwrap(value):
    """Turns the SDK's boxed and tracked values back into plain ones."""
    if isinstance(value, dict):
        return {key: unwrap(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [unwrap(item) for item in value]
    if hasattr(value, 'items') and callable(value.items):
        return {key: unwrap(item) for key, item in value.items()}
    if hasattr(value, '__iter__') and not isinstance(value, (str, bytes)):
        return [unwrap(item) for item in value]
    return value


found = {}
for name, arguments in json.loads(os.environ.get('QUERIES', '{}')).items():
    found[name] = [plain(call) for call in client.get_calls(**arguments)]
counts = {
    name: len(client.get_calls(**arguments))
    for name, arguments in json.loads(os.environ.get('QUERIES', '{}')).items()
    if not {'limit', 'offset'} & arguments.keys()
}
single = {call_id: plain(client.get_call(call_id)) for call_id in json.loads(os.environ.get('IDS', '[]'))}
missing = None
try:
    client.get_call('0198c0de-0000-7000-8000-00000000dead')
except ValueError as error:
    missing = str(error)
weave.finish()
report({'found': found, 'counts': counts, 'single': single, 'missing': missing})
