import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, shippedMigrations } from '../../platform/clickhouse/migrate.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { usageRoutes } from './routes.js'

const project_id = 'acme/one'
const limits = { seconds: 30, memoryBytes: 2 ** 30, readBytes: 2 ** 40 }
let service: TestService
beforeAll(async () => {
  service = await startService((store) => usageRoutes({ store, limits }))
  await migrate(service.store, { migrations: shippedMigrations() })
  await writeCalls(service.store, project_id, [...CALLS, ...LARGE])
  await writeCalls(service.store, 'acme/two', [call('root', { summary: used({ m: { requests: 50 } }) })])
  await service.store.insertRows('costs', [
    price({ id: '1', llm_id: 'm', prompt: 0.5, completion: 2, cache_read: 0.25, cache_creation: 4 }),
    price({ id: '2', llm_id: 'n', prompt: 3, project_id: projectIdOf('acme/two') }),
  ])
}, 120_000)
afterAll(() => service.stop())

const used = (usage: object) => JSON.stringify({ status_counts: { success: 1 }, usage })
const call = (id: string, more: Partial<TestCall> = {}): TestCall => ({
  id,
  trace_id: 'one',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
  ...more,
})
const start = (id: string, parent_id: string): TestCall => ({
  id,
  trace_id: 'one',
  parent_id,
  started_at: '2026-01-01T00:00:00Z',
  half: 'start',
})
const CALLS: TestCall[] = [
  call('root', { summary: used({ m: { requests: 1, prompt_tokens: 10, completion_tokens: 1 } }) }),
  call('left', {
    parent_id: 'root',
    summary: used({ n: { requests: 1, input_tokens: 7, total_tokens: 9 } }),
  }),
  call('leaf', {
    parent_id: 'left',
    summary: used({ m: { requests: 2, input_tokens: 8, output_tokens: 3, cache_read_input_tokens: 2 } }),
  }),
  start('open', 'left'),
  start('also open', 'root'),
  // Its end came, but its start is still there for a moment.
  start('leaf', 'left'),
  // An end without a start is not to be seen.
  call('end', { parent_id: 'root', half: 'end', summary: used({ m: { requests: 100 } }) }),
  call('circle a', { trace_id: 'circle', parent_id: 'circle b', summary: used({ m: { requests: 1 } }) }),
  call('circle b', { trace_id: 'circle', parent_id: 'circle a', summary: used({ m: { requests: 2 } }) }),
  // By another clock, an hour early.
  call('early root', { trace_id: 'early', summary: used({ m: { requests: 1 } }) }),
  call('early', {
    ...{ trace_id: 'early', parent_id: 'early root', started_at: '2025-12-31T23:00:00Z' },
    summary: used({ m: { requests: 4 } }),
  }),
  call('old', { trace_id: 'old', started_at: '1960-01-01T00:00:00Z', summary: used({ m: { requests: 6 } }) }),
  call('orphan', { trace_id: 'orphan', parent_id: 'nowhere', summary: '{"usage":[1]}' }),
]

/** Numbers that no reader of 64 bits takes: beside the usage of one, and in that of the other. */
const LARGE: TestCall[] = [
  call('above', {
    trace_id: 'large',
    summary: '{"large":[123456789012345678901234567890,1e999],"usage":{"m:1":{"prompt_tokens":5}}}',
  }),
  call('below', {
    trace_id: 'large',
    parent_id: 'above',
    summary: '{"usage":{"m":{"requests":99999999999999999999,"prompt_tokens":6,"output_tokens":1}}}',
  }),
]

const price = (more: object) => ({
  project_id: projectIdOf(project_id),
  provider_id: 'default',
  effective_date: '2025-01-01 00:00:00',
  completion: 0,
  cache_read: 0,
  cache_creation: 0,
  prompt_unit: 'USD',
  completion_unit: 'USD',
  created_at: '2025-01-01 00:00:00',
  created_by: '',
  deleted: 0,
  ver: 1,
  ...more,
})

const NONE = {
  requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  prompt_tokens_total_cost: null,
  completion_tokens_total_cost: null,
  cache_read_input_tokens_total_cost: null,
  cache_creation_input_tokens_total_cost: null,
}
const of = (more: object) => ({ ...NONE, ...more })
const N = of({ requests: 1, prompt_tokens: 7, total_tokens: 9 })
const LEAF = of({
  requests: 2,
  prompt_tokens: 8,
  completion_tokens: 3,
  total_tokens: 11,
  cache_read_input_tokens: 2,
})
const ROOT = of({
  requests: 3,
  prompt_tokens: 18,
  completion_tokens: 4,
  total_tokens: 22,
  cache_read_input_tokens: 2,
})
const LEAF_COSTS = {
  prompt_tokens_total_cost: 3,
  completion_tokens_total_cost: 6,
  cache_read_input_tokens_total_cost: 0.5,
  cache_creation_input_tokens_total_cost: 0,
}
const BELOW = of({
  ...{ prompt_tokens: 6, completion_tokens: 1, total_tokens: 7 },
  ...{ prompt_tokens_total_cost: 3, completion_tokens_total_cost: 2 },
  ...{ cache_read_input_tokens_total_cost: 0, cache_creation_input_tokens_total_cost: 0 },
})
const ROOT_COSTS = { ...LEAF_COSTS, prompt_tokens_total_cost: 8, completion_tokens_total_cost: 8 }
const WHOLE = { root: { m: ROOT, n: N }, left: { m: LEAF, n: N }, leaf: { m: LEAF } }
const OPEN = ['also open', 'open']

