"""A dataset, its items from eight threads at once, and an experiment over them, by any version of Langfuse's SDK.

Environment: LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, LANGFUSE_HOST, LANGFUSE_BASE_URL; NAME names the dataset. Reports what
the SDK read back, and what it complained about.
"""

import guard  # noqa: F401, I001

import logging
import os
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

from langfuse import Langfuse

from result import report

problems = []


class Collect(logging.Handler):
    def emit(self, record):
        if record.levelno >= logging.WARNING:
            problems.append(record.getMessage())


logging.getLogger('langfuse').addHandler(Collect())
major = int(version('langfuse').split('.')[0])
name = os.environ['NAME']
langfuse = Langfuse()

made = langfuse.create_dataset(name=name, description='sums', metadata={'by': 'test'})


def create(i):
    return langfuse.create_dataset_item(
        dataset_name=name,
        id=f'item-{i}',
        input={'a': i, 'b': 1},
        expected_output=i + 1,
        metadata={'i': i},
    ).id


with ThreadPoolExecutor(8) as pool:
    ids = list(pool.map(create, range(24)))
changed = langfuse.create_dataset_item(dataset_name=name, id=ids[0], expected_output=100)
archived = langfuse.create_dataset_item(dataset_name=name, id=ids[1], status='ARCHIVED')
items = langfuse.api.dataset_items if major > 2 else langfuse.client.dataset_items
items.delete(id=ids[2])
dataset = langfuse.get_dataset(name, fetch_items_page_size=10)


def exact(*, output, expected_output, **_):
    return Evaluation(name='exact', value=float(output == expected_output), comment='compared')


def mean(*, item_results, **_):
    return Evaluation(name='share', value=sum(one.evaluations[0].value for one in item_results) / len(item_results))


runs = {}
if major > 2:
    from langfuse import Evaluation

    add = {
        'task': lambda *, item, **_: item.input['a'] + item.input['b'],
        'evaluators': [exact],
        'run_evaluators': [mean],
        'metadata': {'model': 'plus'},
    }
    result = dataset.run_experiment(name='sums', run_name='plus one', description='adds', **add)
    runs['plus one'] = [len(result.item_results), result.run_evaluations[0].value]

    class Local(dict):
        input = property(lambda self: self['input'])

    data = [Local(input={'a': i, 'b': 2}, expected_output=i + 2) for i in range(3)]
    result = langfuse.run_experiment(name='here', run_name='here one', data=data, **add)
    runs['here one'] = [len(result.item_results), result.run_evaluations[0].value]
linked = dataset.items[:3]
for item in linked:
    if major == 2:
        trace = langfuse.trace(name='by hand', input=item.input, output=item.input['a'] * 2)
        item.link(trace, 'times two', run_description='doubles')
        trace.score(name='liked', value=1)
    elif major == 3:
        with item.run(run_name='times two', run_description='doubles') as span:
            span.update(input=item.input, output=item.input['a'] * 2)
            span.score_trace(name='liked', value=1)
langfuse.flush()
if major < 4:
    runs['times two'] = [len(linked), None]
read = {}
if major < 5:
    api = langfuse.client if major == 2 else langfuse.api
    for run in api.datasets.get_runs(name.replace('/', '%2F')).data:
        read[run.name] = len(api.datasets.get_run(name.replace('/', '%2F'), run.name).dataset_run_items)
found = {
    # Scores of runs of other data than a dataset's are sent from version 5 on.
    'shared': {2: [], 5: ['plus one', 'here one']}.get(major, ['plus one']),
    'runs': runs,
    'read': read,
    'problems': problems,
    'created': made.name,
    'changed': [changed.input, changed.expected_output],
    'archived': [str(getattr(archived.status, 'value', archived.status)), archived.input],
    'description': dataset.description,
    'items': sorted([item.id, item.input, item.expected_output] for item in dataset.items),
}
report(found)
