/** Contract §10: what a span becomes, attribute by attribute, over raw OTLP requests. */
import { deflateSync, gzipSync } from 'node:zlib'
import { Reader } from 'protobufjs/minimal.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, hex } from '../support/ids.js'
import { exportRequest, inProject, type SpanInput, type Value } from '../support/otlp.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const START = 1_780_000_000_123_456_789n

function span(more: Partial<SpanInput> = {}): SpanInput {
  return { traceId: hex(16), spanId: hex(8), start: START, end: START + 1_500_000_000n, ...more }
}

async function send(project: string, spans: SpanInput[]) {
  const body = exportRequest({ attributes: inProject(project), spans })
  const answer = await server.api.post('/otel/v1/traces', body, PROTOBUF)
  expect([answer.status, answer.text]).toEqual([200, ''])
}

/** Sends one span with these attributes and reads its call. */
async function mapped(attributes: Record<string, Value>, more: Partial<SpanInput> = {}): Promise<Row> {
  const project = freshProject()
  await send(project, [span({ attributes, ...more })])
  const [call, ...rest] = await server.api.calls(project)
  expect(rest).toEqual([])
  return call!
}

describe('the span itself', () => {
  it('becomes ids, times, op and the whole dump', async () => {
    const project = freshProject()
    const parent = hex(8)
    const sent = span({
      name: 'a span',
      kind: 3,
      parentId: parent,
      attributes: { 'a.b': 'c', 'list.0.x': 1, 'list.1.x': 2 },
      events: [{ name: 'event', attributes: { k: 'v' } }],
      links: [{ traceId: hex(16), spanId: hex(8) }],
    })
    await send(project, [sent])
    const [call] = await server.api.calls(project)
    expect(call).toMatchObject({
      id: sent.spanId,
      trace_id: sent.traceId,
      parent_id: parent,
      started_at: '2026-05-28T20:26:40.123456Z',
      ended_at: '2026-05-28T20:26:41.623456Z',
      exception: null,
      attributes: { a: { b: 'c' }, list: [{ x: 1 }, { x: 2 }] },
    })
    expect(call?.op_name).toMatch(new RegExp(`^weave:///${project}/op/[^/:]+:`))
    expect(call?.summary).toMatchObject({ weave: { status: 'success', latency_ms: 1500 } })
    const dump = dig(call, 'attributes', 'otel_span')
    expect(dump).toMatchObject({ name: 'a span', attributes: { a: { b: 'c' } } })
    expect(JSON.stringify(dump)).toContain('event')
  })

  it.each<[string, Record<string, Value>]>([
    ['values under their keys', { 'input.value': '{"q":"a:b"}', 'output.value': 'text', other: 1 }],
    ['an object that is the inputs', { input: '{"q":1}', output: '[1,{"a":"é"}]', 'x.y': 'z' }],
    ['nested keys', { 'gen_ai.prompt.0.content': 'hi', 'gen_ai.completion.0.content': 'ho', z: true }],
    ['neither', { a: 1 }],
    ['no attributes', {}],
  ])('the dump is whole whatever stands in inputs and output: %s', async (_name, attributes) => {
    const parsed = (value: Value) =>
      typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value
    const flat = (value: unknown, path = ''): [string, unknown][] =>
      typeof value === 'object' && value !== null && !(path in attributes)
        ? Object.entries(value).flatMap(([key, one]) => flat(one, path === '' ? key : `${path}.${key}`))
        : [[path, value]]
    const call = await mapped(attributes)
    const dump = dig(call, 'attributes', 'otel_span', 'attributes')
    const expected = Object.entries(attributes).map(([key, value]) => [key, parsed(value)])
    expect(Object.fromEntries(flat(dump))).toEqual(Object.fromEntries(expected))
  })

  it('the dump can be searched, and stays what it was when another output comes', async () => {
    const project = freshProject()
    const sent = span({ attributes: { 'input.value': 'question', 'output.value': 'first' } })
    await send(project, [sent])
    const field = 'attributes.otel_span.attributes.output.value'
    const query = { $expr: { $eq: [{ $getField: field }, { $literal: 'first' }] } }
    expect((await server.api.calls(project, { query })).length).toBe(1)
    const end = {
      project_id: project,
      id: sent.spanId,
      ended_at: '2026-06-01T00:00:00Z',
      output: 'second',
      summary: {},
    }
    expect((await server.api.post('/call/end', { end })).status).toBe(200)
    const [call] = await server.api.calls(project, { query })
    expect(call?.output).toBe('second')
    expect(dig(call, 'attributes', 'otel_span', 'attributes')).toEqual({
      input: { value: 'question' },
      output: { value: 'first' },
    })
  })

  it('an all-zero parent is none', async () => {
    expect(await mapped({}, { parentId: '0000000000000000' })).toMatchObject({ parent_id: null })
  })

  it('status ERROR is an exception', async () => {
    const call = await mapped({}, { status: { code: 2, message: 'went wrong' } })
    expect(call).toMatchObject({ exception: 'went wrong', summary: { weave: { status: 'error' } } })
  })

  it('long names are shortened', async () => {
    const call = await mapped({}, { name: 'n'.repeat(300) })
    const name = /\/op\/([^:]*)/.exec(decodeURIComponent(String(call.op_name)))?.[1] ?? ''
    expect(name.length).toBeLessThanOrEqual(128)
  })

  it('attribute values keep their types', async () => {
    const call = await mapped({
      s: 'x',
      i: 5,
      big: 9007199254740993n,
      d: 1.5,
      t: true,
      l: [1, 'a'],
      m: { k: 1 },
      j: '{"parsed": [1]}',
    })
    expect(call.attributes).toMatchObject({ s: 'x', i: 5, d: 1.5, t: true, l: [1, 'a'], m: { k: 1 } })
  })
})

