/** Spans of agents, sent as exporters send them, and what the agents routes make of them. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Api, Row } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { exportRequest, type SpanInput, type Value } from '../support/otlp.js'
import { runPython } from '../support/program.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'

let server: SharedServer
let api: Api
beforeAll(async () => {
  server = await sharedServer()
  api = server.api
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

  it.each<[string, Record<string, Value>, Partial<SpanInput>?]>([
    ['as usual', { 'gen_ai.input.messages': 'Wet?', 'gen_ai.output.messages': 'Very.' }],
    [
      'beside a value of its parent',
      { 'gen_ai.input': 'a', 'gen_ai.input.messages': 'Wet?', 'gen_ai.completion': 'Very.' },
    ],
    ['in numbered messages', { 'gen_ai.prompt.0.content': 'Wet?', 'gen_ai.completion.0.content': 'Very.' }],
    [
      'in an event',
      { 'gen_ai.prompt': 'Wet?', 'output.value': 'Rain.' },
      { events: [{ name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'Very.' } }] },
    ],
  ])('are grouped with the first and the last message, said %s', async (_, attributes, more) => {
    const project = freshProject()
    await send(project, [span(hex(16), 'chat', { 'gen_ai.conversation.id': 'c', ...attributes }, more)])
    const { groups } = (await ask('/agents/spans/query', project, {
      group_by: [{ key: 'conversation_id' }],
      include_message_preview: true,
    })) as { groups: Row[] }
    expect(groups).toMatchObject([{ first_message: { text: 'Wet?' }, last_message: { text: 'Very.' } }])
  })
})

describe('statistics', () => {
  const window = { start: iso(0), end: iso(120) }

  it('are by time, every bucket listed', async () => {
    const project = await sent()
    const { rows, columns } = (await ask('/agents/spans/stats', project, {
      ...window,
      granularity: 60,
      metrics: [
        {
          alias: 'took',
          value_type: 'number',
          value: { source: 'derived', key: 'duration_ms' },
          aggregations: ['avg', 'count'],
          percentiles: [50, 99.5],
        },
        {
          alias: 'errors',
          value_type: 'boolean',
          value: { source: 'derived', key: 'is_error' },
          aggregations: ['count_true'],
        },
      ],
    })) as { rows: Row[]; columns: Row[] }
    expect(rows).toEqual([
      {
        timestamp: iso(0),
        avg_took: 2000,
        count_took: 3,
        p50_took: 1000,
        p99_5_took: expect.closeTo(3970),
        count_true_errors: 1,
      },
      {
        timestamp: iso(60),
        avg_took: 2000,
        count_took: 1,
        p50_took: 2000,
        p99_5_took: 2000,
        count_true_errors: 0,
      },
    ])
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(rows[0]!))
  })

  it('are by ranges of a value, and of a measure of groups', async () => {
    const project = await sent()
    const ranges = (bucket_by: object) =>
      ask('/agents/spans/stats', project, { ...window, bucket_by: { type: 'number', bins: 2, ...bucket_by } })
    expect((await ranges({ value: { source: 'derived', key: 'duration_ms' } })).rows).toEqual([
      { bucket_index: 0, bucket_min: 1000, bucket_max: 2500, count: 3 },
      { bucket_index: 1, bucket_min: 2500, bucket_max: 4000, count: 1 },
    ])
    const measure = { alias: 'n', aggregation: 'count' }
    expect((await ranges({ group_by: [{ key: 'trace_id' }], measure })).rows).toEqual([
      { bucket_index: 0, bucket_min: 1, bucket_max: 2, count: 1 },
      { bucket_index: 1, bucket_min: 2, bucket_max: 3, count: 1 },
    ])
    expect((await ranges({ value: { key: 'custom_none', source: 'custom_attrs_int' } })).rows).toEqual([])
  })

  it('look only at groups that pass', async () => {
    const project = await sent()
    const count = async (min: number) => {
      const { rows } = (await ask('/agents/spans/stats', project, {
        ...window,
        granularity: 3600,
        metrics: [{ alias: 'n', value_type: 'string', value: { key: 'span_id' } }],
        group_filters: [{ measure: { alias: 'x', aggregation: 'count' }, min }],
      })) as { rows: Row[] }
      return rows[0]!.count_n
    }
    expect([await count(4), await count(5)]).toEqual([4, 0])
  })

  it('attributes of one’s own are listed by type', async () => {
    const { attributes } = (await ask('/agents/spans/custom-attrs/schema', await sent())) as {
      attributes: Row[]
    }
    expect(attributes.map(({ key, value_type }) => [key, value_type])).toEqual([
      ['user.age', 'int'],
      ['user.score', 'float'],
      ['user.tier', 'string'],
      ['user.vip', 'bool'],
    ])
  })
})

/** Spans with messages that a search finds. */
async function found(project: string, query: string): Promise<unknown[]> {
  const { results } = (await ask('/agents/search', project, { query })) as { results: Row[] }
  return results.flatMap(({ matched_messages }) => (matched_messages as Row[]).map(({ span_id }) => span_id))
}

