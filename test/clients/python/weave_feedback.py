"""The weave Python SDK giving feedback: reactions, notes, own types, annotations by a spec, scores of a scorer, what is
purged; and reading it back, alone and with calls. PROJECT names the project. Reports what it read.
"""

import guard  # noqa: F401, I001

import asyncio
import os

import weave
from weave.flow.annotation_spec import AnnotationSpec

from result import report
from since import uri

client = weave.init(os.environ['PROJECT'])
found = {}


@weave.op
def answer(question: str) -> str:
    return question.upper()


_, call = answer.call('how?')
_, other = answer.call('why?')
client.flush()

call.feedback.add_reaction('👍🏽')
call.feedback.add_note('well said', creator='Ann')
call.feedback.add('correctness', {'score': 5, 'exact': 1.0})
call.feedback.add_note('to be purged')
other.feedback.add_reaction('👎')
client.flush()
# By the id that the server says: 0.53 sends none of its own.
gone = [row.id for row in call.feedback.refresh() if row.payload.get('note') == 'to be purged']
call.feedback.purge(gone[0])
rows = list(call.feedback.refresh())
found['rows'] = [[row.feedback_type, row.payload, row.creator] for row in rows]
found['kinds_of_numbers'] = [type(value).__name__ for value in rows[2].payload.values()]

found['by_reaction'] = [row.weave_ref == uri(call.ref) for row in client.get_feedback(reaction='👍🏽')]
found['by_id'] = [row.payload['note'] for row in client.get_feedback(rows[1].id)]
found['pages'] = [len(list(client.get_feedback(limit=2))), len(list(client.get_feedback(limit=10, offset=3)))]

spec = weave.publish(AnnotationSpec(name='quality', field_schema={'type': 'integer', 'minimum': 1, 'maximum': 5}))
client.flush()
call.feedback.add('wandb.annotation.quality', {'value': 4}, annotation_ref=uri(spec))
client.flush()
call.feedback.add('wandb.annotation.quality', {'value': 9}, annotation_ref=uri(spec))
client.flush()
found['annotations'] = [
    row.payload for row in call.feedback.refresh() if row.feedback_type == 'wandb.annotation.quality'
]


class Length(weave.Scorer):
    @weave.op
    def score(self, output: str) -> dict:
        return {'long': len(output) > 3, 'length': len(output)}


@weave.op
def is_loud(output: str) -> bool:
    return output.isupper()


async def score():
    await call.apply_scorer(Length(name='length'))
    await call.apply_scorer(is_loud)


asyncio.run(score())
client.flush()
scores = {row.feedback_type: row for row in call.feedback.refresh() if 'runnable' in row.feedback_type}
found['scores'] = {kind: row.payload['output'] for kind, row in scores.items()}
found['scored_by'] = [one.id == call.id for one in client.get_calls(scored_by=['is_loud'])]
by_ref = scores['wandb.runnable.length'].runnable_ref
found['scored_by_ref'] = [one.id == call.id for one in client.get_calls(scored_by=[by_ref])]
found['scored_by_nobody'] = len(list(client.get_calls(scored_by=['nobody'])))

with_feedback = {one.id: one for one in client.get_calls(include_feedback=True)}
found['with_calls'] = [
    sorted({row['feedback_type'] for row in with_feedback[call.id].summary['weave']['feedback']}),
    [row['payload']['emoji'] for row in with_feedback[other.id].summary['weave']['feedback']],
]
query = {'$expr': {'$eq': [{'$getField': 'feedback.[wandb.note.1].payload.note'}, {'$literal': 'well said'}]}}
found['by_note'] = [one.id == call.id for one in client.get_calls(query=query)]
sort_by = [{'field': 'feedback.[correctness].payload.score', 'direction': 'desc'}]
found['sorted'] = client.get_calls(sort_by=sort_by)[0].id == call.id

# Versions before 0.53 have no agents.
if hasattr(client, 'get_agent_turn_feedback'):
    client.get_agent_turn_feedback('t1').add_reaction('🎉')
    client.flush()
    found['agent'] = [[row.scorer_tags, row.span_trace_id] for row in client.get_agent_turn_feedback('t1')]

client.finish()
report(found)
