"""The weave Python SDK as a user would write it: plain, nested, failing, async and generator ops, threads,
attributes, display names, large inputs. PROJECT names the project. Reports the call ids it made, by name.
"""

import guard  # noqa: F401, I001

import asyncio
import os

import weave

from result import report
from since import eager_op

client = weave.init(os.environ['PROJECT'])
made = {}


def remember(name, call):
    made[name] = {'id': call.id, 'trace_id': call.trace_id}


@weave.op
def add(a: int, b: float) -> float:
    return a + b


@weave.op
def inner(text: str) -> dict:
    return {'length': len(text), 'text': text, 'nested': {'list': [1, 2.5, None, True, 'żółć 🧵']}}


@weave.op
def outer(text: str) -> dict:
    return {'inner': inner(text), 'twice': [inner(text + '!'), inner(text + '?')]}


@weave.op
def fails(reason: str) -> None:
    raise ValueError(reason)


@weave.op
def fails_inside(reason: str) -> str:
    try:
        fails(reason)
    except ValueError:
        return 'survived'
    return 'not reached'


@weave.op
async def slow(text: str) -> str:
    await asyncio.sleep(0.01)
    return text.upper()


@weave.op
async def gathers(texts: list) -> list:
    return list(await asyncio.gather(*[slow(text) for text in texts]))


@weave.op
def counts(upto: int):
    for number in range(upto):
        yield add(number, 0.5)


@weave.op
async def streams(upto: int):
    for number in range(upto):
        await asyncio.sleep(0)
        yield {'n': number}


@weave.op(name='renamed-op', call_display_name='shown as this')
def named(x: int) -> int:
    return x


@weave.op(call_display_name=lambda call: f'shown {call.inputs["x"]}')
def named_by_input(x: int) -> int:
    return x


@weave.op
def large(text: str, rows: list) -> int:
    return len(text) + len(rows)


@weave.op
def calls_model(prompt: str) -> dict:
    return {'model': 'model-small-1', 'usage': {'prompt_tokens': 11, 'completion_tokens': 7, 'total_tokens': 18}}


@weave.op
def turn(message: str) -> str:
    return inner(message)['text']


@weave.op
def secret(api_key: str, headers: dict, question: str) -> str:
    return question


@eager_op()
def long_running(x: int) -> int:
    client.flush()
    return inner(str(x))['length']


@eager_op(name='left.open')
def left_open(x: int) -> int:
    return x


_, call = add.call(1, 2.0)
remember('add', call)
_, call = outer.call('hello')
remember('outer', call)
try:
    fails('on purpose')
except ValueError:
    pass
_, call = fails_inside.call('caught')
remember('fails_inside', call)
asyncio.run(slow('alone'))
asyncio.run(gathers(['a', 'b', 'c']))
list(counts(3))


async def drain():
    return [item async for item in streams(4)]


asyncio.run(drain())
_, call = named.call(7)
remember('named', call)
_, call = named_by_input.call(8)
remember('named_by_input', call)
_, call = large.call('x' * 1_200_000, [{'row': n, 'text': f'row {n}'} for n in range(5_000)])
remember('large', call)
_, call = calls_model.call('price?')
remember('calls_model', call)
with weave.attributes({'env': 'test', 'release': {'major': 3, 'tags': ['a', 'b']}}):
    _, call = add.call(10, 20.0)
    remember('attributed', call)
with weave.thread('thread-one') as thread:
    turn('first')
    turn('second')
with weave.thread('thread-two'):
    turn('other')
_, call = secret.call('sk-not-to-be-stored', {'Authorization': 'Bearer not-to-be-stored', 'x': 'kept'}, 'q')
remember('secret', call)

call = client.create_call('by.hand', {'a': {'b': [1, {'c': 'deep'}]}, 'big': 12345678901234567890}, attributes={'k': 1.0})
client.finish_call(call, output={'ok': True})
remember('by_hand', call)
call.set_display_name('renamed later')

gone = client.create_call('to.delete', {'x': 1})
child = client.create_call('to.delete.child', {'x': 2}, parent=gone)
client.finish_call(child, output=1)
client.finish_call(gone, output=2)
remember('deleted', gone)
remember('deleted_child', child)
client.flush()
client.delete_call(gone)

# Eager ops send their start at once, so these two are seen before they end; the second never does.
_, call = long_running.call(5)
remember('long_running', call)
client.create_call(left_open, {'x': 1})
weave.finish()
report({'made': made})