describe('attributes', () => {
  const cases: [string, Record<string, Value>, object][] = [
    ['input.value, text', { 'input.value': 'hi' }, { inputs: { 'input.value': 'hi' } }],
    [
      'gen_ai.prompt list',
      { 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'q' },
      { inputs: { 'gen_ai.prompt': [{ role: 'user', content: 'q' }] } },
    ],
    [
      'gen_ai.completion list',
      { 'gen_ai.completion.0.content': 'a' },
      { output: { 'gen_ai.completion': [{ content: 'a' }] } },
    ],
    [
      'gen_ai.input.messages, JSON text',
      { 'gen_ai.input.messages': '[{"role":"user"}]' },
      { inputs: { 'gen_ai.input.messages': [{ role: 'user' }] } },
    ],
    ['a lone input object is unwrapped', { input: '{"a":1}' }, { inputs: { a: 1 } }],
    ['a lone output object is unwrapped', { output: '{"b":2}' }, { output: { b: 2 } }],
    [
      'ai.prompt comes before input.value',
      { 'input.value': 'second', 'ai.prompt': 'first' },
      { inputs: { 'ai.prompt': 'first' } },
    ],
    [
      'mlflow',
      { 'mlflow.spanInputs': '{"x":1}', 'mlflow.spanOutputs': '{"y":2}' },
      { inputs: { 'mlflow.spanInputs': { x: 1 } }, output: { 'mlflow.spanOutputs': { y: 2 } } },
    ],
    [
      'traceloop',
      { 'traceloop.entity.input': 'in', 'traceloop.entity.output': 'out', 'traceloop.span.kind': 'workflow' },
      {
        inputs: { 'traceloop.entity.input': 'in' },
        output: { 'traceloop.entity.output': 'out' },
        attributes: { kind: 'workflow' },
      },
    ],
    [
      'usage under the model',
      { 'gen_ai.response.model': 'm', 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 4 },
      {
        summary: { usage: { m: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } } },
        attributes: { model: 'm' },
      },
    ],
    [
      'usage without a model',
      { 'llm.token_count.prompt': 3, 'llm.token_count.completion': 4, 'llm.token_count.total': 9 },
      { summary: { usage: { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 9 } } } },
    ],
    [
      'cache tokens',
      { 'gen_ai.usage.input_tokens': 9, 'gen_ai.usage.cache_read.input_tokens': 5 },
      { summary: { usage: { usage: { input_tokens: 9, cache_read_input_tokens: 5 } } } },
    ],
    [
      'request model when there is no response model',
      { 'gen_ai.request.model': 'r' },
      { attributes: { model: 'r' } },
    ],
    [
      'provider and operation',
      {
        'gen_ai.provider.name': 'p',
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.id': 'x',
        'gen_ai.agent.name': 'n',
      },
      { attributes: { provider: 'p', operation_name: 'chat', response_id: 'x', agent_name: 'n' } },
    ],
    ['openinference kind', { 'openinference.span.kind': 'LLM' }, { attributes: { kind: 'LLM' } }],
    ['display name', { 'wandb.display_name': 'shown' }, { display_name: 'shown' }],
    ['display name, neutral', { 'platform.display_name': 'shown' }, { display_name: 'shown' }],
    ['thread', { 'wandb.thread_id': 't', 'wandb.is_turn': false }, { thread_id: 't', turn_id: null }],
    [
      'run',
      { 'wandb.wb_run_id': 'r', 'wandb.wb_run_step': 5, 'wandb.wb_run_step_end': 6 },
      { wb_run_id: 'r', wb_run_step: 5, wb_run_step_end: 6 },
    ],
    [
      'attributes merged at the top',
      { 'wandb.attributes': '{"env":"x"}', 'input.value': 'i' },
      { attributes: { env: 'x' } },
    ],
    [
      'langfuse times',
      { 'langfuse.startTime': '2026-01-01T00:00:00.000Z', 'langfuse.endTime': '2026-01-01T00:00:02.000Z' },
      { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:02Z' },
    ],
    [
      'nothing recognised: all of them',
      { 'my.own': 'x', other: 1 },
      { attributes: { my: { own: 'x' }, other: 1 } },
    ],
    [
      'credentials are hidden in attributes',
      { api_key: 'sk-secret', 'x.authorization': 'Bearer' },
      { attributes: { api_key: 'REDACTED', x: { authorization: 'REDACTED' } } },
    ],
    [
      'credentials are hidden in inputs',
      { 'input.value': '{"api_key":"sk-secret"}' },
      { inputs: { 'input.value': { api_key: 'REDACTED' } } },
    ],
  ]
  it.each(cases)('%s', async (_name, attributes, expected) => {
    const call = await mapped(attributes)
    expect(call).toMatchObject(expected)
    expect(JSON.stringify(call)).not.toContain('sk-secret')
  })

  it('a key that is a value and a parent keeps the span', async () => {
    const call = await mapped({ 'ai.schema': 's', 'ai.schema.name': 'n' })
    const dump = dig(call, 'attributes', 'otel_span', 'attributes')
    expect(dump).toEqual({ ai: { schema: 's' }, 'ai.schema.name': 'n' })
  })

  it('what is the user’s own is found by its key beside what was recognised', async () => {
    const project = freshProject()
    await send(project, [
      span({ attributes: { 'gen_ai.request.model': 'm', 'metadata.team': 'blue' } }),
      span(),
    ])
    const query = { $expr: { $eq: [{ $getField: 'attributes.metadata.team' }, { $literal: 'blue' }] } }
    const [call, ...rest] = await server.api.calls(project, { query })
    expect([call?.attributes, rest]).toMatchObject([{ model: 'm', metadata: { team: 'blue' } }, []])
  })

  it('a conversation makes a turn of its span', async () => {
    const call = await mapped({ 'gen_ai.conversation.id': 'conversation' })
    expect(call).toMatchObject({ thread_id: 'conversation', turn_id: call.id })
  })

  it('an explicit turn of a thread', async () => {
    const call = await mapped({ 'wandb.thread_id': 't', 'wandb.is_turn': true })
    expect(call).toMatchObject({ thread_id: 't', turn_id: call.id })
  })
})

