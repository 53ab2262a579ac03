/** Contract §2.2: `$expr` over calls that came in through the service: an expression, and the calls that match. */
import { beforeAll, describe, expect, it } from 'vitest'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const project = freshProject()
const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })

const calls = {
  a: {
    inputs: {
      n: 5,
      f: 5.0,
      text: 'Hello World',
      flag: true,
      list: [{ k: 'zero' }, { k: 'one' }],
      'do.t': 'dotted',
      nul: null,
    },
  },
  b: {
    inputs: { n: 10, text: 'hello there', flag: false, list: [] },
    output: 'plain',
    exception: 'Boom: no',
  },
  c: {
    inputs: { n: '10', text: '' },
    output: { deep: { er: 'x' } },
    op_name: 'weave:///acme/p/op/o:1',
    wb_run_id: 'r1',
  },
  d: {
    inputs: { n: 2, f: 2.5, 'a"b\'c': 'quote', text: "it's %_\\ 'q'" },
    display_name: 'shown',
    thread_id: 't',
    attributes: { env: 'prod' },
  },
}
const ids = new Map<string, string>()

beforeAll(async () => {
  server = await sharedServer()
  const batch = Object.entries(calls).map(([name, more], index) => {
    const made = complete(project, { started_at: at(index), ended_at: at(index + 1 + index), ...more })
    ids.set(String(made.id), name)
    return made
  })
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  const open = complete(project, { started_at: at(9), inputs: { n: 7 } })
  ids.set(String(open.id), 'open')
  await server.api.ok('/call/start', { start: halves(open).start })
})

const eq = (a: unknown, b: unknown) => ({ $eq: [a, b] })
/** Those that depend on how a call was written: every operator is tried beside the compiler, in query/expr. */
const cases: [string, object, string][] = [
  ['number equals number, as text too', eq(field('inputs.n'), literal(10)), 'b c'],
  ['a whole float reads as an int', eq(field('inputs.f'), literal('5')), 'a'],
  ['hostile text', eq(field('inputs.text'), literal("it's %_\\ 'q'")), 'd'],
  ['bool', eq(field('inputs.flag'), literal(true)), 'a'],
  ['list index', eq(field('inputs.list.1.k'), literal('one')), 'a'],
  ['escaped dot', eq(field('inputs.do\\.t'), literal('dotted')), 'a'],
  ['quotes in a key', eq(field('inputs.a"b\'c'), literal('quote')), 'd'],
  ['an object reads as minified JSON', eq(field('inputs.list.0'), literal('{"k":"zero"}')), 'a'],
  ['missing equals empty text', eq(field('inputs.text'), literal('')), 'c open'],
  ['JSON null equals empty text', eq(field('inputs.nul'), literal('')), 'a b c d open'],
  ['not', { $not: [eq(field('inputs.n'), literal(10))] }, 'a d open'],
  [
    'contains, any case',
    { $contains: { input: field('inputs.text'), substr: literal('hELLo'), case_insensitive: true } },
    'a b',
  ],
  ['in, text', { $in: [field('inputs.text'), [literal('hello there'), literal('x')]] }, 'b'],
  [
    'and',
    { $and: [{ $gt: [field('inputs.n'), literal(3)] }, { $lt: [field('inputs.n'), literal(9)] }] },
    'a open',
  ],
  ['output path', eq(field('output.deep.er'), literal('x')), 'c'],
  ['attributes path', eq(field('attributes.env'), literal('prod')), 'd'],
  ['not null column', { $not: [eq(field('exception'), literal(null))] }, 'b'],
  ['open calls', eq(field('ended_at'), literal(null)), 'open'],
  ['run, the neutral name', eq(field('platform_run_id'), literal('r1')), 'c'],
  [
    'started after, unix seconds',
    { $gte: [field('started_at'), literal(Date.parse(at(2)) / 1000)] },
    'c d open',
  ],
  ['latency', { $gte: [field('summary.weave.latency_ms'), literal(3000)] }, 'c d'],
  [
    'a conversion that fails never matches',
    { $not: [{ $gt: [{ $convert: { input: field('inputs.text'), to: 'double' } }, literal(0)] }] },
    '',
  ],
]

describe('$expr', () => {
  it.each(cases)('%s', async (_name, expr, expected) => {
    const rows = await server.api.calls(project, { query: { $expr: expr } })
    expect(rows.map((row) => ids.get(String(row.id))).join(' ')).toBe(expected)
    expect(await server.api.count(project, { query: { $expr: expr } })).toBe(rows.length)
  })

  it.each(cases.slice(0, 12))('with a filter and a sort: %s', async (_name, expr, expected) => {
    const rows = await server.api.calls(project, {
      query: { $expr: expr },
      filter: { trace_roots_only: true },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: 2,
    })
    const wanted = expected.split(' ').filter(Boolean).reverse().slice(0, 2)
    expect(rows.map((row) => ids.get(String(row.id)))).toEqual(wanted)
  })

  const bad: [string, unknown, number][] = [
    ['a bare operand', { $getField: 'id' }, 422],
    ['a bare literal', { $literal: 1 }, 422],
    ['an unknown operator', { $ne: [literal(1), literal(2)] }, 422],
    ['an empty and', { $and: [] }, 400],
    ['an empty or', { $or: [] }, 400],
    ['one operand', { $eq: [literal(1)] }, 422],
    ['three operands', { $eq: [literal(1), literal(1), literal(1)] }, 422],
    ['a list instead of an object', [], 422],
    ['a text', 'true', 422],
    ['null', null, 422],
    ['an unknown column', eq(field('nonsense'), literal(1)), 422],
    ['an unknown conversion', eq({ $convert: { input: field('id'), to: 'blob' } }, literal(1)), 422],
    ['SQL as a column', eq(field("id'; DROP TABLE calls; --"), literal(1)), 422],
    ['an empty field', eq(field(''), literal(1)), 422],
  ]
  it.each(bad)('refuses %s', async (_name, expr, status) => {
    for (const path of ['/calls/stream_query', '/calls/query_stats']) {
      const answer = await server.api.post(path, { project_id: project, query: { $expr: expr } })
      expect([answer.status, answer.text]).toEqual([status, answer.text])
      expect(Object.keys(JSON.parse(answer.text))).toContain(
        'detail' in JSON.parse(answer.text) ? 'detail' : 'reason',
      )
    }
  })

  it('refuses other keys in query', async () => {
    const query = { $expr: eq(literal(1), literal(1)), more: 1 }
    expect((await server.api.post('/calls/stream_query', { project_id: project, query })).status).toBe(422)
  })

  it('finds a leaf in a large value and in one with many leaves', async () => {
    const target = freshProject()
    const leaves = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, `v${n}`]))
    const made = complete(target, { inputs: { ...leaves, long: 'x'.repeat(100_000), last: uuid7() } })
    await server.api.ok(v2(target, 'calls/complete'), { batch: [made, complete(target)] })
    for (const key of ['k0', 'k1999', 'long', 'last']) {
      const value = (made.inputs as Record<string, string>)[key]
      const query = { $expr: eq(field(`inputs.${key}`), literal(value)) }
      expect((await server.api.calls(target, { query })).map((row) => row.id)).toEqual([made.id])
    }
  })
})
