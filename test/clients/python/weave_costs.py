"""The weave Python SDK with prices: it sets some, lists them, sees what calls cost by them, and purges them. PROJECT
names the project. Reports what it saw.
"""

import guard  # noqa: F401, I001

import datetime
import os

import weave

from result import report

client = weave.init(os.environ['PROJECT'])
found = {}


@weave.op
def ask(prompt: str) -> dict:
    usage = {
        'prompt_tokens': 1000,
        'completion_tokens': 100,
        'total_tokens': 1100,
        'cache_read_input_tokens': 400,
        'cache_creation_input_tokens': 100,
    }
    return {'model': 'house-model', 'usage': usage, 'text': prompt}


_, call = ask.call('hello')
client.flush()


def costs():
    calls = client.get_calls(include_costs=True, filter={'call_ids': [call.id]})
    all_costs = list(calls)[0].summary['weave'].get('costs', {})
    cost = all_costs.get('house-model')
    if cost is None:
        return None
    fields = ['prompt_tokens', 'completion_tokens', 'prompt_tokens_total_cost', 'completion_tokens_total_cost']
    return {name: cost[name] for name in [*fields, 'pricing_level']}


found['before'] = costs()
past = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
made = client.add_cost(
    'house-model',
    prompt_token_cost=0.5,
    completion_token_cost=2,
    cache_read_input_token_cost=0.25,
    cache_creation_input_token_cost=1,
    effective_date=past,
    provider_id='house',
)
cost_id, llm_id = made.ids[0]
found['made'] = [len(made.ids), llm_id]
found['cost'] = costs()

client.add_cost('house-model', prompt_token_cost=7, completion_token_cost=7, effective_date=past.replace(year=2019))
client.add_cost('other-model', prompt_token_cost=1e-7, completion_token_cost=3e-7)
found['still'] = costs() == found['cost']

one = client.query_costs(cost_id)
found['one'] = [
    len(one),
    one[0].llm_id,
    one[0].prompt_token_cost,
    one[0].cache_read_input_token_cost,
    one[0].provider_id,
    str(one[0].effective_date)[:10],
]
found['all'] = sorted(price.llm_id for price in client.query_costs())
found['by_model'] = [price.prompt_token_cost for price in client.query_costs(llm_ids=['other-model'])]
found['page'] = len(client.query_costs(limit=1, offset=1))
found['query'] = [
    price.llm_id
    for price in client.query_costs({'$expr': {'$gt': [{'$getField': 'prompt_token_cost'}, {'$literal': 5}]}})
]

client.purge_costs(cost_id)
found['after_purge'] = costs()
client.purge_costs([price.id for price in client.query_costs()])
found['left'] = [len(client.query_costs()), costs()]

client.finish()
report(found)