describe('the project', () => {
  it('comes from a block’s resource attributes before the header', async () => {
    const [entity, header] = ['acme', freshProject()]
    const [one, two] = [freshProject(), freshProject()]
    const named = (project: string) => ({
      'wandb.entity': entity,
      'wandb.project': project.slice(entity.length + 1),
    })
    const neutral = { 'platform.entity': entity, 'platform.project': two.slice(entity.length + 1) }
    const body = exportRequest(
      { attributes: named(one), spans: [span()] },
      { attributes: neutral, spans: [span(), span()] },
      { spans: [span(), span(), span()] },
    )
    const answer = await server.api.post('/otel/v1/traces', body, { ...PROTOBUF, project_id: header })
    expect(answer.status).toBe(200)
    expect(await server.api.count(one)).toBe(1)
    expect(await server.api.count(two)).toBe(2)
    expect(await server.api.count(header)).toBe(3)
  })

  it('neither is 400', async () => {
    const answer = await server.api.post('/otel/v1/traces', exportRequest({ spans: [span()] }), PROTOBUF)
    expect(answer.status).toBe(400)
  })
})

describe('an exporter of Langfuse', () => {
  it('names its project by the public key, and its metrics are dropped', async () => {
    const project = freshProject()
    const authorization = server.api.authorizationAs(project)
    const sent = span({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': '[{"role":"user","content":"q"}]',
        'langfuse.observation.output': '{"role":"assistant","content":"a"}',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.usage_details': '{"input":3,"output":4,"total":7}',
        'langfuse.observation.cost_details': '{"total":0.01}',
        'langfuse.trace.tags': ['a'],
        'session.id': 's',
        'user.id': 'u',
      },
    })
    const post = (path: string, body: Uint8Array) =>
      server.api.as(null).post(path, body, { ...PROTOBUF, authorization })
    const answer = await post('/api/public/otel/v1/traces', exportRequest({ spans: [sent] }))
    expect([answer.status, answer.text]).toEqual([200, ''])
    const [call] = await server.api.calls(project)
    expect(call).toMatchObject({
      inputs: { 'langfuse.observation.input': [{ role: 'user', content: 'q' }] },
      output: { 'langfuse.observation.output': { role: 'assistant', content: 'a' } },
      thread_id: 's',
      turn_id: sent.spanId,
      attributes: { kind: 'generation', model: 'gpt-4o', user_id: 'u', user: { id: 'u' } },
      summary: {
        usage: { 'gpt-4o': { input_tokens: 3, output_tokens: 4, total_tokens: 7, total_cost: 0.01 } },
      },
    })
    for (const path of ['/v1/metrics', '/otel/v1/metrics', '/api/public/otel/v1/metrics'])
      expect((await post(path, new Uint8Array([10, 0]))).status).toBe(200)
  })
})

