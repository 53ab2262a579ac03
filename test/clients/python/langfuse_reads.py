"""A trace of Langfuse's SDK, versions 2 to 5, read back by its API. Environment: LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY,
LANGFUSE_SECRET_KEY. Reports what the SDK read.
"""

import guard  # noqa: F401, I001

import datetime
import time

from langfuse import Langfuse

from result import report

usage = {'input': 3, 'output': 4}
question = [{'role': 'user', 'content': 'hi'}]
started = datetime.datetime.now(datetime.timezone.utc)
if hasattr(Langfuse, 'trace'):
    client = Langfuse(environment='prod')
    trace = client.trace(name='turn', user_id='ann', session_id='s1', input='q', output='a', version='v9', tags=['blue'])
    ask = trace.generation(name='ask', model='gpt-4o', input=question, completion_start_time=datetime.datetime.now(datetime.timezone.utc))
    ask.end(output='ho', usage_details=usage)
    trace.score(name='liked', value=1)
    trace_id = trace.id
else:
    client = Langfuse(environment='prod')
    with client.start_as_current_observation(name='turn', input='q', output='a') as root:
        if hasattr(root, 'update_trace'):
            root.update_trace(user_id='ann', session_id='s1', version='v9', tags=['blue'])
        else:
            from langfuse import propagate_attributes

            again = propagate_attributes(user_id='ann', session_id='s1', version='v9', tags=['blue'])
            again.__enter__()
        with client.start_as_current_observation(name='ask', as_type='generation', model='gpt-4o', input=question) as ask:
            ask.update(completion_start_time=datetime.datetime.now(datetime.timezone.utc), output='ho', usage_details=usage)
        root.score_trace(name='liked', value=1)
        trace_id = root.trace_id
client.flush()

api = client.api
found = {}
old = getattr(api, 'legacy', None)
observations = getattr(old, 'observations_v1', None) or api.observations


def shown(one):
    if isinstance(one, dict):
        return [one[name] for name in ('type', 'name', 'model', 'input', 'output', 'usageDetails', 'environment')]
    return [one.type, one.name, one.model, one.input, one.output, one.usage_details, one.environment]


if hasattr(api.trace, 'get'):
    whole = api.trace.get(trace_id)
    found['trace'] = [whole.name, whole.input, whole.output, sorted(o.name for o in whole.observations), [s.name for s in whole.scores]]
    listed = api.trace.list(name='turn', limit=10)
    found['traces'] = [[t.id == trace_id, t.name, t.environment] for t in listed.data] + [listed.meta.total_items]
    session = api.sessions.get('s1')
    found['session'] = [session.id, [t.id == trace_id for t in session.traces]]
    found['sessions'] = [[s.id, s.environment] for s in api.sessions.list().data]
    one = observations.get_many(name='ask', trace_id=trace_id, type='GENERATION')
    found['ask'] = [shown(o) for o in one.data]
    found['one'] = observations.get(one.data[0].id).name
newer = getattr(api, 'observations_v_2', None) or (api.observations if old or not hasattr(api.trace, 'get') else None)
if newer is not None:
    fields = 'core,basic,io,model,usage,time,metrics'
    first = newer.get_many(limit=1, fields=fields, from_start_time=started - datetime.timedelta(hours=1))
    rest = newer.get_many(limit=1, fields=fields, cursor=first.meta.cursor)
    found['newer'] = [shown(o) for o in first.data]
    found['rest'] = [[o['name'] if isinstance(o, dict) else o.name for o in rest.data], getattr(rest.meta, 'cursor', None)]
    if not isinstance(first.data[0], dict):
        found['waited'] = first.data[0].time_to_first_token is not None
client.shutdown()
report(found)
