/** What a span says of its agent, in the columns that spans are listed, grouped and summed by. */
import { describe, expect, it } from 'vitest'
import { AGENT } from '../../domain/conventions/table.js'
import { AGENT_COLUMNS, decoded, requestOf } from './testing/decoded.js'
import { encodeExport, exportOf, type SpanMessage, spanWith } from './testing/messages.js'

/** The columns that are set. */
function columnsOf(attributes: Record<string, unknown>, more: SpanMessage = {}): Record<string, unknown> {
  const batch = decoded([
    requestOf(encodeExport(exportOf(spanWith(attributes, { name: 'GET /users', ...more })))),
  ])
  expect(batch.results[0]!.messages).toEqual([])
  const row = batch.raw[0]!
  const set = AGENT_COLUMNS.filter((name) => !['', '0', undefined].includes(row[name] as string))
  return Object.fromEntries(set.flatMap((name) => (name === 'span_kind' ? [] : [[name, row[name]]])))
}

const rows = [...AGENT].flatMap(([name, target]) => target.map(([key]) => [name, key] as const))

it.each(rows)('%s: %s', (name, key) => {
  if (name === 'conversation_id') expect(columnsOf({ [key]: 'c1' })).toEqual({ own_conversation: '1' })
  else if (name.endsWith('_tokens')) {
    expect(columnsOf({ [key]: 7 })).toMatchObject({ [name]: '7' })
    expect(columnsOf({ [key]: '12' })).toMatchObject({ [name]: '12' })
  } else expect(columnsOf({ [key]: 'x' })).toMatchObject({ [name]: 'x' })
})

describe('precedence', () => {
  it('an earlier key wins, an empty text among them; null does not', () => {
    expect(columnsOf({ 'gen_ai.agent.name': 'later', 'weave.agent.name': 'first' })).toEqual({
      agent_name: 'first',
    })
    expect(columnsOf({ 'gen_ai.agent.name': 'later', 'weave.agent.name': '' })).toEqual({})
    expect(columnsOf({ 'gen_ai.agent.name': 'later', 'weave.agent.name': undefined })).toEqual({
      agent_name: 'later',
    })
  })
})

describe('the name of a span says it', () => {
  it.each([
    ['chat gpt-4o', { operation_name: 'chat' }],
    ['chatty x', { operation_name: 'chat' }],
    ['Invoke_Agent  Weather ', { operation_name: 'invoke_agent', agent_name: 'Weather' }],
    ['execute_tool f', { operation_name: 'execute_tool' }],
    ['Retrieval of x', { operation_name: 'retrieval' }],
    ['text_completion', { operation_name: 'text_completion' }],
    ['embeddings m', { operation_name: 'embeddings' }],
    ['generate_content', { operation_name: 'generate_content' }],
    ['create_agent', { operation_name: 'create_agent' }],
    ['anything', {}],
    ['', {}],
  ])('%s', (name, expected) => {
    expect(columnsOf({}, { name })).toEqual(expected)
  })

  it('only where no attribute does', () => {
    const attributes = { 'gen_ai.operation.name': 'x', 'gen_ai.agent.name': 'B' }
    expect(columnsOf(attributes, { name: 'invoke_agent A' })).toEqual({
      operation_name: 'x',
      agent_name: 'B',
    })
  })
})

it('tokens of an answer that is only fetched do not count again', () => {
  const used = { 'gen_ai.response.id': 'r', 'gen_ai.usage.input_tokens': 3 }
  expect(columnsOf({ ...used, 'gen_ai.operation.name': 'chat' })).toMatchObject({
    answer_hash: expect.any(String),
  })
  const fetched = columnsOf({ ...used, 'gen_ai.operation.name': 'fetch_response' })
  expect(fetched).toEqual({ operation_name: 'fetch_response', input_tokens: '3', repeats_usage: '1' })
  expect(columnsOf(used, { name: 'record_usage model_call' })).toMatchObject({ repeats_usage: '1' })
  // These requests have no other span.
  expect(columnsOf(used, { name: 'record_usage compaction' })).toMatchObject({
    answer_hash: expect.any(String),
  })
})

it.each([
  ['3.5.7', '["TOOL_CALLS"]', '1'],
  ['3.5.7', '["tool_use"]', '1'],
  ['3.5.7', '["STOP"]', '0'],
  ['4.0.1', '["TOOL_CALLS"]', '0'],
])(
  'tokens that Spring Boot %s tells with %s, and again with those of the next request',
  (version, reasons, repeats) => {
    const told = { 'gen_ai.usage.input_tokens': 20, 'gen_ai.response.finish_reasons': reasons }
    const scope = { name: 'org.springframework.boot', version }
    const request = { resourceSpans: [{ scopeSpans: [{ scope, spans: [spanWith(told)] }] }] }
    const { raw } = decoded([requestOf(encodeExport(request))])
    expect(raw[0]).toMatchObject({ input_tokens: '20', repeats_usage: repeats })
  },
)

describe('values', () => {
  it.each([
    [{ 'gen_ai.usage.input_tokens': -3 }, {}],
    [{ 'gen_ai.usage.input_tokens': 'many' }, {}],
    [{ 'gen_ai.usage.input_tokens': 1e15 }, { input_tokens: '4294967295' }],
    [{ 'gen_ai.usage.input_tokens': 2.9 }, { input_tokens: '2' }],
    [{ 'gen_ai.usage.prompt_tokens': 2 }, {}],
    [{ 'gen_ai.provider.name': 'OpenAI' }, { provider_name: 'openai' }],
    [
      {
        ...{ 'rpc.service': 'Bedrock Runtime', 'gen_ai.usage.input_tokens': 16 },
        ...{ 'gen_ai.usage.cache_read.input_tokens': 4, 'gen_ai.usage.cache_creation.input_tokens': 1 },
      },
      { input_tokens: '21', cache_read_input_tokens: '4', cache_creation_input_tokens: '1' },
    ],
    [
      { 'gen_ai.usage.input_tokens': 4294967295, 'gen_ai.usage.raw': '{"cache_read_input_tokens":4}' },
      { input_tokens: '4294967295', cache_read_input_tokens: '4' },
    ],
    [{ 'gen_ai.usage.raw': '{"cache_read_input_tokens":4}' }, { cache_read_input_tokens: '4' }],
    [{ 'session.id': 's' }, {}],
    [{ 'gen_ai.conversation.id': 'a\nb' }, {}],
  ])('%j', (attributes, expected) => {
    expect(columnsOf(attributes)).toEqual(expected)
  })

  it('long names are cut', () => {
    const { agent_name } = columnsOf({ 'gen_ai.agent.name': 'é'.repeat(100_000) })
    expect(agent_name).toBe('é'.repeat(512))
  })

  it('kinds and states beyond those there are count as none', () => {
    expect(columnsOf({}, { kind: 99, status: { code: 99 } } as SpanMessage)).toEqual({})
    expect(columnsOf({}, { status: { code: 2 } } as SpanMessage)).toEqual({ span_status: '2' })
    expect(columnsOf({ 'langfuse.observation.level': 'ERROR' })).toEqual({ span_status: '2' })
  })
})
