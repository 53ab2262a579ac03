/** Spans of agents, sent as exporters send them, and what the agents routes make of them. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Api, Row } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { exportRequest, type SpanInput, type Value } from '../support/otlp.js'
import { sharedServer } from '../support/shared-server.js'

let api: Api
beforeAll(async () => {
  api = (await sharedServer()).api
})

const START = 1_780_315_200_000_000_000n
/** A second of {@link START}. */
const at = (second: number) => START + BigInt(Math.round(second * 1e9))
const iso = (second: number) => new Date(Number(at(second) / 1_000_000n)).toISOString().replace('.000Z', 'Z')

const span = (
  traceId: string,
  name: string,
  attributes: Record<string, Value>,
  more: Partial<SpanInput> = {},
): SpanInput => ({
  traceId,
  spanId: hex(8),
  name,
  start: at(0),
  end: at(1),
  attributes,
  ...more,
})

async function send(project: string, spans: SpanInput[], path = '/agents/otel/v1/traces'): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  const answer = await api.send('POST', path, Buffer.from(exportRequest({ spans })), headers)
  expect([answer.status, answer.text]).toEqual([200, ''])
}

/** A conversation of two turns: an agent that asks its model and a tool. */
function conversation(id: string): SpanInput[] {
  const [one, two] = [hex(16), hex(16)]
  const root = span(
    one,
    'invoke_agent Weather',
    { 'gen_ai.conversation.id': id, 'gen_ai.agent.version': '2', 'gen_ai.agent.id': 'w-1' },
    { end: at(4) },
  )
  const child = (
    name: string,
    attributes: Record<string, Value>,
    second: number,
    more: Partial<SpanInput> = {},
  ) =>
    span(one, name, attributes, {
      parentId: root.spanId as string,
      start: at(second),
      end: at(second + 1),
      ...more,
    })
  return [
    root,
    child(
      'chat gpt-4o',
      {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.provider.name': 'OpenAI',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'Is it wet?' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: 'Very.' }] },
        ]),
        'user.tier': 'gold',
        'user.score': 2.5,
        'user.age': 30,
        'user.vip': true,
      },
      1,
    ),
    child(
      'execute_tool rain',
      {
        'gen_ai.tool.name': 'rain',
        'gen_ai.tool.call.arguments': '{"place":"Köln"}',
        'gen_ai.tool.call.result': 'wet',
      },
      2,
      { status: { code: 2, message: 'no umbrella' } },
    ),
    span(
      two,
      'invoke_agent Weather',
      { 'gen_ai.conversation.id': id, 'gen_ai.agent.version': '3' },
      { start: at(60), end: at(62) },
    ),
  ]
}

async function sent(): Promise<string> {
  const project = freshProject()
  const spans = conversation('c1')
  await send(project, spans.slice(0, 2))
  await send(project, spans.slice(2), '/otel/v1/traces')
  return project
}

const ask = (path: string, project: string, more: object = {}) =>
  api.ok(path, { project_id: project, ...more })

describe('agents', () => {
  it('are the sums over the spans that name them, of both doors; a span that is sent again counts once', async () => {
    const project = freshProject()
    const spans = conversation('c1')
    await send(project, spans)
    await send(project, spans, '/otel/v1/traces')
    const { agents, total_count } = (await ask('/agents/query', project)) as {
      agents: Row[]
      total_count: number
    }
    expect(total_count).toBe(1)
    expect(agents).toEqual([
      {
        project_id: project,
        agent_name: 'Weather',
        invocation_count: 2,
        span_count: 2,
        total_input_tokens: 0,
        total_output_tokens: 0,
        total_duration_ms: 6000,
        error_count: 0,
        first_seen: iso(0),
        last_seen: iso(60),
        total_cost_usd: null,
      },
    ])
    const { versions } = (await ask('/agents/agent-versions/query', project, { agent_name: 'Weather' })) as {
      versions: Row[]
    }
    expect(versions.map(({ agent_version, span_count }) => [agent_version, span_count])).toEqual([
      ['3', 1],
      ['2', 1],
    ])
    expect(await ask('/agents/query', project, { limit: 0 })).toEqual({ agents: [], total_count: 1 })
    expect(await ask('/agents/query', freshProject())).toEqual({ agents: [], total_count: 0 })
  })

  it('calls of the SDKs are no spans of agents', async () => {
    const project = freshProject()
    await api.ok('/call/start', {
      start: {
        project_id: project,
        op_name: 'invoke_agent X',
        started_at: iso(0),
        attributes: { gen_ai: { agent: { name: 'X' } } },
        inputs: {},
      },
    })
    expect(await ask('/agents/spans/query', project)).toEqual({ spans: [], groups: [], total_count: 0 })
  })
})

