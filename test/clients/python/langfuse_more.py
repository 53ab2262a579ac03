"""Media, score configs, comments and metrics of Langfuse's SDK, versions 3 to 5. Environment: LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY,
LANGFUSE_SECRET_KEY. Reports what the SDK read.
"""

import guard  # noqa: F401, I001

import base64
import json
import os

from langfuse import Langfuse
from langfuse.media import LangfuseMedia

from result import report

PNG = base64.b64decode(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
)
DATA = f'data:image/png;base64,{base64.b64encode(PNG).decode()}'
PROJECT = os.environ['LANGFUSE_PUBLIC_KEY']

client = Langfuse()
picture = LangfuseMedia(content_bytes=PNG, content_type='image/png')
with client.start_as_current_observation(name='look', input={'given': picture, 'inline': DATA}) as span:
    trace_id, span_id = span.trace_id, span.id
client.flush()

api = client.api


def made(part, kind, /, **fields):
    """What version 3 takes as an object, later ones take by name."""
    try:
        return part.create(**fields)
    except TypeError:
        import langfuse.api as types

        return part.create(request=getattr(types, kind)(**fields))


found = {'trace': trace_id}
if hasattr(api.trace, 'get'):
    seen = api.trace.get(trace_id).observations[0].input
else:
    seen = api.observations.get_many(trace_id=trace_id, fields='core,io').data[0].input
found['references'] = [seen['given'], seen['inline']]
resolved = client.resolve_media_references(obj=seen, resolve_with='base64_data_uri')
found['resolved'] = [resolved['given'] == DATA, resolved['inline'] == DATA]
media = api.media.get(picture._media_id)
found['media'] = [media.content_type, media.content_length]

configs = api.score_configs
tone = made(
    configs,
    'CreateScoreConfigRequest',
    name='tone',
    data_type='CATEGORICAL',
    categories=[{'label': 'warm', 'value': 2}, {'label': 'cold', 'value': 1}],
)
found['config'] = [tone.name, tone.data_type, [[c.label, c.value] for c in tone.categories]]
found['configs'] = [[c.name, c.is_archived] for c in configs.get().data]
client.create_score(name='tone', value='warm', trace_id=trace_id, config_id=tone.id)
client.create_score(name='tone', value='odd', trace_id=trace_id, config_id=tone.id)
client.flush()
old = getattr(api, 'score_v_2', None) or getattr(api, 'scores', None)
many = getattr(old, 'get_many', None) or old.get
found['scores'] = [[s.name, getattr(s, 'string_value', None) or s.value] for s in many().data]

comments = api.comments
fields = {'project_id': PROJECT, 'object_type': 'TRACE', 'object_id': trace_id, 'content': 'look *here*'}
made(comments, 'CreateCommentRequest', **fields)
one = made(comments, 'CreateCommentRequest', **{**fields, 'object_type': 'OBSERVATION', 'object_id': span_id, 'content': 'and here'})
listed = comments.get(object_type='TRACE', object_id=trace_id).data
found['comments'] = [[c.content, c.object_type] for c in listed]
found['comment'] = comments.get_by_id(one.id).content
query = {
    'view': 'observations',
    'metrics': [{'measure': 'count', 'aggregation': 'count'}],
    'dimensions': [{'field': 'name'}],
    'filters': [{'column': 'name', 'operator': '=', 'value': 'look', 'type': 'string'}],
    'fromTimestamp': '2020-01-01T00:00:00Z',
    'toTimestamp': '2100-01-01T00:00:00Z',
}
asked = [one for one in (api.metrics, getattr(api, 'metrics_v_2', None)) if one is not None]
found['metrics'] = [one.metrics(query=json.dumps(query)).data for one in asked]
client.shutdown()
report(found)
