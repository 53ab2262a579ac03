/** Contract §2.3: token usage over traces, and buckets of statistics. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { exportRequest, inProject, type SpanInput, type Value } from '../support/otlp.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const project = freshProject()
const usage = (model: string, input: number, output: number) => ({
  usage: { [model]: { prompt_tokens: input, completion_tokens: output, requests: 1 } },
})
const trace = uuid7()
const root = complete(project, { trace_id: trace, started_at: at(0), ended_at: at(4) })
const first = complete(project, {
  trace_id: trace,
  parent_id: root.id,
  started_at: at(1),
  ended_at: at(2),
  summary: usage('m', 10, 5),
})
const below = complete(project, {
  trace_id: trace,
  parent_id: first.id,
  started_at: at(1.5),
  ended_at: at(2),
  summary: usage('m', 1, 1),
})
const other = complete(project, {
  trace_id: trace,
  parent_id: root.id,
  started_at: at(2),
  ended_at: at(3),
  summary: usage('n', 7, 0),
  exception: 'x',
})
const open = complete(project, { trace_id: trace, parent_id: root.id, started_at: at(3) })
const alone = complete(project, { started_at: at(3600), ended_at: at(3602), summary: usage('m', 100, 50) })

beforeAll(async () => {
  server = await sharedServer()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [root, first, below, other, alone] })
  await server.api.ok('/call/start', { start: halves(open).start })
})

describe('trace usage', () => {
  it('is a call’s own and its descendants’', async () => {
    const answer = await server.api.ok('/trace/usage', {
      project_id: project,
      filter: { trace_ids: [trace] },
    })
    const of = answer.call_usage as Record<string, Row>
    expect(of[root.id as string]).toMatchObject({
      m: {
        requests: 2,
        prompt_tokens: 11,
        completion_tokens: 6,
        total_tokens: 17,
        prompt_tokens_total_cost: null,
      },
      n: { requests: 1, prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    })
    expect(of[first.id as string]).toMatchObject({ m: { prompt_tokens: 11 } })
    expect(of[below.id as string]).toMatchObject({ m: { prompt_tokens: 1 } })
    expect(answer.unfinished_call_ids).toEqual([open.id])
  })
})

describe('calls usage', () => {
  it('rolls whole traces up to the given roots', async () => {
    const answer = await server.api.ok('/calls/usage', { project_id: project, call_ids: [root.id, alone.id] })
    const of = answer.call_usage as Record<string, Row>
    expect(of[root.id as string]).toMatchObject({ m: { total_tokens: 17 }, n: { total_tokens: 7 } })
    expect(of[alone.id as string]).toMatchObject({ m: { total_tokens: 150 } })
  })

  it('is an error rather than partial above the limit', async () => {
    const answer = await server.api.post('/calls/usage', {
      project_id: project,
      call_ids: [root.id],
      limit: 2,
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })
})

describe('spans that say twice what was used', () => {
  const START = 1_780_000_000_000_000_000n
  const bothNames = (prompt: number, completion: number) => ({
    'gen_ai.usage.prompt_tokens': prompt,
    'gen_ai.usage.input_tokens': prompt,
    'gen_ai.usage.completion_tokens': completion,
    'gen_ai.usage.output_tokens': completion,
    'gen_ai.usage.total_tokens': prompt + completion,
  })
  /** What the SDK writes on the span of the whole. */
  const whole = (prompt: number, completion: number) => ({
    'ai.model.id': 'gpt-4o',
    'ai.usage.promptTokens': prompt,
    'ai.usage.completionTokens': completion,
  })
  /** And on that of each step. */
  const step = (prompt: number, completion: number) => ({
    ...whole(prompt, completion),
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'openai/gpt-4o-2024-11-20',
    'gen_ai.usage.input_tokens': prompt,
    'gen_ai.usage.output_tokens': completion,
  })
  const agent = { 'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-20250514-v1:0' }

  it.each<[string, string, [string, string | undefined, Record<string, Value>][], number]>([
    [
      'Vercel AI SDK 5',
      'openai/gpt-4o-2024-11-20',
      [
        ['ai.generateText', undefined, whole(22, 6)],
        ['ai.generateText.doGenerate', 'ai.generateText', step(10, 4)],
        ['ai.toolCall', 'ai.generateText', {}],
        ['ai.generateText.doGenerate again', 'ai.generateText', step(22, 6)],
      ],
      32 * 2.5e-6 + 10 * 10e-6,
    ],
    [
      'Strands',
      'us.anthropic.claude-sonnet-4-20250514-v1:0',
      [
        ['invoke_agent', undefined, { ...agent, ...bothNames(32, 10) }],
        ['execute_event_loop_cycle', 'invoke_agent', {}],
        ['chat', 'execute_event_loop_cycle', { ...agent, ...bothNames(10, 4) }],
        ['execute_event_loop_cycle again', 'invoke_agent', {}],
        ['chat again', 'execute_event_loop_cycle again', { ...agent, ...bothNames(22, 6) }],
      ],
      32 * 3e-6 + 10 * 15e-6,
    ],
  ])('%s: are counted and billed once', async (_, model, named, cost) => {
    const project_id = freshProject()
    const ids = new Map(named.map(([name]) => [name, hex(8)]))
    const traceId = hex(16)
    const spans = named.map(([name, parent, attributes]): SpanInput => {
      const id = ids.get(name)!
      return {
        ...{ traceId, spanId: id, name, start: START, end: START + 1_000_000_000n, attributes },
        ...(parent !== undefined && { parentId: ids.get(parent)! }),
      }
    })
    const body = exportRequest({ attributes: inProject(project_id), spans })
    const sent = await server.api.post('/otel/v1/traces', body, { 'content-type': 'application/x-protobuf' })
    expect([sent.status, sent.text]).toEqual([200, ''])
    const root = ids.get(named[0]![0])!
    const answer = await server.api.ok('/calls/usage', { project_id, call_ids: [root], include_costs: true })
    const total = (answer.call_usage as Record<string, Record<string, Row>>)[root]!
    expect(Object.keys(total)).toEqual([model])
    expect(total[model]).toMatchObject({ prompt_tokens: 32, completion_tokens: 10, total_tokens: 42 })
    const { prompt_tokens_total_cost: prompt, completion_tokens_total_cost: completion } = total[model]!
    expect(Number(prompt) + Number(completion)).toBeCloseTo(cost, 12)
  })
})