describe('spans', () => {
  it('say what they are, the agent and conversation of their trace where they name none', async () => {
    const project = await sent()
    const { spans, total_count } = (await ask('/agents/spans/query', project, {
      include_details: true,
      custom_attr_columns: [
        { source: 'custom_attrs_string', key: 'user.tier' },
        { source: 'custom_attrs_float', key: 'user.score' },
        { source: 'custom_attrs_int', key: 'user.age' },
        { source: 'custom_attrs_bool', key: 'user.vip' },
      ],
    })) as { spans: Row[]; total_count: number }
    expect(total_count).toBe(4)
    const [, tool, chat] = spans
    expect(chat).toMatchObject({
      span_name: 'chat gpt-4o',
      operation_name: 'chat',
      provider_name: 'openai',
      agent_name: 'Weather',
      agent_version: '2',
      agent_id: 'w-1',
      conversation_id: 'c1',
      input_tokens: 100,
      input_messages: [
        { role: 'user', content: '[{"type": "text", "content": "Is it wet?"}]', finish_reason: '' },
      ],
      custom_attrs_string: { 'user.tier': 'gold' },
      custom_attrs_float: { 'user.score': 2.5 },
      custom_attrs_int: { 'user.age': 30 },
      custom_attrs_bool: { 'user.vip': true },
      status_code: 'UNSET',
    })
    expect(tool).toMatchObject({
      tool_name: 'rain',
      tool_call_arguments: '{"place": "Köln"}',
      tool_call_result: 'wet',
      status_code: 'ERROR',
      status_message: 'no umbrella',
    })
  })

  const eq = (field: string, value: unknown) => ({
    $expr: { $eq: [{ $getField: field }, { $literal: value }] },
  })
  it.each([
    [eq('agent.name', 'Weather'), 4],
    [eq('gen_ai.conversation.id', 'c1'), 4],
    [eq('operation_name', 'chat'), 1],
    [eq('status_code', 'ERROR'), 1],
    [eq('custom_attrs_string.user.tier', 'gold'), 1],
    [eq('custom_attrs_int.user.tier', 3), 0],
    [eq('user.age', 30), 1],
    [eq('user.tier', 'gold'), 1],
    [eq('tool_call_result', 'wet'), 1],
    [eq('span_name', 'chat gpt-4o'), 1],
    [{ $expr: { $gt: [{ $getField: 'duration_ms' }, { $literal: 1500 }] } }, 2],
    [{ $expr: { $gte: [{ $getField: 'started_at' }, { $literal: Number(at(60)) / 1e9 }] } }, 1],
    [{ $expr: { $gte: [{ $getField: 'started_at' }, { $literal: iso(60) }] } }, 1],
    [{ $expr: { $not: [eq('custom_attrs_string.user.tier', 'silver').$expr] } }, 1],
  ])('are searched: %j', async (query, total_count) => {
    const project = await sent()
    expect(await ask('/agents/spans/query', project, { query, limit: 0 })).toMatchObject({ total_count })
  })

  it('are grouped, with measures', async () => {
    const project = await sent()
    const { groups, total_count } = (await ask('/agents/spans/query', project, {
      group_by: [{ key: 'conversation_id' }],
      measures: [
        { alias: 'longest', aggregation: 'max', value: { source: 'derived', key: 'duration_ms' } },
        { alias: 'tiers', aggregation: 'count', value: { source: 'custom_attrs_string', key: 'user.tier' } },
        { alias: 'chats', aggregation: 'count', filter: eq('operation_name', 'chat') },
        {
          alias: 'none',
          aggregation: 'sum',
          value: { key: 'input_tokens' },
          filter: eq('operation_name', 'x'),
        },
      ],
    })) as { groups: Row[]; total_count: number }
    expect(total_count).toBe(1)
    expect(groups[0]).toMatchObject({
      group_keys: { conversation_id: 'c1' },
      span_count: 4,
      invocation_count: 2,
      conversation_count: 1,
      total_input_tokens: 100,
      error_count: 1,
      agent_names: ['Weather'],
      agent_versions: ['2', '3'],
      provider_names: ['openai'],
      request_models: ['gpt-4o'],
      metrics: { longest: 4000, tiers: 1, chats: 1, none: null },
    })
  })
})
