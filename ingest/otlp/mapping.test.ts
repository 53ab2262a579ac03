import { describe, expect, it } from 'vitest'
import { SPAN_OP_DIGEST } from '../../domain/refs/placeholder-op.js'
import { decoded, plainRow, requestOf } from './testing/decoded.js'
import { encodeExport, exportOf, type SpanMessage, spanWith } from './testing/messages.js'

type Attributes = Record<string, unknown>

function rowOf(attributes: Attributes, more: SpanMessage = {}): Record<string, unknown> {
  const batch = decoded([requestOf(encodeExport(exportOf(spanWith(attributes, more))))])
  expect(batch.results[0]!.messages).toEqual([])
  return plainRow(batch.raw[0]!)
}

describe('inputs and output', () => {
  const inputs = [
    'ai.prompt',
    'gen_ai.prompt',
    'input.value',
    'mlflow.spanInputs',
    'gen_ai.input.messages',
    'pydantic_ai.all_messages',
    'traceloop.entity.input',
    'gcp.vertex.agent.tool_call_args',
    'gcp.vertex.agent.llm_request',
    'input',
    'inputs',
  ]
  const outputs = [
    'ai.response',
    'gen_ai.completion',
    'output.value',
    'gen_ai.output.messages',
    'mlflow.spanOutputs',
    'final_result',
    'gen_ai.content.completion',
    'traceloop.entity.output',
    'gcp.vertex.agent.tool_response',
    'gcp.vertex.agent.llm_response',
    'output',
    'outputs',
  ]

  it.each(inputs)('inputs: %s', (key) => {
    expect(rowOf({ [key]: 'hi' }).inputs).toEqual({ [key]: 'hi' })
  })

  it.each(outputs)('output: %s', (key) => {
    const bare = key === 'output' || key === 'outputs'
    expect(rowOf({ [key]: 'hi' }).output).toEqual(bare ? 'hi' : { [key]: 'hi' })
  })

  it.each([inputs, outputs])('the first key present wins, whatever the order on the wire', (...keys) => {
    const column = keys === inputs || keys.includes('inputs') ? 'inputs' : 'output'
    // `input.value` can't stand beside `input`: that is a value and a parent.
    const order = keys.filter((key) => !['input', 'output'].includes(key))
    order.forEach((key, i) => {
      const attributes = Object.fromEntries(
        order
          .slice(i)
          .reverse()
          .map((name) => [name, `from ${name}`]),
      )
      const value = rowOf(attributes)[column]
      expect(value).toEqual(key === 'outputs' ? `from ${key}` : { [key]: `from ${key}` })
    })
  })

  it.each([
    [{ input: '{"q":1.0,"list":[1, 2]}' }, 'inputs', { q: 1, list: [1, 2] }],
    [{ inputs: { q: 1 } }, 'inputs', { q: 1 }],
    [{ 'input.q': 1, 'input.r.s': 'x' }, 'inputs', { q: 1, r: { s: 'x' } }],
    [{ input: '[1,2]' }, 'inputs', { input: [1, 2] }],
    [{ 'inputs.0': 'a', 'inputs.1': 'b' }, 'inputs', { inputs: ['a', 'b'] }],
    [{ 'input.value': '{"a":1}' }, 'inputs', { 'input.value': { a: 1 } }],
    [{ output: '{"a":1}' }, 'output', { a: 1 }],
    [{ outputs: '[1,2]' }, 'output', [1, 2]],
    [{ output: 5 }, 'output', 5],
    [{ 'ai.response': '' }, 'output', undefined],
  ] as [Attributes, string, unknown][])('%j: %s = %j', (attributes, column, expected) => {
    expect(rowOf(attributes)[column]).toEqual(expected)
  })

  it('nest dotted keys, and numeric parts become lists', () => {
    const attributes = {
      'gen_ai.prompt.1.content': 'second',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'first',
      'gen_ai.prompt.1.role': 'assistant',
    }
    const list = [
      { role: 'user', content: 'first' },
      { content: 'second', role: 'assistant' },
    ]
    const row = rowOf(attributes)
    expect(row.inputs).toEqual({ 'gen_ai.prompt': list })
    expect(row.otel_span).toMatchObject({ attributes: { gen_ai: { prompt: list } } })
  })

  it('keep objects whose numeric keys have gaps', () => {
    expect(rowOf({ 'ai.prompt.0': 'a', 'ai.prompt.2': 'b' }).inputs).toEqual({
      'ai.prompt': { 0: 'a', 2: 'b' },
    })
  })

  it('keep the digits of numbers in JSON texts', () => {
    const batch = decoded([
      requestOf(encodeExport(exportOf(spanWith({ input: '{ "n": 1.0,\n "big": 12345678901234567890 }' })))),
    ])
    expect(batch.raw[0]!.inputs).toBe('{"n":1.0,"big":12345678901234567890}')
  })
})

