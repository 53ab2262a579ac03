"""The weave Python SDK with annotation queues: it makes calls, puts them into a queue, looks at them as lists do, and
works through them. PROJECT names the project. Reports what it saw.
"""

import guard  # noqa: F401, I001

import os

import weave

from result import report

client = weave.init(os.environ['PROJECT'])
project = client.project_id
found = {}


@weave.op
def answer(question: str) -> str:
    return question.upper()


calls = [answer.call(question=f'question {n}')[1] for n in range(5)]
client.flush()
ids = [call.id for call in calls]

queue_id = client.create_annotation_queue(name='first', scorer_refs=[], description='look closely')
other_id = client.create_annotation_queue(name='second', scorer_refs=[])
found['read'] = [client.get_annotation_queue(queue_id).name, client.get_annotation_queue(queue_id).description]
found['listed'] = [queue.name for queue in client.list_annotation_queues()]
found['named'] = [queue.id == queue_id for queue in client.list_annotation_queues(name='first')]
found['sorted'] = [
    queue.name for queue in client.list_annotation_queues(sort_by=[{'field': 'name', 'direction': 'desc'}], limit=1)
]
found['updated'] = client.update_annotation_queue(queue_id, name='renamed').name

fields = ['inputs.question', 'output']
added = client.add_calls_to_annotation_queue(queue_id, call_ids=ids, display_fields=fields)
again = client.add_calls_to_annotation_queue(queue_id, call_ids=[ids[0], 'unknown'], display_fields=fields)
found['added'] = [added.added_count, added.duplicates, again.added_count, again.duplicates]

items = client.list_annotation_queue_items(queue_id, include_position=True)
found['items'] = [
    [item.call_id == call_id, item.position_in_queue, item.annotation_state, item.display_fields == fields]
    for item, call_id in zip(items, ids)
]


def move(item, state):
    return client.server.annotator_queue_items_progress_update(
        {'project_id': project, 'queue_id': queue_id, 'item_id': item.id, 'annotation_state': state}
    ).item


found['moved'] = [
    move(items[0], 'in_progress').annotation_state,
    move(items[0], 'completed').annotation_state,
    move(items[1], 'skipped').annotation_state,
    move(items[2], 'in_progress').annotation_state,
]
try:
    move(items[0], 'in_progress')
    found['refused'] = 'it was not'
except Exception as error:  # noqa: BLE001
    found['refused'] = str(error)
found['unstarted'] = len(
    client.list_annotation_queue_items(queue_id, filter={'annotation_states': ['unstarted']})
)
found['stats'] = [
    [stat.total_items, stat.completed_items] for stat in client.get_annotation_queue_stats([queue_id, other_id])
]
found['deleted'] = client.delete_annotation_queue(other_id).deleted_at is not None
found['left'] = [queue.name for queue in client.list_annotation_queues()]

client.finish()
report(found)
