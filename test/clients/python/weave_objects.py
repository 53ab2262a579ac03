"""The weave Python SDK publishing: objects, ops, models, a dataset of 10,000 rows, files behind values, versions,
tags, aliases, deletion. PROJECT names the project. Reports what it read back.
"""

import guard  # noqa: F401, I001

import os
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import weave
from weave import Dataset

from result import report
from since import uri

client = weave.init(os.environ['PROJECT'])
found = {}

value = {'one': 1.0, 'int': 1, 'big': 123456789012345678901234567890, 'none': None, 'text': 'żółć 🧵'}
first = weave.publish(value, 'thing')
client.flush()
back = dict(first.get())
found['value'] = back == value and isinstance(back['one'], float) and isinstance(back['int'], int)
second = weave.publish({'two': 2}, 'thing')
client.flush()
found['versions'] = [dict(weave.ref('thing:v0').get()) == value, dict(weave.ref('thing').get())]

if hasattr(client, 'add_tags'):
    client.add_tags(first, ['good', 'very good'])
    client.set_aliases(first, ['prod'])
    found['labels'] = client.get_tags_and_aliases(first)
    found['by_alias'] = dict(weave.ref('thing:prod').get()) == value
    found['lists'] = [client.list_tags(), client.list_aliases()]
    client.remove_tags(first, ['good'])
    found['fewer'] = client.get_tags(first)

rows = [{'question': f'what is {n} + {n}?', 'answer': n + n, 'half': n / 2} for n in range(10_000)]
published = weave.publish(Dataset(name='Süms of 数', rows=rows))
client.flush()
dataset = weave.ref(uri(published)).get()
read = [dict(row) for row in dataset.rows]
found['dataset'] = [len(read), read == rows, read[9_999]]
longer = dataset.add_rows([{'question': 'new', 'answer': 0, 'half': 0.0}])
client.flush()
found['longer'] = [len(list(longer.rows)), dict(list(longer.rows)[-1])]


class Multiplier(weave.Model):
    factor: int

    @weave.op
    def predict(self, x: int) -> int:
        return x * self.factor


model = weave.publish(Multiplier(factor=3), 'multiplier')
client.flush()
found['model'] = weave.ref(uri(model)).get().predict(14)


@weave.op
def shout(text: str) -> str:
    return text.upper()


op = weave.publish(shout)
client.flush()
found['op'] = weave.ref(uri(op)).get()('loud')

if 'scorer_debounce_config' in weave.Monitor.model_fields:
    # By its file: the package loads all other scorers, and what they need, too.
    file = Path(weave.__file__).parent / 'scorers/remote_scorer.py'
    spec = spec_from_file_location('weave.scorers.remote_scorer', file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    remote = module.RemoteScorer(
        name='remote',
        endpoint_url='https://scores.example.com/v1',
        config={'threshold': 0.9},
        auth_config={'mode': 'static_bearer', 'bearer_secret_name': 'SCORES'},
    )
    monitor = weave.Monitor(
        name='watch',
        op_names=['weave.genai.turn_ended'],
        sampling_rate=0.5,
        scorers=[remote],
        query={'$expr': {'$eq': [{'$getField': 'exception'}, {'$literal': ''}]}},
        scorer_debounce_config={'aggregation_field': 'thread_id', 'timeout_seconds': 30.0},
    )
    monitor.activate()
    client.flush()
    again = weave.ref('watch').get()
    scorer = again.scorers[0]
    found['monitor'] = [again.active, again.op_names, again.sampling_rate, again.scorer_debounce_config]
    found['remote_scorer'] = [type(scorer).__name__, scorer.endpoint_url, scorer.config, scorer.auth_config.mode]

client.delete_object_version(second)
found['after_delete'] = dict(weave.ref('thing').get()) == value
try:
    found['deleted'] = str(weave.ref(uri(second)).get())
except Exception as error:  # noqa: BLE001
    found['deleted'] = 'was deleted at' in str(error)

client.finish()
report(found)