describe('usage', () => {
  it.each([
    ['input_tokens', 'gen_ai.usage.input_tokens'],
    ['prompt_tokens', 'gen_ai.usage.prompt_tokens'],
    ['prompt_tokens', 'llm.token_count.prompt'],
    ['prompt_tokens', 'ai.usage.promptTokens'],
    ['completion_tokens', 'gen_ai.usage.completion_tokens'],
    ['completion_tokens', 'llm.token_count.completion'],
    ['completion_tokens', 'ai.usage.completionTokens'],
    ['output_tokens', 'gen_ai.usage.output_tokens'],
    ['total_tokens', 'llm.usage.total_tokens'],
    ['total_tokens', 'llm.token_count.total'],
    ['cache_creation_input_tokens', 'gen_ai.usage.cache_creation.input_tokens'],
    ['cache_read_input_tokens', 'gen_ai.usage.cache_read.input_tokens'],
    ['cache_read_input_tokens', 'gen_ai.usage.prompt_tokens_details.cached_tokens'],
    ['cache_read_input_tokens', 'gen_ai.usage.input_tokens_details.cached_tokens'],
    ['cache_read_input_tokens', 'prompt_tokens_details.cached_tokens'],
  ])('%s: %s', (name, key) => {
    for (const value of [7, '7', 7.9]) {
      expect(rowOf({ [key]: value }).summary).toEqual({ usage: { usage: { [name]: 7 } } })
    }
    expect(rowOf({ [key]: 'many' }).summary).toEqual({})
  })

  it.each([
    [{ 'llm.token_count.prompt': 3, 'llm.token_count.completion': 4 }, 7],
    [{ 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 4 }, 7],
    [{ 'llm.token_count.prompt': 3, 'llm.token_count.completion': 4, 'llm.token_count.total': 9 }, 9],
    [{ 'gen_ai.usage.input_tokens': 3, 'llm.token_count.completion': 4 }, undefined],
  ] as [Attributes, number | undefined][])('%j: total %j', (attributes, total) => {
    const { usage } = rowOf(attributes).summary as { usage: { usage: Record<string, number> } }
    expect(usage.usage.total_tokens).toBe(total)
  })

  it('stands under the model', () => {
    const attributes = { 'gen_ai.usage.input_tokens': 3, 'gen_ai.request.model': 'gpt "5"' }
    expect(rowOf(attributes).summary).toEqual({ usage: { 'gpt "5"': { input_tokens: 3 } } })
  })

  it('is found inside of values too', () => {
    expect(rowOf({ 'gen_ai.usage': { input_tokens: 5 } }).summary).toEqual({
      usage: { usage: { input_tokens: 5 } },
    })
    expect(rowOf({ prompt_tokens_details: '{"cached_tokens": 6}' }).summary).toEqual({
      usage: { usage: { cache_read_input_tokens: 6 } },
    })
  })
})