describe('chats', () => {
  it('tell a conversation turn by turn', async () => {
    const project = await sent()
    const chat = (await ask('/agents/conversations/chat', project, { conversation_id: 'c1' })) as {
      turns: Row[]
    }
    expect(chat).toMatchObject({ total_turns: 2, has_more: false })
    const [turn] = chat.turns as { messages: Row[] }[]
    expect(turn).toMatchObject({ agent_name: 'Weather', total_input_tokens: 100, total_duration_ms: 4000 })
    expect(turn!.messages.map(({ type }) => type)).toEqual([
      'user_message',
      'agent_start',
      'assistant_message',
      'tool_call',
    ])
    expect(turn!.messages[3]).toMatchObject({
      agent_name: 'Weather',
      tool_call: {
        tool_name: 'rain',
        tool_arguments: '{"place": "Köln"}',
        tool_result: 'wet',
        status: 'ERROR',
      },
    })
    const older = (await ask('/agents/conversations/chat', project, { conversation_id: 'c1', limit: 1 })) as {
      turns: Row[]
    }
    expect(older).toMatchObject({ has_more: true, turns: [{ agent_version: '3' }] })
    expect(await ask('/agents/traces/chat', project, { trace_id: 'unknown' })).toMatchObject({ messages: [] })
  })

  it('are searched by any part of a text', async () => {
    const project = await sent()
    const roles = async (query: string, more: object = {}) => {
      const { results } = (await ask('/agents/search', project, { query, ...more })) as { results: Row[] }
      return results.flatMap(({ matched_messages }) => (matched_messages as Row[]).map(({ role }) => role))
    }
    expect(await roles('wet')).toEqual(['tool_result', 'user'])
    expect(await roles('Köln')).toEqual(['tool_call'])
    expect(await roles('wet', { roles: ['tool'] })).toEqual(['tool_result'])
    expect(await roles('w_t')).toEqual([])
    expect(await roles('', { limit: 2 })).toHaveLength(2)
    expect(await roles('wet', { conversation_id: 'other' })).toEqual([])
  })

  it('have all of a turn that takes hours', async () => {
    const project = freshProject()
    const named = { 'gen_ai.conversation.id': 'long' }
    const [trace, another] = [hex(16), hex(16)]
    const root = span(trace, 'invoke_agent Slow', named, { end: at(30_000) })
    const times = { parentId: root.spanId as string, start: at(25_000), end: at(25_001) }
    const late = span(trace, 'chat', { 'gen_ai.output.messages': 'At last.' }, times)
    await send(project, [root, late, span(another, 'chat', named, { start: at(-9e6), end: at(-9e6 + 1) })])
    const chat = await ask('/agents/conversations/chat', project, { conversation_id: 'long' })
    const turns = (chat.turns as Row[]).map(({ trace_id, messages }) => [
      trace_id,
      (messages as Row[]).map(({ span_id }) => span_id),
    ])
    expect(turns).toEqual([
      [another, []],
      [trace, [root.spanId, late.spanId]],
    ])
  })

  it('are searched in all that a span says, wherever the store has it', async () => {
    const project = freshProject()
    const said: Record<string, Value>[] = [
      { 'gen_ai.input.messages': 'A needle.' },
      { 'gen_ai.output.messages': 'A needle.' },
      { 'gen_ai.input.messages': 'Hay.', 'gen_ai.system_instructions': 'A needle.', 'gen_ai.prompt': 'Hay.' },
      { 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'A needle.' },
      { 'gen_ai.tool.call.arguments': '{"in": ["a needle"]}' },
      { 'gen_ai.input.messages': 'Hay.', 'gen_ai.tool.call.arguments.needle': 1 },
    ]
    const event = { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'A needle.' } }
    const spans = said.map((attributes) => span(hex(16), 'chat', attributes))
    await send(project, [...spans, span(hex(16), 'chat', {}, { events: [event] })])
    expect(await found(project, 'needle')).toHaveLength(7)
  })

  it('are searched behind many spans that say it elsewhere, some at the same time', async () => {
    const project = freshProject()
    const spans = Array.from({ length: 1100 }, (_, n) => {
      return span(hex(16), 'chat', { note: 'needle' }, { start: at(n < 450 ? 2 : 1), end: at(3) })
    })
    const last = { spanId: '0000000000000001', start: at(1), end: at(3) }
    await send(project, [...spans, span(hex(16), 'chat', { 'gen_ai.output.messages': 'A needle.' }, last)])
    expect(await found(project, 'needle')).toEqual([last.spanId])
  })

  it('have the feedback on their parts', async () => {
    const project = await sent()
    const of = (part: string) => `weave:///${project}/${part}`
    await api.ok('/feedback/create', {
      project_id: project,
      weave_ref: of('agent_conversation/c1'),
      feedback_type: 'wandb.agent_user_feedback',
      payload: {},
      scorer_tags: ['good'],
      scorer_ratings: { _rating_: 0.5 },
    })
    const chat = await ask('/agents/conversations/chat', project, {
      conversation_id: 'c1',
      include_feedback: true,
    })
    expect(chat).toMatchObject({
      feedback: [{ scorer_tags: ['good'], feedback_type: 'wandb.agent_user_feedback' }],
    })
    const { conversations } = await ask('/agents/conversations/spans', project, { conversation_ids: ['c1'] })
    expect(conversations).toMatchObject([
      { spans_feedback: [{ trace_id: null, tags: ['good'], ratings: [{ name: '_rating_', value: 0.5 }] }] },
    ])
    const grouped = (tag: string) =>
      ask('/agents/spans/query', project, {
        group_by: [{ key: 'conversation_id' }],
        signal_filters: { tags: [tag], ratings: [] },
      })
    expect(await grouped('good')).toMatchObject({ total_count: 1 })
    expect(await grouped('bad')).toMatchObject({ total_count: 0 })
  })
})

