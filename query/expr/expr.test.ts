/** Contract §2.2 as a table: an expression, and the calls that match. In the real engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsRoutes } from '../calls/routes.js'
import { writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'

let service: TestService
const project_id = 'acme/one'
const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })
const eq = (a: unknown, b: unknown) => ({ $eq: [a, b] })
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  await writeCalls(service.store, project_id, [
    {
      id: 'a',
      started_at: at(0),
      ended_at: at(1),
      inputs:
        '{"n":5,"f":5.0,"text":"Hello World","flag":true,"list":[{"k":"zero"},{"k":"one"}],"do.t":"dotted","nul":null,"big":123456789012345678901234567890,"uml":"\\u00e4ä"}',
    },
    {
      id: 'b',
      started_at: at(1),
      ended_at: at(3),
      inputs: '{"n":10,"text":"hello there","flag":false,"bit":0,"list":[]}',
      output: '"plain"',
      exception: 'Boom: no',
    },
    {
      id: 'c',
      started_at: at(2),
      ended_at: at(5),
      inputs: '{"n":"10","text":"","bit":1,"list":{"0":"key"}}',
      output: '{"deep":{"er":"x"}}',
      op_name: 'weave:///acme/p/op/o:1',
      run_id: 'r1',
      run_step: 3,
    },
    {
      id: 'd',
      started_at: at(3),
      ended_at: at(7),
      inputs: `{"n":2,"f":2.5,"a\\"b'c":"quote","text":"it's %_\\\\ 'q'","inf":"inf"}`,
      display_name: 'shown',
      thread_id: 't',
      attributes: '{"env":"prod"}',
      otel_span: '{"kind":"CLIENT"}',
    },
    { id: 'o', started_at: at(9), inputs: '{"n":7}', half: 'start' },
    { id: 'hidden', started_at: at(9), inputs: '{"n":7}', half: 'end' },
  ])
}, 120_000)
afterAll(() => service?.stop())

const ids = async (query: unknown, more: object = {}) => {
  const answer = await service.post('/calls/stream_query', { project_id, query: { $expr: query }, ...more })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id)
    .join(' ')
}

const cases: [string, object, string][] = [
  ['number equals number, as text too', eq(field('inputs.n'), literal(10)), 'b c'],
  ['number equals text', eq(field('inputs.n'), literal('10')), 'b c'],
  ['constant first', { $lt: [literal(7), field('inputs.n')] }, 'b c'],
  ['a whole float reads as an int', eq(field('inputs.f'), literal('5')), 'a'],
  ['float', eq(field('inputs.f'), literal(2.5)), 'd'],
  ['greater, numeric', { $gt: [field('inputs.n'), literal(5)] }, 'b c o'],
  ['greater or equal', { $gte: [field('inputs.n'), literal(5)] }, 'a b c o'],
  ['less', { $lt: [field('inputs.n'), literal(5)] }, 'd'],
  ['less or equal', { $lte: [field('inputs.n'), literal(5)] }, 'a d'],
  ['an int beside a fraction compares by value', { $gt: [field('inputs.f'), literal(2)] }, 'a d'],
  ['less, as text', { $lt: [field('inputs.n'), literal('2')] }, 'b c'],
  ['text', eq(field('inputs.text'), literal('Hello World')), 'a'],
  ['hostile text', eq(field('inputs.text'), literal("it's %_\\ 'q'")), 'd'],
  ['escapes read as what they mean', eq(field('inputs.uml'), literal('ää')), 'a'],
  ['bool', eq(field('inputs.flag'), literal(true)), 'a'],
  ['a bool is the number 1', eq(field('inputs.bit'), literal(true)), 'c'],
  ['or 0', eq(field('inputs.bit'), literal(false)), 'b'],
  ['not the other one', { $not: [eq(field('inputs.bit'), literal(true))] }, 'b'],
  ['among bools', { $in: [field('inputs.bit'), [literal(false), literal(true)]] }, 'b c'],
  ['bool as text', eq(field('inputs.flag'), literal('false')), 'b'],
  ['list index', eq(field('inputs.list.1.k'), literal('one')), 'a'],
  ['an index is no key', eq(field('inputs.list.0'), literal('key')), ''],
  ['an index past the end is missing', eq(field('inputs.list.7.k'), literal('')), 'a b c d o'],
  ['escaped dot', eq(field('inputs.do\\.t'), literal('dotted')), 'a'],
  ['quotes in a key', eq(field('inputs.a"b\'c'), literal('quote')), 'd'],
  ['an object reads as minified JSON', eq(field('inputs.list.0'), literal('{"k":"zero"}')), 'a'],
  ['an object as a constant', eq(field('inputs.list.0'), literal({ k: literal('zero') })), 'a'],
  [
    'numbers beyond 64 bits keep their digits',
    eq(field('inputs.big'), literal('123456789012345678901234567890')),
    'a',
  ],
  ['missing equals empty text', eq(field('inputs.text'), literal('')), 'c o'],
  ['JSON null equals empty text', eq(field('inputs.nul'), literal('')), 'a b c d o'],
  ['a path never equals null', eq(field('inputs.nul'), literal(null)), ''],
  ['nor does not', { $not: [eq(field('inputs.nul'), literal(null))] }, ''],
  ['not of missing is no match', { $not: [eq(field('inputs.flag'), literal(1))] }, ''],
  ['not', { $not: [eq(field('inputs.n'), literal(10))] }, 'a d o'],
  ['not of a text that is indexed', { $not: [eq(field('inputs.text'), literal('Hello World'))] }, 'b c d o'],
  ['contains', { $contains: { input: field('inputs.text'), substr: literal('Hello') } }, 'a'],
  [
    'contains, any case',
    { $contains: { input: field('inputs.text'), substr: literal('hELLo'), case_insensitive: true } },
    'a b',
  ],
  ['contains, nothing special', { $contains: { input: field('inputs.text'), substr: literal('%_\\') } }, 'd'],
  ['contains in a column', { $contains: { input: field('inputs'), substr: literal('hello there') } }, 'b'],
  ['in', { $in: [field('inputs.n'), [literal(5), literal(7)]] }, 'a o'],
  ['in, text', { $in: [field('inputs.text'), [literal('hello there'), literal('x')]] }, 'b'],
  ['in, ints and floats', { $in: [field('inputs.f'), [literal(5), literal(2.5)]] }, 'a d'],
  ['in, mixed', { $in: [field('inputs.n'), [literal(5), literal('7'), literal(null)]] }, 'a o'],
  ['in nothing', { $in: [field('inputs.n'), []] }, ''],
  ['not in', { $not: [{ $in: [field('inputs.text'), [literal('hello there')]] }] }, 'a c d o'],
  ['in with null on a column', { $in: [field('display_name'), [literal(null), literal('x')]] }, 'a b c o'],
  ['in of fields', { $in: [literal('shown'), [field('display_name'), field('op_name')]] }, 'd'],
  [
    'and',
    { $and: [{ $gt: [field('inputs.n'), literal(3)] }, { $lt: [field('inputs.n'), literal(9)] }] },
    'a o',
  ],
  ['or', { $or: [eq(field('inputs.n'), literal(5)), eq(field('inputs.flag'), literal(false))] }, 'a b'],
  ['and of one', { $and: [eq(field('inputs.n'), literal(5))] }, 'a'],
  ['and of constants', { $and: [literal('a'), literal('b')] }, 'a b c d o'],
  ['and of a flag', { $and: [field('inputs.flag')] }, 'a'],
  ['literals alone', eq(literal('1'), literal('1')), 'a b c d o'],
  ['literals that differ', eq(literal('1'), literal('2')), ''],
  ['number and text never match', eq(literal('1'), literal(1)), ''],
  ['nor do column and number', { $not: [eq(field('op_name'), literal(1))] }, ''],
  ['two fields', eq(field('inputs.n'), field('inputs.f')), 'a'],
  ['output text', eq(field('output'), literal('plain')), 'b'],
  ['output path', eq(field('output.deep.er'), literal('x')), 'c'],
  ['attributes path', eq(field('attributes.env'), literal('prod')), 'd'],
  ['the span', eq(field('attributes.otel_span.kind'), literal('CLIENT')), 'd'],
  ['exception', { $contains: { input: field('exception'), substr: literal('Boom') } }, 'b'],
  ['null column', eq(field('exception'), literal(null)), 'a c d o'],
  ['not null column', { $not: [eq(field('exception'), literal(null))] }, 'b'],
  ['not of an unset column', { $not: [eq(field('display_name'), literal('x'))] }, 'a b c d o'],
  ['an unset column is an empty text', eq(field('display_name'), literal('')), 'a b c o'],
  ['an unset column is less than any text', { $lt: [field('thread_id'), literal('a')] }, 'a b c o'],
  [
    'an unset column does not exist',
    { $not: [{ $convert: { input: field('display_name'), to: 'exists' } }] },
    'a b c o',
  ],
  ['open calls', eq(field('ended_at'), literal(null)), 'o'],
  ['ended calls', { $gt: [field('ended_at'), literal(at(4))] }, 'c d'],
  ['ended before: not the open ones', { $lt: [field('ended_at'), literal(at(4))] }, 'a b'],
  ['display name', eq(field('display_name'), literal('shown')), 'd'],
  ['thread', eq(field('thread_id'), literal('t')), 'd'],
  ['run, the client’s name', eq(field('wb_run_id'), literal('r1')), 'c'],
  ['run, the neutral name', eq(field('platform_run_id'), literal('r1')), 'c'],
  ['run step', { $gte: [field('wb_run_step'), literal(3)] }, 'c'],
  ['run step unset', eq(field('wb_run_step'), literal(null)), 'a b d o'],
  ['project', eq(field('project_id'), literal('acme/one')), 'a b c d o'],
  ['never deleted', eq(field('deleted_at'), literal(null)), 'a b c d o'],
  ['never expires', { $gt: [field('expire_at'), literal(0)] }, ''],
  ['op name', eq(field('op_name'), literal('weave:///acme/p/op/o:1')), 'c'],
  ['started after, ISO', { $gt: [field('started_at'), literal(at(1.5))] }, 'c d o'],
  [
    'started after, unix seconds',
    { $gte: [field('started_at'), literal(Date.parse(at(2)) / 1000)] },
    'c d o',
  ],
  ['started long ago', { $lt: [field('started_at'), literal(-1e300)] }, ''],
  ['status', eq(field('summary.weave.status'), literal('error')), 'b'],
  ['status in', { $in: [field('summary.weave.status'), [literal('error'), literal('running')]] }, 'b o'],
  ['latency', { $gte: [field('summary.weave.latency_ms'), literal(3000)] }, 'c d'],
  ['trace name', eq(field('summary.weave.trace_name'), literal('o')), 'c'],
  [
    'convert to double',
    { $gt: [{ $convert: { input: field('inputs.n'), to: 'double' } }, literal(6)] },
    'b c o',
  ],
  ['convert to int', eq({ $convert: { input: field('inputs.n'), to: 'int' } }, literal(10)), 'b c'],
  ['convert to string', eq({ $convert: { input: field('inputs.n'), to: 'string' } }, literal('7')), 'o'],
  ['convert to bool', eq({ $convert: { input: field('inputs.flag'), to: 'bool' } }, literal(true)), 'a'],
  [
    'convert a number',
    eq({ $convert: { input: { $size: field('inputs.list') }, to: 'string' } }, literal('2')),
    'a',
  ],
  ['convert a constant', eq({ $convert: { input: literal('7'), to: 'int' } }, field('inputs.n')), 'o'],
  [
    'a conversion that fails never matches',
    { $not: [{ $gt: [{ $convert: { input: field('inputs.text'), to: 'double' } }, literal(0)] }] },
    '',
  ],
  ['exists', eq({ $convert: { input: field('inputs.nul'), to: 'exists' } }, literal(true)), ''],
  [
    'exists, present',
    eq({ $convert: { input: field('inputs.list'), to: 'exists' } }, literal(true)),
    'a b c',
  ],
  ['exists, whole column', { $and: [{ $convert: { input: field('output'), to: 'exists' } }] }, 'b c'],
  ['not exists', { $not: [{ $convert: { input: field('inputs.f'), to: 'exists' } }] }, 'b c o'],
  ['size of a list', eq({ $size: field('inputs.list') }, literal(2)), 'a'],
  ['size of a text', eq({ $size: field('inputs.uml') }, literal(2)), 'a'],
]

describe('$expr', () => {
  it.each(cases)('%s', async (_name, expr, expected) => {
    expect(await ids(expr)).toBe(expected)
    const count = await service.post('/calls/query_stats', { project_id, query: { $expr: expr } })
    expect(count.json).toEqual({
      count: expected.split(' ').filter(Boolean).length,
      has_more: false,
      total_storage_size_bytes: null,
    })
  })

  const bad: [string, unknown, number][] = [
    ['a bare operand', { $getField: 'id' }, 422],
    ['a bare literal', { $literal: 1 }, 422],
    ['an unknown operator', { $ne: [literal(1), literal(2)] }, 422],
    ['two operators', { ...eq(literal(1), literal(2)), $and: [] }, 422],
    ['an empty and', { $and: [] }, 400],
    ['an empty or', { $or: [] }, 400],
    ['one operand', { $eq: [literal(1)] }, 422],
    ['three operands', { $eq: [literal(1), literal(1), literal(1)] }, 422],
    ['a list instead of an object', [], 422],
    ['a text', 'true', 422],
    ['null', null, 422],
    ['nothing', undefined, 422],
    ['an unknown column', eq(field('nonsense'), literal(1)), 422],
    ['a column that has no path', eq(field('op_name.x'), literal(1)), 422],
    ['a size', eq(field('storage_size_bytes'), literal(1)), 422],
    ['what is not derived', eq(field('summary.weave.costs'), literal(1)), 422],
    ['an unknown conversion', eq({ $convert: { input: field('id'), to: 'blob' } }, literal(1)), 422],
    ['SQL as a column', eq(field("id'; DROP TABLE calls; --"), literal(1)), 422],
    ['an empty field', eq(field(''), literal(1)), 422],
    ['a name without end', eq(field(`inputs.${'x'.repeat(3000)}`), literal(1)), 422],
    ['a time that is none', { $gt: [field('started_at'), literal('yesterday')] }, 400],
    ['too deep', nested(60), 422],
    ['more than can be planned', { $or: Array.from({ length: 70 }, () => doubling(20)) }, 422],
    ['a path through too many lists', eq(field(`inputs${'.0'.repeat(17)}`), literal(1)), 422],
    ['too much', { $or: Array.from({ length: 2000 }, () => eq(literal(1), literal(2))) }, 422],
  ]
  it.each(bad)('refuses %s', async (_name, expr, status) => {
    for (const path of ['/calls/stream_query', '/calls/query_stats']) {
      const answer = await service.post(path, { project_id, query: { $expr: expr } })
      expect([answer.status, answer.text]).toEqual([status, answer.text])
      expect(Object.keys(answer.json)).toContain('detail' in answer.json ? 'detail' : 'reason')
    }
  })

  it('takes as much as it allows', async () => {
    expect(await ids(nested(44))).toBe('')
    expect(
      await ids({ $or: Array.from({ length: 200 }, (_, i) => eq(field(`inputs.k${i}`), literal(i))) }),
    ).toBe('')
    expect(
      await ids({ $in: [field('inputs.n'), Array.from({ length: 4000 }, (_, i) => literal(i + 7))] }),
    ).toBe('b c o')
  })

  it('names the place of what is wrong', async () => {
    const query = { $expr: { $and: [eq(field('id'), literal(1)), { $eq: [field('id'), { $getField: 7 }] }] } }
    const { json } = await service.post('/calls/stream_query', { project_id, query })
    expect(json.detail[0].loc).toEqual(['body', 'query', '$expr', '$and', '1', '$eq', '1', '$getField'])
    const other = { $expr: { $and: [{ $xor: [] }] } }
    const { json: second } = await service.post('/calls/stream_query', { project_id, query: other })
    expect(second.detail[0].loc).toEqual(['body', 'query', '$expr', '$and', '0'])
  })

  it('refuses other keys in query', async () => {
    const query = { $expr: eq(literal(1), literal(1)), more: 1 }
    expect((await service.post('/calls/stream_query', { project_id, query })).status).toBe(422)
  })
})

/** Each operand stands twice in what is made of it. */
function doubling(depth: number): object {
  let expr: object = field('inputs.a')
  for (let i = 0; i < depth; i++) expr = { $in: [expr, [field('inputs.a'), field('inputs.b')]] }
  return expr
}

function nested(depth: number): object {
  let expr: object = eq(literal(1), literal(2))
  for (let i = 0; i < depth; i++) expr = { $not: [expr] }
  return { $and: [expr, eq(field('inputs.n'), literal('none'))] }
}