describe('attributes', () => {
  it.each([
    ['system', 'gen_ai.system_instructions'],
    ['system', 'gen_ai.system'],
    ['system', 'llm.system'],
    ['kind', 'weave.span.kind'],
    ['kind', 'traceloop.span.kind'],
    ['kind', 'openinference.span.kind'],
    ['model', 'gen_ai.response.model'],
    ['model', 'llm.model_name'],
    ['model', 'ai.model.id'],
    ['provider', 'gen_ai.provider.name'],
    ['provider', 'llm.provider'],
    ['provider', 'ai.model.provider'],
    ['model_parameters', 'llm.invocation_parameters'],
    ['operation_name', 'gen_ai.operation.name'],
    ['response_id', 'gen_ai.response.id'],
    ['finish_reasons', 'gen_ai.response.finish_reasons'],
    ['agent_name', 'gen_ai.agent.name'],
    ['agent_id', 'gen_ai.agent.id'],
  ])('%s: %s', (name, key) => {
    expect(rowOf({ [key]: 'value', other: 1 }).attributes).toEqual({ [name]: 'value' })
  })

  it('model_parameters: gen_ai.request, the whole subtree', () => {
    expect(rowOf({ 'gen_ai.request.model': 'm', 'gen_ai.request.temperature': 0.5 }).attributes).toEqual({
      model: 'm',
      model_parameters: { model: 'm', temperature: 0.5 },
    })
  })

  it('are all of the span when nothing was recognised', () => {
    expect(rowOf({ 'http.method': 'GET', 'http.code': 200, ok: true }).attributes).toEqual({
      http: { method: 'GET', code: 200 },
      ok: true,
    })
    expect(rowOf({ other: 1, 'wandb.thread_id': 't' }).attributes).toEqual({
      other: 1,
      wandb: { thread_id: 't' },
    })
    expect(rowOf({ other: 1, otel_span: 'mine' }).attributes).toEqual({ other: 1 })
    expect(rowOf({ other: 1, input: 'x' }).attributes).toEqual({})
    expect(rowOf({}).attributes).toEqual({})
  })

  it.each(['platform', 'wandb'])('%s.attributes are merged at the top', (prefix) => {
    const own = { team: 'blue', model: 'mine', otel_span: 1 }
    const merged = { team: 'blue', model: 'mine', kind: 'tool' }
    for (const value of [JSON.stringify(own), own]) {
      const attributes = {
        [`${prefix}.attributes`]: value,
        'llm.model_name': 'theirs',
        'weave.span.kind': 'tool',
      }
      expect(rowOf(attributes).attributes).toEqual(merged)
    }
    expect(rowOf({ [`${prefix}.attributes.team`]: 'blue', x: 1 }).attributes).toEqual({ team: 'blue' })
  })
})

