/** Metrics of Langfuse's SDKs over a real store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../../cli/serve/reads.js'
import type { LangfuseDay } from '../../../contract/langfuse-metrics.js'
import { type TestCall, writeCalls } from '../../../query/testing/calls.js'
import { startService, type TestService } from '../../../query/testing/service.js'
import { type Source, sourceOf } from './source.js'

let service: TestService
const project = 'acme/one'
const authorization = `Basic ${Buffer.from(`${project}:all`).toString('base64')}`

const DAY = '2026-03-01'
/** A call of the trace `t<n>`; its root is named `turn`, its other call asks a model. */
const span = (id: string, trace: number, langfuse: object, more: Partial<TestCall>): TestCall => ({
  ...{
    id,
    trace_id: `t${trace}`,
    started_at: `${DAY}T0${trace}:00:00Z`,
    ended_at: `${DAY}T0${trace}:00:02Z`,
  },
  ...{ op_name: 'turn', attributes: '{"kind":"span","user_id":"ann"}' },
  otel_span: JSON.stringify({ attributes: { langfuse } }),
  ...more,
})
const root = (trace: number, environment: string) =>
  span(`r${trace}`, trace, { environment, trace: { tags: ['blue', `n${trace}`] } }, { thread_id: 's1' })
const ask = (trace: number, tokens: number) =>
  span(
    `a${trace}`,
    trace,
    {
      observation: {
        ...{ metadata: { shop: trace }, prompt: { name: 'greet' } },
        completion_start_time: `"${DAY}T0${trace}:00:00.500Z"`,
      },
    },
    {
      ...{ parent_id: `r${trace}`, op_name: 'ask', attributes: '{"kind":"generation","model":"gpt-4o"}' },
      summary: JSON.stringify({
        usage: { 'gpt-4o': { requests: 1, input_tokens: tokens, output_tokens: 1000 } },
      }),
      ...(trace === 2 && { exception: 'boom' }),
    },
  )

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '1' }).routes)
  await writeCalls(service.store, project, [root(1, 'prod'), ask(1, 1000), root(2, 'test'), ask(2, 3000)])
  await service.post('/cost/create', {
    project_id: project,
    costs: { 'gpt-4o': { prompt_token_cost: 0.001, completion_token_cost: 0.01 } },
  })
  const scores = [
    { name: 'good', value: 1, traceId: 't1', dataType: 'BOOLEAN' },
    { name: 'good', value: 0, traceId: 't2', dataType: 'BOOLEAN' },
    { name: 'tone', value: 'warm', traceId: 't2', observationId: 'a2' },
    { name: 'mark', value: 4, sessionId: 's1' },
  ].map((score) => ({ ...score, timestamp: `${DAY}T05:00:00Z` }))
  await service.send('POST', '/api/public/scores', scores, { authorization })
}, 120_000)
afterAll(() => service?.stop())

const range = { fromTimestamp: `${DAY}T00:00:00Z`, toTimestamp: '2026-03-02T00:00:00Z' }
const get = (path: string) => service.send('GET', `/api/public/${path}`, undefined, { authorization })
const ask1 = (path: string, query: object) =>
  get(`${path}?query=${encodeURIComponent(JSON.stringify({ ...range, ...query }))}`)
const asked = async (query: object, path = 'metrics') => {
  const answer = await ask1(path, query)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json.data
}
const metric = (measure: string, aggregation: string) => ({ measure, aggregation })
const by = (...fields: string[]) => fields.map((field) => ({ field }))
const filter = (column: string, operator: string, value: unknown, more = {}) => ({
  filters: [{ column, operator, value, ...more }],
})
const count = { view: 'observations', metrics: [metric('count', 'count')] }

