/** Statistics over the days of a time zone, and at the edges of what may be asked. In the real engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertKey } from '../../domain/auth/key-table.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { callsRoutes } from './routes.js'

let service: TestService
const project_id = 'acme/one'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const call = (started_at: string, more: Partial<TestCall> = {}): TestCall => ({
  id: started_at,
  started_at,
  ended_at: new Date(Date.parse(started_at) + 1500).toISOString(),
  summary: '{"usage":{"m":{"input_tokens":1,"output_tokens":2}}}',
  ...more,
})

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  await writeCalls(service.store, project_id, [
    // Berlin's days around the end of its summer time, 2026-10-25T01:00Z.
    call('2026-10-24T21:59:59.999999Z'),
    call('2026-10-24T22:00:00Z'),
    call('2026-10-25T22:59:59.999999Z'),
    call('2026-10-25T23:00:00Z'),
    // And around its beginning, 2026-03-29T01:00Z.
    call('2026-03-28T22:59:59Z'),
    call('2026-03-28T23:00:00Z'),
    call('2026-03-29T21:59:59Z'),
    call('2026-03-29T22:00:00Z'),
  ])
  await writeCalls(service.store, 'acme/priced', [
    call('2026-01-01T00:00:00Z', {
      summary: `{"usage":{"m":{"input_tokens":10,"output_tokens":2,"cache_read_input_tokens":2,
        "cache_creation_input_tokens":4},"free?":{"input_tokens":1}}}`.replaceAll('\n', ''),
    }),
    call('2026-01-01T00:00:01Z', { summary: '{"usage":{"m":{"prompt_tokens":10}}}' }),
  ])
  const answer = (second: number, environment: string, first_token: number) =>
    call(`2026-01-01T00:00:0${second}Z`, { environment, first_token, prompt_name: 'greet' })
  await writeCalls(service.store, 'acme/labels', [
    answer(1, 'production', 200_500),
    answer(2, 'production', 400_000),
    answer(3, 'staging', 1000),
    // No answer came in parts.
    answer(4, 'production', 0),
  ])
  const usage = (tokens: number) => ({ summary: `{"usage":{"m":{"input_tokens":${tokens}}}}` })
  const ref = (name: string, version: string) => `weave:///acme/grouped/op/${name}:${version}`
  await writeCalls(service.store, 'acme/grouped', [
    call('2026-01-01T00:00:00Z', { op_name: ref('ask%20me', 'v1'), user_id: 'u1', ...usage(1) }),
    call('2026-01-01T00:00:01Z', { op_name: ref('ask%20me', 'v2'), user_id: 'u2', ...usage(1) }),
    call('2026-01-01T01:00:00Z', { op_name: 'ask me', user_id: 'u1', ...usage(1), exception: 'no' }),
    call('2026-01-01T01:00:01Z', { op_name: 'model', user_id: 'u1', ...usage(100) }),
    call('2026-01-01T01:00:02Z', { op_name: 'tool', user_id: 'u1', summary: '{}' }),
    call('2026-01-01T01:00:03Z', { op_name: 'tool', user_id: 'u1', summary: '{}', half: 'start' }),
  ])
  const ann = { hash: 'a'.repeat(64), keyId: 'k', userId: 'u1', username: 'ann', label: '', grants: [] }
  await insertKey(service.store, ann)
  await service.store.insertRows('costs', [
    {
      project_id: projectIdOf('acme/priced'),
      id: '1',
      llm_id: 'm',
      provider_id: 'default',
      effective_date: '2025-01-01 00:00:00',
      prompt: 0.5,
      completion: 3,
      cache_read: 0.25,
      cache_creation: 1,
      prompt_unit: 'USD',
      completion_unit: 'USD',
      created_at: '2025-01-01 00:00:00',
      created_by: 'user',
      deleted: 0,
      ver: 1,
    },
  ])
}, 120_000)
afterAll(() => service?.stop())

const ask = (body: object) =>
  service.post('/calls/stats', { project_id, call_metrics: [{ metric: 'call_count' }], ...body })

interface Bucket {
  timestamp: string
  sum_call_count: number
}
const counts = (buckets: Bucket[]) => buckets.map((one) => [one.timestamp, one.sum_call_count])

it('counts only what a query selects', async () => {
  const asked = (query: object) =>
    service.post('/calls/stats', {
      ...{ project_id: 'acme/grouped', start: '2026-01-01T00:00:00Z', end: '2026-01-01T02:00:00Z' },
      ...{ granularity: 3600, call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }] },
      usage_metrics: [{ metric: 'total_tokens' }],
      query,
    })
  const equal = (name: string, value: string) => ({
    $expr: { $eq: [{ $getField: name }, { $literal: value }] },
  })
  const { json } = await asked(equal('summary.weave.status', 'error'))
  expect(
    json.call_buckets.map((one: Record<string, number>) => [one.sum_call_count, one.sum_error_count]),
  ).toEqual([
    [0, 0],
    [1, 1],
  ])
  const tokens = json.usage_buckets.map((one: Record<string, number>) => one.sum_total_tokens)
  expect(tokens.reduce((sum: number, one: number) => sum + one, 0)).toBe(1)
  expect((await asked(equal('nope', 'x'))).status).toBe(422)
})

describe('statistics by the days of a zone', () => {
  const timezone = 'Europe/Berlin'
  it.each<[string, string, string, [string, number][]]>([
    [
      '25 hours',
      '2026-10-23T22:00:00Z',
      '2026-10-26T23:00:00Z',
      [
        ['2026-10-23T22:00:00Z', 1],
        ['2026-10-24T22:00:00Z', 2],
        ['2026-10-25T23:00:00Z', 1],
      ],
    ],
    [
      '23 hours',
      '2026-03-27T23:00:00Z',
      '2026-03-30T22:00:00Z',
      [
        ['2026-03-27T23:00:00Z', 1],
        ['2026-03-28T23:00:00Z', 2],
        ['2026-03-29T22:00:00Z', 1],
      ],
    ],
  ])('of %s', async (_, start, end, expected) => {
    const { json } = await ask({ start, end, granularity: 86_400, timezone })
    expect(json.timezone).toBe(timezone)
    expect(counts(json.call_buckets)).toEqual(expected)
  })

  it('of a month with 31 of them, one an hour longer', async () => {
    const month = { start: '2026-10-01T00:00:00+02:00', end: '2026-11-01T00:00:00+01:00' }
    const { status, json } = await ask({ ...month, granularity: 86_400, timezone })
    expect(status).toBe(200)
    expect(json.call_buckets).toHaveLength(31)
    expect((await ask({ ...month, end: '2026-11-01T00:00:01+01:00', timezone })).status).toBe(422)
  })

  it('of 31 of them to the microsecond', async () => {
    const start = '2026-01-01T00:00:00.5Z'
    expect((await ask({ start, end: '2026-02-01T00:00:00.5Z' })).status).toBe(200)
    expect((await ask({ start, end: '2026-02-01T00:00:00.500001Z' })).status).toBe(422)
  })

  it('begin with the whole bucket in which the start lies, but count from the start on', async () => {
    const { json } = await ask({
      start: '2026-10-25T22:00:00Z',
      end: '2026-10-25T23:00:01Z',
      granularity: 86_400,
      timezone,
    })
    expect(counts(json.call_buckets)).toEqual([
      ['2026-10-24T22:00:00Z', 1],
      ['2026-10-25T23:00:00Z', 1],
    ])
  })
})

describe('statistics', () => {
  const hour = { start: '2026-10-25T22:00:00Z', end: '2026-10-25T23:00:00Z' }

  it('may have 10,000 buckets and not one more', async () => {
    const end = new Date(Date.parse(hour.start) + 10_000 * 60_000)
    const { status, json } = await ask({ ...hour, end: end.toISOString(), granularity: 60 })
    expect(status).toBe(200)
    expect(json.call_buckets).toHaveLength(10_000)
    end.setMinutes(end.getMinutes() + 1)
    expect((await ask({ ...hour, end: end.toISOString(), granularity: 60 })).status).toBe(422)
  })

  it('end now where no end is given', async () => {
    const { status, json } = await ask({ start: new Date(Date.now() - 3_600_000).toISOString() })
    expect(status).toBe(200)
    expect(Date.parse(json.end)).toBeLessThanOrEqual(Date.now() + 1000)
  })

  it('of no metric are no buckets', async () => {
    const { json } = await ask({ ...hour, call_metrics: null })
    expect([json.usage_buckets, json.call_buckets]).toEqual([[], []])
  })

  it('name percentiles by their number', async () => {
    const { json } = await ask({
      ...hour,
      granularity: 3600,
      usage_metrics: [{ metric: 'total_tokens', aggregations: [], percentiles: [0, 99.9] }],
    })
    expect(json.usage_buckets).toEqual([
      {
        timestamp: '2026-10-25T22:00:00Z',
        model: 'm',
        p0_total_tokens: 3,
        'p99.9_total_tokens': 3,
        count: 1,
      },
    ])
  })

  it('of costs: those of priced models, and null for others', async () => {
    const usage_metrics = ['input_cost', 'output_cost', 'total_cost'].map((metric) => ({
      metric,
      aggregations: ['sum', 'count'],
      percentiles: [50],
    }))
    const day = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', granularity: 86_400 }
    const { json } = await ask({ ...day, usage_metrics, project_id: 'acme/priced' })
    const values = (name: string, sum: number | null, count: number, half: number | null) => ({
      [`sum_${name}`]: sum,
      [`count_${name}`]: count,
      [`p50_${name}`]: half,
    })
    expect(json.usage_buckets).toEqual([
      {
        timestamp: day.start,
        model: 'free?',
        ...values('input_cost', null, 0, null),
        ...values('output_cost', null, 0, null),
        ...values('total_cost', null, 0, null),
        count: 1,
      },
      {
        timestamp: day.start,
        model: 'm',
        // 10 tokens of which 2 were read from a cache and 4 written to it; then 10 plain ones.
        ...values('input_cost', 4 * 0.5 + 2 * 0.25 + 4 * 1 + 10 * 0.5, 2, 5.75),
        ...values('output_cost', 2 * 3, 2, 3),
        ...values('total_cost', 17.5, 2, 8.75),
        count: 2,
      },
    ])
  })

  describe('in groups', () => {
    const asked = {
      project_id: 'acme/grouped',
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T02:00:00Z',
      granularity: 3600,
    }
    const groupsOf = (buckets: Record<string, unknown>[], ...names: string[]) =>
      buckets.map((one) => [
        (Date.parse(String(one.timestamp)) / 3_600_000) % 24,
        one.group,
        ...names.map((name) => one[name]),
      ])

    it('are of all versions of an op; the smaller ones are together', async () => {
      const call_metrics = [
        { metric: 'call_count' },
        { metric: 'error_count' },
        { metric: 'latency_ms', aggregations: ['max'] },
      ]
      const { json } = await ask({ ...asked, call_metrics, group_by: 'op', group_limit: 1 })
      expect(groupsOf(json.call_buckets, 'sum_call_count', 'sum_error_count', 'max_latency_ms')).toEqual([
        [0, 'ask me', 2, 0, 1500],
        [0, null, 0, 0, null],
        [1, 'ask me', 1, 1, 1500],
        [1, null, 3, 0, 1500],
      ])
    })

    it('of usage are those with the most tokens, each with its models', async () => {
      const usage_metrics = [{ metric: 'total_tokens' }]
      const { json } = await ask({ ...asked, usage_metrics, group_by: 'op', group_limit: 1 })
      expect(groupsOf(json.usage_buckets, 'model', 'sum_total_tokens')).toEqual([
        [0, 'model', 'm', 0],
        [0, null, 'm', 2],
        [1, 'model', 'm', 100],
        [1, null, 'm', 1],
      ])
    })

    it('are of environments, with percentiles of the time to the first token', async () => {
      const call_metrics = [{ metric: 'time_to_first_token_ms', aggregations: ['count'], percentiles: [50] }]
      const usage_metrics = [{ metric: 'total_tokens' }]
      const { json } = await ask({
        ...{ ...asked, project_id: 'acme/labels', end: '2026-01-01T01:00:00Z' },
        ...{ call_metrics, usage_metrics, group_by: 'environment' },
      })
      const names = ['count_time_to_first_token_ms', 'p50_time_to_first_token_ms', 'count']
      expect(groupsOf(json.call_buckets, ...names)).toEqual([
        [0, 'production', 2, 300.25, 3],
        [0, 'staging', 1, 1, 1],
      ])
      expect(groupsOf(json.usage_buckets, 'sum_total_tokens')).toEqual([
        [0, 'production', 9],
        [0, 'staging', 3],
      ])
      const field = 'summary.weave.time_to_first_token_ms'
      const { text } = await service.post('/calls/stream_query', {
        project_id: 'acme/labels',
        query: {
          $expr: {
            $and: [
              { $eq: [{ $getField: 'environment' }, { $literal: 'production' }] },
              { $gt: [{ $getField: field }, { $literal: 200 }] },
            ],
          },
        },
        sort_by: [{ field, direction: 'desc' }],
        columns: ['environment', 'prompt_name', 'prompt_version'],
      })
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(
        lines.map((line) => [
          line.summary.weave.time_to_first_token_ms,
          line.environment,
          line.prompt_name,
          line.prompt_version,
        ]),
      ).toEqual([
        [400, 'production', 'greet', null],
        [200.5, 'production', 'greet', null],
      ])
    })

    it('are of users', async () => {
      const { json } = await ask({ ...asked, group_by: 'user' })
      expect(groupsOf(json.call_buckets, 'sum_call_count')).toEqual([
        [0, 'u1', 1],
        [0, 'u2', 1],
        [1, 'u1', 4],
        [1, 'u2', 0],
      ])
      const names = json.call_buckets.map((one: Record<string, unknown>) => one.group_name)
      expect(names).toEqual(['ann', null, 'ann', null])
    })
  })

  it.each([
    ['a distance from UTC', { timezone: '+01:00' }],
    ['no name', { timezone: '' }],
    ['a very long name', { timezone: 'x'.repeat(10_000) }],
    ['more than 31 days', { end: '2026-11-25T22:00:01Z' }],
    ['an end that is the start', { end: hour.start }],
  ])('are refused with %s', async (_, more) => {
    const { status, json } = await ask({ ...hour, ...more })
    expect(status).toBe(422)
    expect(json.detail[0].loc[0]).toBe('body')
  })
})