describe.each(['platform', 'wandb'])('%s.* fields', (prefix) => {
  const own = (fields: Attributes) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${prefix}.${key}`, value]))

  it('fill their columns', () => {
    const row = rowOf(
      own({
        display_name: 'Shown',
        thread_id: 'thread',
        wb_run_id: 'run',
        wb_run_step: 3,
        wb_run_step_end: '4',
      }),
    )
    expect(row).toMatchObject({
      display_name: 'Shown',
      thread_id: 'thread',
      run_id: 'run',
      run_step: '3',
      run_step_end: '4',
    })
    expect(row).not.toHaveProperty('turn_id')
  })

  it('replace ids', () => {
    const row = rowOf(own({ call_id: 'c', trace_id: 't', parent_id: 'p', thread_id: 'x', is_turn: true }))
    expect(row).toMatchObject({ id: 'c', trace_id: 't', parent_id: 'p', turn_id: 'c' })
  })

  it.each([{ call_id: 'c' }, { trace_id: 't' }, { parent_id: 'p' }, {}])(
    'leave the span its own: %j',
    (ids) => {
      const row = rowOf(own(ids), { parentSpanId: Buffer.from('00f067aa0ba902b7', 'hex') })
      const span = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }
      expect(row.otel_span).toMatchObject({ context: span, parent_id: '00f067aa0ba902b7' })
    },
  )

  it('shorten a display name of 1024 characters', () => {
    expect(rowOf(own({ display_name: 'x'.repeat(1023) })).display_name).toBe('x'.repeat(1023))
    expect(rowOf(own({ display_name: '😀'.repeat(1024) })).display_name).toBe(`${'😀'.repeat(1021)}...`)
  })

  it.each([
    [{ thread_id: 't' }, {}, undefined],
    [{ thread_id: 't', is_turn: true }, {}, 'b7ad6b7169203331'],
    [{ thread_id: 't', is_turn: false }, {}, undefined],
    [{ is_turn: true }, {}, undefined],
    [{}, { 'gen_ai.conversation.id': 'c' }, 'b7ad6b7169203331'],
    [{}, { 'gcp.vertex.agent.session_id': 's' }, 'b7ad6b7169203331'],
    [{}, { 'gen_ai.conversation.id': '' }, undefined],
    [{ is_turn: false }, { 'gen_ai.conversation.id': 'c' }, undefined],
    [{ thread_id: 't' }, { 'gen_ai.conversation.id': '' }, undefined],
  ] as [Attributes, Attributes, string | undefined][])('%j and %j: turn %j', (fields, others, turn) => {
    expect(rowOf({ ...own(fields), ...others }).turn_id).toBe(turn)
  })
})

describe('fields of the span', () => {
  it('threads: the conversation goes before the session, and that before our own', () => {
    const all = {
      'wandb.thread_id': 'own',
      'gcp.vertex.agent.session_id': 's',
      'gen_ai.conversation.id': 'c',
    }
    expect(rowOf(all).thread_id).toBe('c')
    expect(rowOf({ ...all, 'gen_ai.conversation.id': '' }).thread_id).toBe('s')
    expect(rowOf({ 'wandb.thread_id': 'w', 'platform.thread_id': 'p' }).thread_id).toBe('p')
  })

  it('ids in hex, a parent of zeros is none, times in µs', () => {
    expect(rowOf({}, { parentSpanId: Buffer.alloc(8) })).toEqual({
      project_id: expect.stringMatching(/^[\da-f]{24}$/),
      id: 'b7ad6b7169203331',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      op_name: expect.stringMatching(/^weave:\/\/\/team\/app\/op\/chat:[\w]{43}$/),
      started_at: '1767225600000001',
      ended_at: '1767225601500000',
      inputs: {},
      attributes: {},
      summary: {},
      otel_span: expect.anything(),
    })
    expect(rowOf({}, { parentSpanId: Buffer.from('00000000000000ff', 'hex') }).parent_id).toBe(
      '00000000000000ff',
    )
  })

  it.each([
    ['2026-02-03T04:05:06.7Z', '1770091506700000'],
    ['2026-02-03T05:05:06.700+01:00', '1770091506700000'],
    [1_770_091_506_700_000_000n, '1770091506700000'],
    ['1770091506700000000', '1770091506700000'],
    [1_770_091_506.7, '1770091506700000'],
    ['yesterday', undefined],
    [true, undefined],
  ])('langfuse times: %s', (value, micros) => {
    const row = rowOf({ 'langfuse.startTime': value, 'langfuse.endTime': value })
    expect(row.started_at).toBe(micros ?? '1767225600000001')
    expect(row.ended_at).toBe(micros ?? '1767225601500000')
  })

  it.each([
    [{ code: 2, message: 'boom' }, 'boom'],
    [{ code: 2 }, 'error'],
    [{ code: 1, message: 'fine' }, undefined],
    [{ code: 0, message: 'fine' }, undefined],
  ])('status %j: exception %j', (status, exception) => {
    expect(rowOf({}, { status }).exception).toBe(exception)
  })

  it.each([
    ['a b/c:d', 'a_b_cd'],
    ['GET /users/{id}', 'get__users_id'],
    ['żółć データ', 'żółć_データ'],
    ['', 'span'],
  ])('op of the name %j', (name, op) => {
    expect(rowOf({}, { name }).op_name).toBe(`weave:///team/app/op/${op}:${SPAN_OP_DIGEST}`)
  })

  it('the whole span is kept', () => {
    const row = rowOf(
      { 'a.b': 1, n: 2.0, big: 9_007_199_254_740_993n, nan: Number.NaN, bytes: Buffer.from('hi') },
      {
        kind: 3,
        traceState: 'k=v',
        status: { code: 1 },
        events: [{ timeUnixNano: '1767225600123456789', name: 'exception', attributes: [] }],
        links: [{ traceId: Buffer.from('ab', 'hex'), spanId: Buffer.from('cd', 'hex') }],
        droppedEventsCount: 2,
      },
    )
    expect(row.otel_span).toEqual({
      name: 'chat',
      context: {
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        span_id: 'b7ad6b7169203331',
        trace_state: 'k=v',
      },
      kind: 'CLIENT',
      parent_id: null,
      start_time: '2026-01-01T00:00:00.000001000Z',
      end_time: '2026-01-01T00:00:01.500000999Z',
      status: { code: 'OK', message: '' },
      // biome-ignore lint/correctness/noPrecisionLoss: what a JSON reader makes of the exact digits
      attributes: { a: { b: 1 }, n: 2, big: 9007199254740993, nan: 'NaN', bytes: 'aGk=' },
      events: [{ name: 'exception', timestamp: '2026-01-01T00:00:00.123456789Z', attributes: {} }],
      links: [{ trace_id: 'ab', span_id: 'cd', trace_state: '', attributes: {} }],
      dropped_events_count: 2,
      scope: null,
      resource: null,
    })
  })

  it.each([
    [9_223_372_036_854_775_807n, '9223372036854775807'],
    [-9_223_372_036_854_775_808n, '-9223372036854775808'],
    [-1, '-1'],
    [0, '0'],
    [999_999_999, '999999999'],
    [562_949_953_421_312n, '562949953421312'],
    [0.1, '0.1'],
    [1e300, '1e+300'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
  ])('number %s is stored as %s', (value, text) => {
    const batch = decoded([requestOf(encodeExport(exportOf(spanWith({ value }))))])
    expect(batch.raw[0]!.attributes).toBe(`{"value":${text}}`)
  })

  it('a double stays a double', () => {
    for (const [value, text] of [
      [5, '5.0'],
      [-0, '-0.0'],
      [1e21, '1e+21'],
    ] as const) {
      const span = { ...spanWith({}), attributes: [{ key: 'value', value: { doubleValue: value } }] }
      expect(decoded([requestOf(encodeExport(exportOf(span)))]).raw[0]!.attributes).toBe(`{"value":${text}}`)
    }
  })
})