describe('sums', () => {
  it('of observations, by model', async () => {
    const metrics = [
      ...[metric('totalCost', 'sum'), metric('inputCost', 'sum'), metric('totalTokens', 'avg')],
      ...[metric('latency', 'p95'), metric('timeToFirstToken', 'max'), metric('streamingLatency', 'min')],
    ]
    const dimensions = by('providedModelName')
    const query = {
      view: 'observations',
      metrics,
      dimensions,
      orderBy: [{ field: 'sum_totalCost', direction: 'desc' }],
    }
    const rows = [
      {
        ...{ providedModelName: 'gpt-4o', sum_totalCost: 24, sum_inputCost: 4, avg_totalTokens: 3000 },
        ...{ p95_latency: 2000, max_timeToFirstToken: 500, min_streamingLatency: 1500 },
      },
      {
        ...{ providedModelName: null, sum_totalCost: 0, sum_inputCost: 0, avg_totalTokens: 0 },
        ...{ p95_latency: 2000, max_timeToFirstToken: null, min_streamingLatency: null },
      },
    ]
    expect(await asked(query)).toEqual(rows)
    expect(await asked(query, 'v2/metrics')).toEqual(rows)
  })

  it('of traces, by hour', async () => {
    const metrics = [
      ...[metric('count', 'count'), metric('observationsCount', 'sum'), metric('scoresCount', 'sum')],
      ...[metric('totalTokens', 'sum'), metric('totalCost', 'sum')],
    ]
    const timeDimension = { granularity: 'hour' }
    expect(await asked({ view: 'traces', metrics, timeDimension, dimensions: by('name') })).toEqual(
      [2000, 4000].map((tokens, i) => ({
        ...{ time_dimension: `${DAY}T0${i + 1}:00:00.000Z`, name: 'turn', count_count: 1 },
        ...{ sum_observationsCount: 2, sum_scoresCount: i + 1, sum_totalTokens: tokens },
        sum_totalCost: i === 0 ? 11 : 13,
      })),
    )
  })

  it('of scores', async () => {
    const value = [metric('value', 'avg'), metric('count', 'count')]
    const dimensions = by('name')
    expect(await asked({ view: 'scores-numeric', metrics: value, dimensions })).toEqual([
      { name: 'mark', avg_value: 4, count_count: 1 },
      { name: 'good', avg_value: 0.5, count_count: 2 },
    ])
    expect(await asked({ view: 'scores-boolean', metrics: value })).toEqual([
      { avg_value: 0.5, count_count: 2 },
    ])
    const words = {
      view: 'scores-categorical',
      metrics: [metric('count', 'count')],
      dimensions: by('stringValue'),
    }
    expect(await asked(words)).toEqual([{ stringValue: 'warm', count_count: 1 }])
  })

  it('by day, as older SDKs ask', async () => {
    const usage = {
      ...{ model: 'gpt-4o', inputUsage: 4000, outputUsage: 2000, totalUsage: 6000 },
      ...{ countTraces: 2, countObservations: 2, totalCost: 24 },
    }
    const none = { ...usage, model: null, inputUsage: 0, outputUsage: 0, totalUsage: 0, totalCost: 0 }
    const day = { date: DAY, countTraces: 2, countObservations: 4, totalCost: 24, usage: [usage, none] }
    expect((await get('metrics/daily')).json).toEqual({
      data: [day],
      meta: { page: 1, limit: 50, totalItems: 1, totalPages: 1 },
    })
    const some = (await get('metrics/daily?traceName=turn&userId=ann&tags=n1&tags=blue')).json.data
    expect(some).toMatchObject([{ countTraces: 1, countObservations: 2 }])
    expect((await get('metrics/daily?environment=test')).json.data).toMatchObject([{ countObservations: 1 }])
    expect((await get('metrics/daily?userId=bob')).json.data).toEqual([])
  })
})

it('pages of days; the trace of an observation may have begun the day before', async () => {
  const days = 'acme/days'
  const at = (id: string, trace: string, start: string, parent_id = ''): TestCall => ({
    ...{ id, trace_id: trace, parent_id, op_name: parent_id ? 'ask' : trace },
    ...{ started_at: `2026-03-0${start}Z`, ended_at: `2026-03-0${start}Z` },
  })
  await writeCalls(service.store, days, [
    at('a', 'first', '1T10:00:00'),
    at('b', 'late', '2T23:59:59'),
    at('c', 'late', '3T00:00:01', 'b'),
    at('d', 'other', '3T12:00:00'),
    at('e', 'last', '5T00:00:00'),
  ])
  const page = async (query: string) => {
    const headers = { authorization: `Basic ${Buffer.from(`${days}:all`).toString('base64')}` }
    const { json } = await service.send('GET', `/api/public/metrics/daily?${query}`, undefined, headers)
    return json.data
      .map((day: LangfuseDay) => `${day.date} ${day.countTraces} ${day.countObservations}`)
      .concat(json.meta.totalItems)
  }
  expect(await page('limit=2')).toEqual(['2026-03-05 1 1', '2026-03-03 2 2', 4])
  expect(await page('limit=2&page=2')).toEqual(['2026-03-02 1 1', '2026-03-01 1 1', 4])
  expect(await page('limit=2&page=3')).toEqual([4])
  expect(await page('limit=1&traceName=late')).toEqual(['2026-03-03 1 1', 2])
  const range = 'fromTimestamp=2026-03-03T06:00:00Z&toTimestamp=2026-03-05T00:00:00Z'
  expect(await page(`${range}&limit=1`)).toEqual(['2026-03-03 1 1', 1])
})