describe('calls stats', () => {
  const ask = (more: object) => ({
    project_id: project,
    start: at(-3600),
    end: at(7200),
    granularity: 3600,
    ...more,
  })

  it('counts and sums by bucket', async () => {
    const answer = await server.api.ok(
      '/calls/stats',
      ask({
        usage_metrics: [{ metric: 'total_tokens', aggregations: ['sum'] }, { metric: 'input_tokens' }],
        call_metrics: [
          { metric: 'call_count' },
          { metric: 'error_count' },
          { metric: 'latency_ms', aggregations: ['max', 'min'], percentiles: [50] },
        ],
      }),
    )
    expect(answer).toMatchObject({ granularity: 3600, timezone: 'UTC' })
    const bucketOf = (list: unknown, time: string) =>
      (list as Row[]).filter((bucket) => Date.parse(String(bucket.timestamp)) === Date.parse(time))
    expect(bucketOf(answer.call_buckets, at(0))).toMatchObject([
      { sum_call_count: 5, sum_error_count: 1, max_latency_ms: 4000, min_latency_ms: 500 },
    ])
    expect(bucketOf(answer.call_buckets, at(3600))).toMatchObject([
      { sum_call_count: 1, sum_error_count: 0, p50_latency_ms: 2000 },
    ])
    const models = bucketOf(answer.usage_buckets, at(0)).filter((bucket) => bucket.model)
    expect(
      models.map((bucket) => [bucket.model, bucket.sum_total_tokens, bucket.sum_input_tokens]).sort(),
    ).toEqual([
      ['m', 17, 11],
      ['n', 7, 7],
    ])
  })

  it('days follow the time zone, also over a change of the clock', async () => {
    const day = freshProject()
    const batch = ['2026-10-25T00:30:00+02:00', '2026-10-25T23:30:00+01:00', '2026-10-26T00:30:00+01:00'].map(
      (started_at) => complete(day, { started_at, ended_at: '2026-10-27T00:00:00Z' }),
    )
    await server.api.ok(v2(day, 'calls/complete'), { batch })
    const answer = await server.api.ok('/calls/stats', {
      project_id: day,
      start: '2026-10-25T00:00:00+02:00',
      end: '2026-10-27T00:00:00+01:00',
      granularity: 86400,
      timezone: 'Europe/Berlin',
      call_metrics: [{ metric: 'call_count' }],
    })
    const counted = (answer.call_buckets as Row[]).filter((bucket) => Number(bucket.sum_call_count) > 0)
    expect(counted.map((bucket) => [Date.parse(String(bucket.timestamp)), bucket.sum_call_count])).toEqual([
      [Date.parse('2026-10-25T00:00:00+02:00'), 2],
      [Date.parse('2026-10-26T00:00:00+01:00'), 1],
    ])
  })

  it.each([
    ['an unknown zone', { timezone: 'Middle/Earth' }],
    ['more than 31 days', { start: '2026-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
    ['an unknown metric', { call_metrics: [{ metric: 'beauty' }] }],
  ])('refuses %s', async (_name, more) => {
    expect((await server.api.post('/calls/stats', ask(more))).status).toBe(422)
  })
})

describe('an answer that two instrumentations tell of', () => {
  const app = freshProject()
  const traceId = hex(16)
  const ids = [hex(8), hex(8), hex(8)] as const
  const told = {
    'gen_ai.response.id': 'msg_1',
    'gen_ai.response.model': 'claude-x',
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 6,
  }
  const window = { start: at(0), end: at(60) }
  beforeAll(async () => {
    const span = (n: number, name: string, attributes: Record<string, Value>): SpanInput => ({
      ...{ traceId, spanId: ids[n]!, parentId: ids[n - 1] ?? '', name, attributes },
      ...{ start: BigInt(Date.parse(at(1))) * 1_000_000n + BigInt(n) * 1_000_000n },
      end: BigInt(Date.parse(at(3))) * 1_000_000n - BigInt(n) * 1_000_000n,
    })
    const spans = [
      span(0, 'invoke_agent Writer', { 'gen_ai.conversation.id': 'c' }),
      span(1, 'chat by OpenLLMetry', { ...told, 'gen_ai.agent.name': 'Writer' }),
      span(2, 'chat by the SDK', told),
    ]
    await server.api.ok('/cost/create', {
      project_id: app,
      costs: { 'claude-x': { prompt_token_cost: 1, completion_token_cost: 10 } },
    })
    const headers = { 'content-type': 'application/x-protobuf', project_id: app }
    const body = Buffer.from(exportRequest({ spans }))
    expect((await server.api.send('POST', '/otel/v1/traces', body, headers)).status).toBe(200)
  })
  const ask = (path: string, body: object) => server.api.ok(path, { project_id: app, ...body })

  it('costs once in statistics', async () => {
    const metrics = ['total_tokens', 'total_cost'].map((metric) => ({ metric, aggregations: ['sum'] }))
    const { usage_buckets } = await ask('/calls/stats', { ...window, usage_metrics: metrics })
    const rows = usage_buckets as Row[]
    expect(
      rows.map((row) => [row.sum_total_tokens, row.sum_total_cost]).filter(([tokens]) => tokens),
    ).toEqual([[96, 150]])
  })

  it('costs once in the usage of its trace, and of each call above', async () => {
    const { call_usage } = await ask('/calls/usage', { call_ids: [ids[0], ids[1]], include_costs: true })
    for (const one of Object.values(call_usage as Row))
      expect(one).toMatchObject({ 'claude-x': { total_tokens: 96, prompt_tokens_total_cost: 90 } })
  })

  it('costs once for agents, their groups, sums and turns', async () => {
    const { agents } = await ask('/agents/query', { include_costs: true })
    expect(agents).toMatchObject([{ total_input_tokens: 90, total_output_tokens: 6, total_cost_usd: 150 }])
    const input = { alias: 'input', aggregation: 'sum', value: { source: 'field', key: 'input_tokens' } }
    const { groups } = await ask('/agents/spans/query', {
      group_by: [{ source: 'field', key: 'trace_id' }],
      measures: [input],
      include_costs: true,
    })
    expect(groups).toMatchObject([
      { span_count: 3, total_input_tokens: 90, total_cost_usd: 150, metrics: { input: 90 } },
    ])
    const turn = await ask('/agents/traces/chat', { trace_id: traceId })
    expect(turn).toMatchObject({ total_input_tokens: 90, total_output_tokens: 6, total_cost_usd: 150 })
  })

  it('is shown with what it used by each span that tells of it', async () => {
    const calls = await server.api.calls(app)
    expect(calls.map(({ summary }) => (summary as Row).usage !== undefined)).toEqual([false, true, true])
    const { spans } = await ask('/agents/spans/query', {})
    expect((spans as Row[]).map((span) => span.input_tokens).sort()).toEqual([0, 90, 90])
  })
})