describe('redaction', () => {
  it('hides texts under credential keys wherever the span is kept', () => {
    const attributes = {
      'llm.api_key': 'secret-1',
      'http.Authorization': 'secret-2',
      inputs: '{"headers":{"X-Api-Key":"secret-3","keep":"k"},"list":[{"client_secret":"secret-4"}]}',
      settings: { session_token: 'secret-5', nested: [{ privateKey: 'secret-6', apiKey: '', n: 1 }] },
      access_token: '{"json":"secret-7"}',
      secretKey: Buffer.from('secret-8'),
      apitoken: 12,
    }
    const batch = decoded([
      requestOf(encodeExport(exportOf(spanWith(attributes, { events: [{ attributes: [] }] })))),
    ])
    const row = plainRow(batch.raw[0]!)
    expect(JSON.stringify(row)).not.toContain('secret-')
    expect(row.inputs).toEqual({
      headers: { 'X-Api-Key': 'REDACTED', keep: 'k' },
      list: [{ client_secret: 'REDACTED' }],
    })
    expect((row.otel_span as { attributes: unknown }).attributes).toMatchObject({
      llm: { api_key: 'REDACTED' },
      settings: { session_token: 'REDACTED', nested: [{ privateKey: 'REDACTED', apiKey: '', n: 1 }] },
      apitoken: 12,
    })
  })
})
