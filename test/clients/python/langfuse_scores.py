"""Scores of Langfuse's SDK, versions 2 to 5, on a span, its trace and a session, and what the SDK reads of them.
Environment: LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY. Reports what the SDK said of the keys, and what
it complained about.
"""

import guard  # noqa: F401, I001

import logging

from langfuse import Langfuse

from result import report

problems = []


class Collect(logging.Handler):
    def emit(self, record):
        if record.levelno >= logging.WARNING:
            problems.append(record.getMessage())


logging.getLogger('langfuse').addHandler(Collect())
client = Langfuse()
known = client.auth_check()
if hasattr(client, 'trace'):
    trace = client.trace(name='turn')
    span = trace.span(name='plan')
    span.score(name='liked', value=1, data_type='BOOLEAN', comment='yes')
    span.end()
    trace.score(name='tone', value='warm', data_type='CATEGORICAL')
    ids = {'trace': trace.id, 'span': span.id}
else:
    with client.start_as_current_observation(name='turn') as root:
        with client.start_as_current_observation(name='plan') as span:
            span.score(name='liked', value=1, data_type='BOOLEAN', comment='yes')
            # The trace's root has not ended, so it isn't known yet.
            client.score_current_trace(name='tone', value='warm', data_type='CATEGORICAL')
            client.create_score(name='helped', value=0.5, session_id='session-1', metadata={'by': 'ann'})
            client.flush()
        ids = {'trace': span.trace_id, 'span': span.id}
client.flush()

api = client.api
if hasattr(api, 'score_v_2'):
    read = api.score_v_2.get().data
elif hasattr(api, 'score'):
    read = api.score.get().data
else:
    read = api.scores.get_many().data
byname = {score.name: score for score in read}
found = {
    name: [score.data_type, getattr(score, 'string_value', None), getattr(score, 'value', None)]
    for name, score in byname.items()
}
if hasattr(api, 'scores_v3'):
    found['v3'] = sorted(score.name for score in api.scores_v3.get_many_v3(fields='subject,details').data)
client.shutdown()
report({'known': known, 'problems': problems, 'found': found, **ids})