describe('usage of a set', () => {
  const ask = (body: object) => service.post('/trace/usage', { project_id, ...body })
  const inTrace = { filter: { trace_ids: ['one'] } }

  it.each([
    ['a trace', inTrace, { ...WHOLE, open: {}, 'also open': {} }, OPEN],
    [
      'costs, where there is a price',
      { ...inTrace, include_costs: true },
      {
        root: { m: { ...ROOT, ...ROOT_COSTS }, n: N },
        left: { m: { ...LEAF, ...LEAF_COSTS }, n: N },
        leaf: { m: { ...LEAF, ...LEAF_COSTS } },
        open: {},
        'also open': {},
      },
      OPEN,
    ],
    [
      'no descendants from outside the set',
      { filter: { call_ids: ['root', 'leaf'] } },
      {
        root: { m: of({ requests: 1, prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 }) },
        leaf: { m: LEAF },
      },
      [],
    ],
    [
      'a query',
      { query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'leaf' }] } } },
      { leaf: { m: LEAF } },
      [],
    ],
    [
      'a circle',
      { filter: { trace_ids: ['circle'] } },
      { 'circle a': { m: of({ requests: 3 }) }, 'circle b': { m: of({ requests: 3 }) } },
      [],
    ],
    [
      'numbers beyond 64 bits, which count for nothing and hide nothing',
      { filter: { trace_ids: ['large'] }, include_costs: true },
      {
        above: { 'm:1': of({ prompt_tokens: 5, total_tokens: 5 }), m: BELOW },
        below: { m: BELOW },
      },
      [],
    ],
    ['a parent that there is not', { filter: { trace_ids: ['orphan'] } }, { orphan: {} }, []],
    ['nothing', { filter: { trace_ids: ['nothing'] }, include_costs: true }, {}, []],
    ['as many calls as the limit', { ...inTrace, limit: 5 }, { ...WHOLE, open: {}, 'also open': {} }, OPEN],
  ])('%s', async (_name, body, call_usage, unfinished_call_ids) => {
    expect((await ask(body)).json).toEqual({ call_usage, unfinished_call_ids })
  })

  it.each([
    [
      { ...inTrace, limit: 4 },
      400,
      'More than 4 calls match; narrow the filter or raise limit, 100000 at most.',
    ],
    [{ query: { $expr: { $eq: [{ $getField: 'x' }, { $literal: 1 }] } } }, 422, 'Unknown field: "x"'],
  ])('%j is refused', async (body, status, reason) => {
    const answer = await ask(body)
    expect(answer.status).toBe(status)
    expect(answer.json.reason).toContain(reason)
  })
})

describe('usage of calls', () => {
  const ask = (body: object) => service.post('/calls/usage', { project_id, ...body })

  it.each([
    ['a root', { call_ids: ['root'] }, { root: WHOLE.root }, OPEN],
    ['a call that is none', { call_ids: ['left'] }, { left: WHOLE.left }, OPEN],
    [
      'several, of which one is unknown',
      { call_ids: ['root', 'leaf', 'nothing', 'root', 'orphan'] },
      { root: WHOLE.root, leaf: WHOLE.leaf, nothing: {}, orphan: {} },
      OPEN,
    ],
    [
      'costs',
      { call_ids: ['root'], include_costs: true },
      { root: { m: { ...ROOT, ...ROOT_COSTS }, n: N } },
      OPEN,
    ],
    [
      'what began early by another clock',
      { call_ids: ['early root'] },
      { 'early root': { m: of({ requests: 5 }) } },
      [],
    ],
    ['before 1970', { call_ids: ['old'] }, { old: { m: of({ requests: 6 }) } }, []],
    ['a circle', { call_ids: ['circle a'] }, { 'circle a': { m: of({ requests: 3 }) } }, []],
    ['none', { call_ids: [] }, {}, []],
    ['as many calls as the limit', { call_ids: ['root'], limit: 5 }, { root: WHOLE.root }, OPEN],
  ])('%s', async (_name, body, call_usage, unfinished_call_ids) => {
    expect((await ask(body)).json).toEqual({ call_usage, unfinished_call_ids })
  })

  it.each([
    [
      { call_ids: ['root'], limit: 4 },
      'The traces of these calls have more than 4 calls; send fewer ids or raise limit, 100000 at most.',
    ],
    [
      { call_ids: Array.from({ length: 1001 }, (_, i) => `${i}`) },
      'call_ids has 1001 values; send at most 1000.',
    ],
  ])('too much is refused', async (body, reason) => {
    const answer = await ask(body)
    expect([answer.status, answer.json.reason]).toEqual([400, reason])
  })
})
