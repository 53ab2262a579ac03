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
found = {
    'problems': problems,
    'created': made.name,
    'changed': [changed.input, changed.expected_output],
    'archived': [str(getattr(archived.status, 'value', archived.status)), archived.input],
    'description': dataset.description,
    'items': sorted([item.id, item.input, item.expected_output] for item in dataset.items),
}
report(found)
