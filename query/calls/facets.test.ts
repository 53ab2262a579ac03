/** Calls counted by values of several fields at once, in the real engine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectIdOf } from '../../platform/ids/project.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'

let service: TestService
const project_id = 'acme/facets'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }

const call = (n: number, more: Partial<TestCall> = {}): TestCall => ({
  id: `c${n}`,
  op_name: n % 2 === 0 ? 'even' : 'odd',
  started_at: `2026-01-01T00:00:0${n}Z`,
  ended_at: new Date(Date.parse(`2026-01-01T00:00:0${n}Z`) + 10 ** n).toISOString(),
  summary: `{"usage":{"${n < 2 ? 'small' : 'large'}":{"input_tokens":${n * 10},"output_tokens":1}}}`,
  ...more,
})

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  await writeCalls(service.store, project_id, [
    call(0, { environment: 'test' }),
    call(1, { environment: 'production', exception: 'no' }),
    call(2, { environment: 'production' }),
    call(3, { summary: '{}' }),
  ])
  await service.store.insertRows('costs', [
    {
      ...{ project_id: projectIdOf(project_id), id: '1', llm_id: 'large', provider_id: 'default' },
      ...{
        prompt: 0.5,
        completion: 3,
        prompt_unit: 'USD',
        completion_unit: 'USD',
        cache_read: 0,
        cache_creation: 0,
      },
      ...{ effective_date: '2025-01-01 00:00:00', created_at: '2025-01-01 00:00:00', created_by: 'user' },
      ...{ deleted: 0, ver: 1 },
    },
  ])
})
afterAll(() => service.stop())

const REACTION = 'feedback.[wandb.reaction.1].payload.emoji'

interface Answer {
  is_partial: boolean
  facets: {
    field: string
    values: { value: string | null; count: number }[]
    ranges: { from: number; to: number; count: number }[]
  }[]
}

const facets = async (body: object) => {
  const { status, json: answer } = await service.post('/calls/facets', { project_id, ...body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer as Answer
}
const is = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})

it('the most frequent values come first, and calls without one are counted, too', async () => {
  const { is_partial, facets: found } = await facets({
    facets: ['environment', 'summary.weave.status', 'summary.weave.model', 'op_name', REACTION].map(
      (field) => ({ field }),
    ),
  })
  expect(is_partial).toBe(false)
  expect(found.map(({ values }) => values.map(({ value, count }) => `${value} ${count}`))).toEqual([
    ['production 2', 'test 1', 'null 1'],
    ['success 3', 'error 1'],
    ['small 2', 'large 1', 'null 1'],
    ['even 2', 'odd 2'],
    ['null 4'],
  ])
})

it('each facet counts the calls of its own condition among those of all', async () => {
  const { facets: found } = await facets({
    query: is('summary.weave.status', 'success'),
    facets: [
      { field: 'environment', limit: 1 },
      { field: 'environment', query: is('op_name', 'odd') },
    ],
  })
  expect(found.map(({ values }) => values)).toEqual([
    [{ value: 'production', count: 1 }],
    [{ value: null, count: 1 }],
  ])
})

it('a range holds the calls that a filter by its ends finds', async () => {
  const field = 'summary.weave.latency_ms'
  const { facets: found } = await facets({
    facets: [
      { field, kind: 'numbers' },
      { field: 'summary.weave.input_tokens', kind: 'numbers' },
    ],
  })
  expect(found[0]!.ranges).toEqual([1, 10, 100, 1000].map((from) => ({ from, to: 2 * from, count: 1 })))
  expect(found[1]!.ranges).toEqual([
    { from: 0, to: 1e-7, count: 1 },
    { from: 10, to: 20, count: 1 },
    { from: 20, to: 50, count: 1 },
  ])
})

it('models, tokens and costs are fields to filter and sort by', async () => {
  const ids = async (body: object) => {
    const { text } = await service.post('/calls/stream_query', { project_id, columns: ['id'], ...body })
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
  }
  expect(await ids({ query: is('summary.weave.model', 'small') })).toEqual(['c0', 'c1'])
  expect(await ids({ query: is('summary.weave.model', null) })).toEqual(['c3'])
  expect(await ids({ query: is('summary.weave.cost', 13) })).toEqual(['c2'])
  const at = { $getField: 'summary.weave.total_tokens' }
  expect(await ids({ query: { $expr: { $gt: [at, { $literal: 10 }] } } })).toEqual(['c1', 'c2'])
  const sort_by = ['summary.weave.cost', 'summary.weave.output_tokens', 'summary.weave.total_tokens'].map(
    (field) => ({
      ...{ field, direction: 'desc' },
    }),
  )
  expect(await ids({ sort_by })).toEqual(['c2', 'c1', 'c0', 'c3'])
  const { facets: found } = await facets({
    query: is('summary.weave.cost', 13),
    facets: [{ field: 'summary.weave.cost', kind: 'numbers', query: is('summary.weave.cost', 13) }],
  })
  expect(found[0]!.ranges).toEqual([{ from: 10, to: 20, count: 1 }])
})

it('a field that does not exist is refused, as in a query', async () => {
  const { status } = await service.post('/calls/facets', { project_id, facets: [{ field: 'nope' }] })
  expect(status).toBe(422)
})