it('the Python SDK reads agents, spans, turns and statistics', async () => {
  const found = await runPython<Row>(server, 'weave_agents', { PROJECT: freshProject() })
  expect(found).toEqual({
    agents: [1, [['Weather', 1, 1]]],
    versions: [1, [['2', 1]]],
    // A span that names no agent has that of its trace.
    spans: [
      2,
      [
        ['chat gpt-4o', 'Weather', 'talk-1'],
        ['invoke_agent Weather', 'Weather', 'talk-1'],
      ],
    ],
    turn: ['Weather', 20, ['user_message', 'agent_start', 'assistant_message']],
    turns: [1, [true]],
    search: [[[true, 'assistant']]],
    attributes: [['custom_attrs_string', 'team']],
    stats: 20,
    feedback: [0, 0, 0],
  })
})

it('the doctor says what is understood of a project', async () => {
  const project = await sent()
  const seen = (await ask('/project/conventions', project)) as {
    spans: number
    conventions: { convention: string; spans: number }[]
    unknown_attributes: { attribute: string }[]
    missing: { part: string; set: string[] }[]
  }
  expect(seen).toMatchObject({ spans: 4, conventions: [{ convention: 'OpenTelemetry GenAI', spans: 4 }] })
  const said = async (name: string) =>
    (
      await server.cli('doctor', '--project', name).catch((error: { stdout: string }) => error.stdout)
    ).replace(/\s+/g, ' ')
  const report = await said(project)
  const counted = seen.conventions.map(({ convention, spans }) => `${convention} (${spans})`)
  expect(report).toContain(`ok conventions the newest 4 spans of ${project}: ${counted.join(', ')}`)
  expect(seen.unknown_attributes.length).toBeGreaterThan(0)
  expect(report).toContain(`kept under their own names: ${seen.unknown_attributes[0]!.attribute}`)
  for (const { part, set } of seen.missing) {
    expect(report).toContain(`warn conventions no span has ${part}`)
    expect(report).toContain(`set ${set.join(' or ')}`)
  }
  const empty = freshProject()
  expect(await said(empty)).toContain(`${empty} has no spans of an exporter`)
})