describe('encodings', () => {
  it.each([
    ['identity', (body: Uint8Array) => body],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('%s', async (encoding, encode) => {
    const project = freshProject()
    const body = encode(exportRequest({ attributes: inProject(project), spans: [span(), span()] }))
    const answer = await server.api.post('/otel/v1/traces', body, {
      ...PROTOBUF,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain('application/x-protobuf')
    expect(await server.api.count(project)).toBe(2)
  })

  it('JSON', async () => {
    const project = freshProject()
    const traceId = hex(16)
    const spanId = hex(8)
    const body = {
      resourceSpans: [
        {
          resource: {
            attributes: Object.entries(inProject(project)).map(([key, stringValue]) => ({
              key,
              value: { stringValue },
            })),
          },
          scopeSpans: [
            {
              spans: [
                {
                  traceId,
                  spanId,
                  name: 'json span',
                  kind: 1,
                  startTimeUnixNano: String(START),
                  endTimeUnixNano: String(START + 1_000_000n),
                  attributes: [
                    { key: 'input.value', value: { stringValue: 'hi' } },
                    { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
                  ],
                  status: { code: 2, message: 'no' },
                },
              ],
            },
          ],
        },
      ],
    }
    const answer = await server.api.post('/otel/v1/traces', body)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({})
    const [call] = await server.api.calls(project)
    expect(call).toMatchObject({
      id: spanId,
      trace_id: traceId,
      inputs: { 'input.value': 'hi' },
      exception: 'no',
    })
  })

  it('another kind of body is 415', async () => {
    const answer = await server.api.post('/otel/v1/traces', 'x', {
      'content-type': 'text/plain',
      project_id: freshProject(),
    })
    expect([400, 415]).toContain(answer.status)
  })
})

describe('a bad span', () => {
  it('is rejected by itself, with a message', async () => {
    const project = freshProject()
    const bad = [
      span({ attributes: { 'wandb.wb_run_step': 'three' } }),
      span({ traceId: new Uint8Array(3) }),
      span({ spanId: new Uint8Array(0) }),
    ]
    const good = Array.from({ length: 50 }, () => span())
    const body = exportRequest({
      attributes: inProject(project),
      spans: [...good.slice(0, 25), ...bad, ...good.slice(25)],
    })
    const answer = await server.api.post('/otel/v1/traces', body, PROTOBUF)
    expect(answer.status).toBe(200)
    // partial_success { rejected_spans: 3, error_message }
    const reader = Reader.create(answer.bytes)
    expect(reader.uint32()).toBe(0x0a)
    const partial = Reader.create(reader.bytes())
    expect([partial.uint32(), Number(partial.int64())]).toEqual([0x08, 3])
    expect(partial.uint32()).toBe(0x12)
    expect(partial.string()).not.toBe('')
    expect(await server.api.count(project)).toBe(50)
  })

  it('one among 10,000 takes none along', async () => {
    const project = freshProject()
    const spans = Array.from({ length: 10_000 }, () => span())
    spans[5_000] = span({ attributes: { 'wandb.wb_run_step': 'three' } })
    const answer = await server.api.post(
      '/otel/v1/traces',
      exportRequest({ attributes: inProject(project), spans }),
      PROTOBUF,
    )
    expect(answer.status).toBe(200)
    expect(await server.api.count(project)).toBe(9_999)
  })
})

describe('a retried export', () => {
  it('is seen once, and a span id may be another’s in another trace', async () => {
    const project = freshProject()
    const first = span()
    const same = span({ spanId: first.spanId, start: START + 1_000_000n })
    const body = exportRequest({ attributes: inProject(project), spans: [first, same] })
    for (let again = 0; again < 3; again++) await server.api.post('/otel/v1/traces', body, PROTOBUF)
    const calls = await server.api.calls(project)
    expect(calls.map((call) => call.trace_id).sort()).toEqual([first.traceId, same.traceId].sort())
    expect(await server.api.count(project)).toBe(2)
  })
})