it.each([
  ['a name', filter('name', '=', 'ask', { type: 'string' }), 2],
  ['parts of one', filter('name', 'contains', 'sk'), 2],
  ['not those', filter('name', 'none of', ['ask'], { type: 'stringOptions' }), 2],
  ['an environment', filter('environment', 'any of', ['default'], { type: 'stringOptions' }), 2],
  ['an error', filter('level', '=', 'ERROR'), 1],
  ['tags', filter('tags', 'all of', ['blue', 'n2'], { type: 'arrayOptions' }), 1],
  ['tokens', filter('totalTokens', '>=', 4000, { type: 'number' }), 1],
  ['roots', filter('isRootObservation', '=', true, { type: 'boolean' }), 2],
  ['metadata', filter('metadata', '=', '2', { type: 'stringObject', key: 'shop' }), 1],
  ['a number in it', filter('metadata', '<', 2, { type: 'numberObject', key: 'shop' }), 1],
  ['what is not there', filter('promptName', 'is null', null, { type: 'null' }), 2],
  ['a time', filter('startTime', '>', `${DAY}T01:30:00Z`, { type: 'datetime' }), 2],
])('filters by %s', async (_, filters, expected) => {
  expect(await asked({ ...count, ...filters })).toEqual([{ count_count: expected }])
})

it.each([
  ['another view', { view: 'sessions', metrics: [metric('count', 'count')] }, 'query.view'],
  ['no metrics', { view: 'traces', metrics: [] }, 'query.metrics'],
  ['another measure', { ...count, metrics: [metric('love', 'sum')] }, 'use one of count, latency'],
  ['another dimension', { ...count, dimensions: by('color') }, 'is no dimension; use one of id,'],
  ['another column', { ...count, ...filter('color', '=', 'x') }, 'no column "color"'],
  ['another operator', { ...count, ...filter('name', 'all of', ['x']) }, 'no operator "all of"'],
  ['a text for a number', { ...count, ...filter('latency', '>', 'x') }, 'should be a number'],
  ['metadata without a key', { ...count, ...filter('metadata', '=', 'x') }, 'needs a key'],
  ['another order', { ...count, orderBy: [{ field: 'name', direction: 'asc' }] }, 'orderBy has "name"'],
  ['an empty range', { ...count, toTimestamp: range.fromTimestamp }, 'after fromTimestamp'],
])('refuses %s, and says why', async (_, query, reason) => {
  const answer = await ask1('metrics', query)
  expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(reason)])
})

it('version 2 groups by no id, and knows no traces', async () => {
  const refused = await ask1('v2/metrics', { ...count, dimensions: by('userId') })
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining("can't group")])
  expect((await ask1('v2/metrics', { ...count, view: 'traces' })).status).toBe(400)
  expect((await get('metrics?query=x')).status).toBe(400)
})

it.each(['observations', 'traces', 'scores-numeric', 'scores-boolean', 'scores-categorical'] as const)(
  'takes every dimension, measure and aggregation of %s',
  async (view) => {
    const { columns, measures }: Source = sourceOf(view, {
      project,
      from: range.fromTimestamp,
      to: range.toTimestamp,
    })
    const dimensions = [...columns].flatMap(([field, { type }]) =>
      type === 'time' || type === 'content' ? [] : [field],
    )
    for (let i = 0; i < dimensions.length; i += 10) {
      const some = by(...dimensions.slice(i, i + 10))
      expect(
        (await asked({ view, metrics: [metric('count', 'count')], dimensions: some })).length,
      ).toBeGreaterThan(0)
    }
    const all = ['sum', 'avg', 'count', 'max', 'min', 'p50', 'p75', 'p90', 'p95', 'p99', 'histogram']
    const metrics = [...measures.keys()].map((name, i) => metric(name, all[i % all.length]!))
    expect((await asked({ view, metrics, timeDimension: { granularity: 'auto' } })).length).toBeGreaterThan(0)
    expect(await asked({ view, metrics: all.map((one) => metric('count', one)) })).toHaveLength(1)
  },
)
