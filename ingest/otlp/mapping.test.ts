import { describe, expect, it } from 'vitest'
import {
  ATTRIBUTES,
  COSTS,
  FIELDS,
  INPUTS,
  OPERATION_KINDS,
  OUTPUT,
  type Reading,
  type Source,
  USAGE,
} from '../../domain/conventions/table.js'
import { SPAN_OP_DIGEST } from '../../domain/refs/placeholder-op.js'
import { decoded, plainRow, requestOf } from './testing/decoded.js'
import { attribute, encodeExport, exportOf, type SpanMessage, spanWith } from './testing/messages.js'

type Attributes = Record<string, unknown>

function rowOf(attributes: Attributes, more: SpanMessage = {}): Record<string, unknown> {
  const batch = decoded([requestOf(encodeExport(exportOf(spanWith(attributes, more))))])
  expect(batch.results[0]!.messages).toEqual([])
  return plainRow(batch.raw[0]!)
}

/** Every row of a table, by the name of its target. */
function rowsOf(table: Readonly<Record<string, readonly Source[]>>): [string, ...Source][] {
  return Object.entries(table).flatMap(([name, target]) =>
    target.map((source): [string, ...Source] => [name, ...source]),
  )
}

/** What has to be there for a source to be read. */
const beside = ({ beside }: Reading = {}) => (beside === undefined ? {} : { [beside]: 'x' })

/** The rows of one target. */
const sourcesOf = (target: readonly Source[]) =>
  target.map(([key, convention, reading = {}]): [string, string, Reading] => [key, convention, reading])

/** The rows of several spans of one trace: each with its attributes, its id and its parent's (one digit). */
function treeOf(...spans: [attributes: Attributes, id: number, parent: number][]) {
  const idOf = (digit: number) => Buffer.alloc(8, digit)
  const sent = spans.map(([attributes, id, parent]) =>
    spanWith(attributes, { spanId: idOf(id), parentSpanId: idOf(parent) }),
  )
  const batch = decoded([requestOf(encodeExport(exportOf(...sent)))])
  expect(batch.results[0]!.messages).toEqual([])
  return batch.raw.map(plainRow)
}

describe('inputs and output', () => {
  const wrapped = (key: string, reading: Reading = {}, value: unknown = 'hi') =>
    reading.bare ? value : { [key]: value }

  it.each(sourcesOf(INPUTS))('inputs: %s (%s)', (key) => {
    expect(rowOf({ [key]: 'hi' }).inputs).toEqual({ [key]: 'hi' })
    expect(rowOf({ [key]: '' }).inputs).not.toHaveProperty([key])
  })

  it.each(sourcesOf(OUTPUT))('output: %s (%s)', (key, _, reading) => {
    expect(rowOf({ [key]: 'hi' }).output).toEqual(wrapped(key, reading))
    expect(rowOf({ [key]: '' }).output ?? {}).not.toHaveProperty([key])
  })

  it.each([
    ['inputs', sourcesOf(INPUTS)],
    ['output', sourcesOf(OUTPUT)],
  ] as const)('%s: the first key present wins, whatever the order on the wire', (column, target) => {
    for (const [i, [key, , reading]] of target.entries()) {
      // What the newer form of the same convention replaces stands behind it; so does a text behind its messages.
      const older = [reading.unless, reading.text && reading.dumpUnless]
      const after = target.slice(i).filter(([other]) => !older.includes(other))
      const attributes = Object.fromEntries(after.map(([other]) => [other, `from ${other}`]).reverse())
      const expected = wrapped(key, column === 'inputs' ? {} : reading, `from ${key}`)
      expect(rowOf(attributes)[column], key).toEqual(expected)
    }
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

describe('keys that are a value and a parent', () => {
  it.each([
    [
      { 'ai.schema': 's', 'ai.schema.name': 'n' },
      { ai: { schema: 's' }, 'ai.schema.name': 'n' },
    ],
    [
      { 'a.b.c': 1, 'a.b': 2, 'a.d': 3 },
      { 'a.b.c': 1, a: { b: 2, d: 3 } },
    ],
    [
      { a: { x: 1 }, 'a.b.c': 2 },
      { a: { x: 1 }, 'a.b.c': 2 },
    ],
  ])('%j: the longer one stays as it is', (attributes, stored) => {
    const row = rowOf(attributes)
    expect(row.otel_span).toMatchObject({ attributes: stored })
    expect(row.attributes).toEqual(stored)
  })

  it('are found as conventions all the same', () => {
    const row = rowOf({
      input: 'short',
      'input.value': 'long',
      'gen_ai.prompt': '',
      'gen_ai.prompt.0.role': 'user',
    })
    expect(row.inputs).toEqual({ 'input.value': 'long' })
    expect(rowOf({ gen_ai: 'x', 'gen_ai.usage.input_tokens': 3 }).summary).toEqual({
      usage: { usage: { input_tokens: 3 } },
    })
  })
})

describe('traps', () => {
  const dump =
    '{"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "schema"], "kwargs": {}}]]}'
  const messages = {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'q',
  }
  const clean = { 'llm.input_messages': [{ message: { role: 'user', content: 'q' } }] }

  it.each<[string, Attributes, string, unknown]>([
    ['a name of a prompt is no message', { 'gen_ai.prompt.name': 'p', input: '{"q":1}' }, 'inputs', { q: 1 }],
    [
      'messages before their older form',
      { 'gen_ai.prompt.0.role': 'user', 'gen_ai.input.messages': '[{"role":"user"}]' },
      'inputs',
      { 'gen_ai.input.messages': [{ role: 'user' }] },
    ],
    ['messages before a dump of constructors', { 'input.value': dump, ...messages }, 'inputs', clean],
    [
      'messages before what Python prints',
      { 'input.value': "messages=[ChatMessage(role=<MessageRole.USER: 'user'>)]", ...messages },
      'inputs',
      clean,
    ],
    ['a dump before nothing', { 'input.value': 'A(b=1)' }, 'inputs', { 'input.value': 'A(b=1)' }],
    // As OpenInference sends Bedrock's: the text is the user's alone, the system's is among the messages.
    ['messages before the last one’s text', { 'input.value': 'q', ...messages }, 'inputs', clean],
    [
      'a request before its messages',
      { 'input.value': '{"model":"m"}', ...messages },
      'inputs',
      { 'input.value': { model: 'm' } },
    ],
    [
      'output: messages before a dump',
      { 'output.value': dump, 'llm.output_messages.0.message.content': 'a' },
      'output',
      { 'llm.output_messages': [{ message: { content: 'a' } }] },
    ],
    [
      'output: messages before what LlamaIndex prints',
      { 'output.value': 'assistant: None', 'llm.output_messages.0.message.content': 'a' },
      'output',
      { 'llm.output_messages': [{ message: { content: 'a' } }] },
    ],
    [
      'a crew’s tasks where it has no inputs',
      { crew_inputs: '', crew_tasks: '[{"description":"q"}]', 'openinference.span.kind': 'CHAIN' },
      'inputs',
      { crew_tasks: [{ description: 'q' }] },
    ],
    [
      'the answer is no input',
      { 'pydantic_ai.all_messages': '[{"role":"user","parts":[1.0]}, {"role":"assistant","parts":[]}]' },
      'inputs',
      { 'pydantic_ai.all_messages': [{ role: 'user', parts: [1] }] },
    ],
    [
      'a question without an answer is whole',
      { 'pydantic_ai.all_messages': '[{"role":"user"}]' },
      'inputs',
      { 'pydantic_ai.all_messages': [{ role: 'user' }] },
    ],
    [
      'an answer alone',
      { 'pydantic_ai.all_messages': '[{"role":"assistant"}]' },
      'inputs',
      { 'pydantic_ai.all_messages': [] },
    ],
    ['a quoted text', { 'mlflow.spanInputs': '"a \\"b\\""' }, 'inputs', { 'mlflow.spanInputs': 'a "b"' }],
    [
      'JSON in a quoted text',
      { 'traceloop.entity.output': JSON.stringify('{"api_key":"sk-1","n":1.0}') },
      'output',
      { 'traceloop.entity.output': { api_key: 'REDACTED', n: 1 } },
    ],
    ['a tool’s quoted text', { 'ai.toolCall.result': '"x"' }, 'output', { 'ai.toolCall.result': 'x' }],
    ['a quote that isn’t closed', { 'mlflow.spanInputs': '"x' }, 'inputs', { 'mlflow.spanInputs': '"x' }],
    ['quotes of anybody else', { 'input.value': '"x"' }, 'inputs', { 'input.value': '"x"' }],
  ])('%s', (_, attributes, column, expected) => {
    expect(rowOf(attributes)[column]).toEqual(expected)
  })
})

describe('events', () => {
  const eventOf = (name: string, attributes: Attributes) => ({
    name,
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  })
  const rowWith = (events: [string, Attributes][], attributes: Attributes = {}, more: SpanMessage = {}) =>
    rowOf(attributes, { ...more, events: events.map(([name, said]) => eventOf(name, said)) })

  it('have the messages as Strands sends them', () => {
    const row = rowWith([
      ['gen_ai.system.message', { content: 'be kind' }],
      ['gen_ai.user.message', { content: '[{"text":"hi"}]' }],
      ['gen_ai.assistant.message', { content: '[{"toolUse":{"name":"t"}}]' }],
      ['gen_ai.tool.message', { role: 'tool', content: '[{"toolResult":{}}]', id: 'x' }],
      ['gen_ai.choice', { message: '[{"text":"ho"}]', finish_reason: 'end_turn' }],
      ['other', { content: 'nothing' }],
    ])
    expect(row.inputs).toEqual({
      'gen_ai.input.messages': [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: [{ text: 'hi' }] },
        { role: 'assistant', content: [{ toolUse: { name: 't' } }] },
        { role: 'tool', content: [{ toolResult: {} }], id: 'x' },
      ],
    })
    expect(row.output).toEqual({
      'gen_ai.output.messages': [{ role: 'assistant', content: [{ text: 'ho' }], finish_reason: 'end_turn' }],
    })
    expect((row.otel_span as { events: unknown[] }).events).toHaveLength(6)
    expect(row.attributes).toEqual({})
  })

  it.each<[string, [string, Attributes], object]>([
    [
      'a whole message, as Azure and Semantic Kernel send it',
      [
        'gen_ai.user.message',
        { 'gen_ai.system': 'az', 'gen_ai.event.content': '{"role":"user","content":"q"}' },
      ],
      { inputs: { 'gen_ai.input.messages': [{ role: 'user', content: 'q' }] } },
    ],
    [
      'a choice with a message inside',
      ['gen_ai.choice', { 'gen_ai.event.content': '{"index":0,"message":{"content":"a"}}' }],
      { output: { 'gen_ai.output.messages': [{ role: 'assistant', content: 'a' }] } },
    ],
    [
      'a prompt, as it was first',
      ['gen_ai.content.prompt', { 'gen_ai.prompt': 'q' }],
      { inputs: { 'gen_ai.input.messages': [{ role: 'user', content: 'q' }] } },
    ],
    [
      'a completion, as it was first',
      ['gen_ai.content.completion', { 'gen_ai.completion': 'a' }],
      { output: { 'gen_ai.output.messages': [{ role: 'assistant', content: 'a' }] } },
    ],
    [
      'both sides',
      [
        'gen_ai.client.inference.operation.details',
        { 'gen_ai.input.messages': '[{"role":"user"}]', 'gen_ai.output.messages': '[{"role":"assistant"}]' },
      ],
      {
        inputs: { 'gen_ai.input.messages': [{ role: 'user' }] },
        output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
      },
    ],
    [
      'what a tool was given',
      ['gen_ai.tool.input', { 'gen_ai.tool.call.arguments': '{"api_key":"sk","n":1}' }],
      { inputs: { 'gen_ai.tool.call.arguments': { api_key: 'REDACTED', n: 1 } } },
    ],
    [
      'what a tool gave',
      ['gen_ai.tool.output', { 'gen_ai.tool.call.result': 'sunny' }],
      { output: { 'gen_ai.tool.call.result': 'sunny' } },
    ],
  ])('have %s', (_, event, expected) => {
    expect(rowWith([event])).toMatchObject(expected)
  })

  it('add nothing to what attributes say', () => {
    const row = rowWith([['gen_ai.user.message', { content: 'event' }]], { 'input.value': 'attribute' })
    expect(row.inputs).toEqual({ 'input.value': 'attribute' })
  })

  const failed = { status: { code: 2, message: '' } }
  it.each<[string, [string, Attributes][], Attributes, SpanMessage, string | undefined]>([
    [
      'the status',
      [['exception', { 'exception.message': 'e' }]],
      {},
      { status: { code: 2, message: 's' } },
      's',
    ],
    [
      'the last exception',
      [
        ['exception', { 'exception.message': 'first', 'exception.type': 'A' }],
        ['exception', { 'exception.message': 'last\n"quoted"', 'exception.stacktrace': 'at …' }],
      ],
      { 'error.message': 'm', 'error.type': 't' },
      failed,
      'last\n"quoted"',
    ],
    ['its type', [['exception', { 'exception.message': '', 'exception.type': 'A' }]], {}, failed, 'A'],
    ['error.message', [['exception', {}]], { 'error.type': 't', 'error.message': 'm' }, failed, 'm'],
    ['error.type', [], { 'error.type': 't' }, failed, 't'],
    ['nothing', [], {}, failed, 'error'],
    ['no failure', [['exception', { 'exception.message': 'e' }]], { 'error.type': 't' }, {}, undefined],
    [
      'a level',
      [],
      { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'm' },
      {},
      'm',
    ],
  ])('why it failed: %s', (_, events, attributes, more, exception) => {
    const row = rowWith(events, attributes, more)
    expect(row.exception).toBe(exception)
    expect((row.otel_span as { events: unknown[] }).events).toHaveLength(events.length)
  })
})

describe('threads and turns of a tree', () => {
  const shown = (rows: Record<string, unknown>[]) =>
    rows.map(({ thread_id, turn_id }) => [thread_id ?? '', String(turn_id ?? '').slice(0, 2)].join(' '))

  it.each(sourcesOf(FIELDS.conversation))('%s (%s): a thread, and a turn', (key) => {
    expect(shown([rowOf({ [key]: 's' })])).toEqual(['s b7'])
    // No thread, and no reason to refuse the span.
    expect(shown([rowOf({ [key]: 'x'.repeat(300) })])).toEqual([' '])
  })

  it.each<[string, Parameters<typeof treeOf>, string[]]>([
    [
      'children have those of the nearest ancestor, whichever comes first',
      [
        [{}, 3, 2],
        [{}, 2, 1],
        [{ 'session.id': 's' }, 1, 9],
        [{ x: 1 }, 4, 1],
      ],
      ['s 01', 's 01', 's 01', 's 01'],
    ],
    [
      'a turn is the root of its thread, not each of its spans',
      [
        [{ 'gen_ai.conversation.id': 'c' }, 2, 1],
        [{ 'gen_ai.conversation.id': 'c' }, 3, 2],
        [{ 'gen_ai.conversation.id': 'c' }, 1, 9],
      ],
      ['c 01', 'c 01', 'c 01'],
    ],
    [
      'another thread below has a turn of its own',
      [
        [{ 'session.id': 'a' }, 1, 9],
        [{ 'session.id': 'b' }, 2, 1],
        [{}, 3, 2],
      ],
      ['a 01', 'b 02', 'b 02'],
    ],
    [
      'what is said of turns holds',
      [
        [{ 'session.id': 'a' }, 1, 9],
        [{ 'session.id': 'a', 'wandb.is_turn': true }, 2, 1],
        [{ 'session.id': 'a', 'wandb.is_turn': false }, 3, 8],
        [{}, 4, 2],
      ],
      ['a 01', 'a 02', 'a ', 'a 02'],
    ],
    [
      'a thread without turns',
      [
        [{ 'wandb.thread_id': 't' }, 1, 9],
        [{}, 2, 1],
      ],
      ['t ', 't '],
    ],
    [
      'a circle',
      [
        [{ 'session.id': 's' }, 1, 2],
        [{}, 2, 1],
      ],
      ['s 01', 's 01'],
    ],
    [
      'no thread',
      [
        [{}, 1, 9],
        [{}, 2, 1],
      ],
      [' ', ' '],
    ],
  ])('%s', (_, spans, expected) => {
    expect(shown(treeOf(...spans))).toEqual(expected)
  })

  it('of many spans are as of few, and a bad span takes none along', () => {
    const count = 5000
    const idOf = (n: number) => {
      const id = Buffer.alloc(8)
      id.writeUInt32BE(n + 1, 4)
      return id
    }
    const spans = Array.from({ length: count }, (_, n) =>
      spanWith(n === 0 ? { 'session.id': 's' } : n === 7 ? { 'wandb.wb_run_step': 'bad' } : {}, {
        spanId: idOf(n),
        parentSpanId: n === 0 ? Buffer.alloc(0) : idOf(n === 8 ? 6 : n - 1),
      }),
    )
    const good = requestOf(encodeExport(exportOf(spanWith({ input: 'x' }))))
    const batch = decoded([good, requestOf(encodeExport(exportOf(...spans.reverse()))), good])
    expect(batch.results.map(({ rows, rejected }) => [rows, rejected])).toEqual([
      [1, 0],
      [count - 1, 1],
      [1, 0],
    ])
    const rows = batch.raw.map(plainRow)
    const threads = rows.map(({ thread_id, turn_id }) => `${thread_id} ${turn_id}`)
    expect(threads.slice(1, -1).every((text) => text === 's 0000000000000001')).toBe(true)
    expect([threads[0], threads.at(-1)]).toEqual(['undefined undefined', 'undefined undefined'])
    expect(rows.at(-1)!.inputs).toEqual({ input: 'x' })
  })

  it('are not taken from another project or trace', () => {
    const root = spanWith({ 'session.id': 's' }, { spanId: Buffer.alloc(8, 1) })
    const child = { spanId: Buffer.alloc(8, 2), parentSpanId: Buffer.alloc(8, 1) }
    const elsewhere = [attribute('wandb.entity', 'other'), attribute('wandb.project', 'one')]
    const message = {
      resourceSpans: [
        { scopeSpans: [{ spans: [root, spanWith({}, { ...child, traceId: Buffer.alloc(16, 3) })] }] },
        { resource: { attributes: elsewhere }, scopeSpans: [{ spans: [spanWith({}, child)] }] },
      ],
    }
    const batch = decoded([requestOf(encodeExport(message))])
    expect(shown(batch.raw.map(plainRow))).toEqual(['s 01', ' ', ' '])
  })
})

describe('usage', () => {
  it.each(rowsOf(USAGE))('%s: %s (%s)', (name, key, _, reading) => {
    for (const value of [7, '7', 7.9]) {
      expect(rowOf({ [key]: value, ...beside(reading) }).summary).toEqual({ usage: { usage: { [name]: 7 } } })
    }
    expect(rowOf({ [key]: 'many' }).summary).toEqual({})
  })

  it.each(rowsOf(COSTS))('stated, %s: %s (%s)', (name, key) => {
    for (const [value, stated] of [[0.000125], ['0.5', 0.5], [3]]) {
      const expected = { usage: { usage: { [name]: stated ?? value } } }
      expect(rowOf({ [key]: value }).summary).toEqual(expected)
    }
    for (const value of ['free', '007', '-1', '1e999', true])
      expect(rowOf({ [key]: value }).summary).toEqual({})
  })

  it('has one of two names of a count, so that nobody adds them up', () => {
    // As Strands sends them.
    const sent = {
      'gen_ai.usage.prompt_tokens': 3,
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.completion_tokens': 4,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.total_tokens': 7,
    }
    const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
    expect(rowOf(sent).summary).toEqual({ usage: { usage } })
  })

  it.each([
    [{ 'langfuse.observation.usage_details': '{"input":3,"output":4,"total":7}' }, { input_tokens: 3 }],
    [{ 'langfuse.observation.cost_details': '{"total": 0.0123}' }, { total_cost: 0.0123 }],
    [
      { 'mlflow.chat.tokenUsage': '{"input_tokens": 3, "output_tokens": 4}' },
      { input_tokens: 3, total_tokens: 7 },
    ],
    [{ 'gen_ai.usage.input_token_details': '{"cache_read": 2}' }, { cache_read_input_tokens: 2 }],
    // As Langfuse's wrapper of OpenAI's SDK for Python sends them.
    [
      {
        'langfuse.observation.usage_details':
          '{"prompt_tokens":20,"total_tokens":27,"completion_tokens_details":null,"prompt_tokens_details":{"cached_tokens":4}}',
      },
      { prompt_tokens: 20, total_tokens: 27, cache_read_input_tokens: 4 },
    ],
    // Its own names are of disjoint counts; so are those of Claude Code.
    [
      { 'langfuse.observation.usage_details': '{"input":16,"input_cached_tokens":4,"output":7,"total":27}' },
      { input_tokens: 20, output_tokens: 7, total_tokens: 27, cache_read_input_tokens: 4 },
    ],
    // As version 3 for JavaScript sends them: the total says that the cache's are among the input's.
    [
      { 'langfuse.observation.usage_details': '{"input":20,"input_cached_tokens":4,"output":7,"total":27}' },
      { input_tokens: 20, output_tokens: 7, total_tokens: 27, cache_read_input_tokens: 4 },
    ],
    [
      { input_tokens: 3, cache_read_tokens: 900, cache_creation_tokens: 100, output_tokens: 5 },
      { input_tokens: 1003, output_tokens: 5, total_tokens: 1008 },
    ],
    // As botocore sends Bedrock's, which counts the cache's apart.
    [
      {
        ...{ 'rpc.service': 'Bedrock Runtime', 'gen_ai.usage.input_tokens': 16 },
        ...{ 'gen_ai.usage.cache_read.input_tokens': 4, 'gen_ai.usage.output_tokens': 7 },
      },
      { input_tokens: 20, output_tokens: 7, total_tokens: 27, cache_read_input_tokens: 4 },
    ],
    // As Logfire sends Anthropic's, and OpenAI's.
    [
      {
        'gen_ai.usage.input_tokens': 16,
        'gen_ai.usage.raw': '{"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"input_tokens":16}',
      },
      { input_tokens: 20, cache_read_input_tokens: 4, cache_creation_input_tokens: 0 },
    ],
    [
      {
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.usage.raw':
          '{"prompt_tokens":20,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}',
      },
      { input_tokens: 20, cache_read_input_tokens: 4, reasoning_tokens: 3 },
    ],
    // What is read from a cache of an input whose count is missing.
    [
      { 'gen_ai.usage.raw': '{"cache_read_input_tokens":4}', 'gen_ai.usage.output_tokens': 7 },
      { output_tokens: 7, cache_read_input_tokens: 4 },
    ],
    // As LangSmith sends what LangChain made of an answer.
    [
      {
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.completion':
          '{"llm_output":{"token_usage":{"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":4}}}}',
      },
      { input_tokens: 20, cache_read_input_tokens: 4, reasoning_tokens: 3 },
    ],
    // As Logfire sends what OpenAI Agents made of one.
    [
      {
        'gen_ai.usage.input_tokens': 20,
        usage:
          '{"requests":1,"input_tokens":20,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":0}}',
      },
      { input_tokens: 20, cache_read_input_tokens: 4, reasoning_tokens: 0 },
    ],
  ])('is found in %j', (attributes, usage) => {
    expect(rowOf(attributes).summary).toMatchObject({ usage: { usage } })
  })

  it.each([
    ['0', {}],
    ['0.0e3', {}],
    ['0.5', { total_cost: 0.5 }],
  ])('a cost that OpenLIT says is %s', (cost, usage) => {
    const { summary } = rowOf({ 'gen_ai.usage.cost': cost, 'gen_ai.usage.output_tokens': 7 })
    expect(summary).toEqual({ usage: { usage: { output_tokens: 7, ...usage } } })
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

  it('of a turn of Codex is what its requests used together', () => {
    const turn = {
      'conversation.id': 'c',
      'turn.id': 't',
      model: 'gpt-4o',
      'codex.turn.token_usage.input_tokens': 40,
      'codex.turn.token_usage.cached_input_tokens': 8,
      'codex.turn.token_usage.cache_write_input_tokens': 0,
      'codex.turn.token_usage.non_cached_input_tokens': 32,
      'codex.turn.token_usage.output_tokens': 14,
      'codex.turn.token_usage.reasoning_output_tokens': 3,
      'codex.turn.token_usage.total_tokens': 54,
    }
    const used = {
      ...{ input_tokens: 40, output_tokens: 14, total_tokens: 54, reasoning_tokens: 3 },
      ...{ cache_read_input_tokens: 8, cache_creation_input_tokens: 0 },
    }
    expect(rowOf(turn)).toMatchObject({ thread_id: 'c', summary: { usage: { 'gpt-4o': used } } })
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

it('a span of Laminar is what it says', () => {
  const row = rowOf({
    'lmnr.span.type': 'LLM',
    'lmnr.span.input': '[{"role":"user","content":"q"}]',
    'lmnr.span.output': '"a"',
    'lmnr.span.path': ['f'],
    'lmnr.association.properties.user_id': 'ann',
    'lmnr.association.properties.session_id': 's',
    'lmnr.association.properties.metadata.plan': 'free',
  })
  expect(row).toMatchObject({
    inputs: { 'lmnr.span.input': [{ role: 'user', content: 'q' }] },
    output: { 'lmnr.span.output': 'a' },
    thread_id: 's',
  })
  const properties = { user_id: 'ann', session_id: 's', metadata: { plan: 'free' } }
  expect(row.attributes).toEqual({ kind: 'LLM', user_id: 'ann', lmnr: { association: { properties } } })
})

it('a span of Genkit is what it says, colons and all', () => {
  const request = { messages: [{ role: 'user', content: [{ text: 'q' }] }] }
  const row = rowOf({
    'genkit:metadata:subtype': 'model',
    'genkit:input': JSON.stringify(request),
    'genkit:output': '"a"',
  })
  expect(row).toMatchObject({
    inputs: { 'genkit:input': request },
    output: { 'genkit:output': 'a' },
    attributes: { kind: 'llm' },
  })
})

it('an answer that Genkit has in two spans counts in that of the request', () => {
  const usage = { inputTokens: 20, outputTokens: 7, totalTokens: 27 }
  const output = JSON.stringify({ message: {}, usage, raw: { model: 'gpt-4o' } })
  const sent = { 'genkit:type': 'util', 'genkit:output': output }
  expect(rowOf(sent).summary).toEqual({})
  expect(rowOf({ ...sent, 'genkit:metadata:subtype': 'model' }).summary).toEqual({
    usage: { 'gpt-4o': { ...{ input_tokens: 20, output_tokens: 7 }, total_tokens: 27 } },
  })
})

describe('attributes', () => {
  it.each(rowsOf(ATTRIBUTES))('%s: %s (%s)', (name, key, _, reading) => {
    if (!reading?.operation)
      expect(rowOf({ [key]: 'value', ...beside(reading) }).attributes).toMatchObject({ [name]: 'value' })
    else expect(rowOf({ [key]: 'none of these', 'llm.x': 1 }).attributes).not.toHaveProperty(name)
  })

  it.each(Object.entries(OPERATION_KINDS))('kind of %s: %s', (operation, kind) => {
    const keys = ATTRIBUTES.kind.filter(([, , reading]: Source) => reading?.operation)
    for (const [key] of keys) {
      for (const value of [operation, `${operation} my function`]) {
        expect(rowOf({ [key]: value }).attributes).toMatchObject({ kind })
      }
    }
    const both = { 'gen_ai.operation.name': operation, 'openinference.span.kind': 'CHAIN' }
    expect(rowOf(both).attributes).toMatchObject({ kind: 'CHAIN' })
  })

  it.each<[string, Attributes, object]>([
    [
      'the model that was asked, where none answered',
      { 'llm.system': 'openai', 'llm.invocation_parameters': '{"model": "gpt-4o"}' },
      { model: 'gpt-4o' },
    ],
    [
      'the same of MLflow',
      { 'mlflow.spanType': 'CHAT_MODEL', 'mlflow.spanInputs': '{"model":"gpt-4o"}', model: '"gpt-4o"' },
      { model: 'gpt-4o' },
    ],
    [
      'a user of LangGraph, in what OpenInference writes as JSON',
      { metadata: '{"user_id":"ann","thread_id":"t"}', 'llm.model_name': 'm' },
      { model: 'm', user_id: 'ann' },
    ],
    ['a tool that MCP’s client calls', { 'mcp.method.name': 'tools/call' }, { kind: 'tool' }],
    ['a generation of OpenAI Agents', { 'code.function': 'generation_span' }, { kind: 'llm' }],
  ])('%s', (_, sent, attributes) => {
    expect(rowOf(sent).attributes).toMatchObject(attributes)
  })

  it('that no convention owns stand under their own keys beside what was recognised', () => {
    const attributes = {
      'gen_ai.request.model': 'm',
      'input.value': 'q',
      'input.mime_type': 'text/plain',
      'session.id': 's',
      'user.id': 'u',
      'metadata.region': 'eu',
      'tag.tags': ['a', 'b'],
      'ai.telemetry.metadata.plan': 'free',
      'ai.telemetry.functionId': 'f',
      model: 'hidden by what was recognised',
      otel_span: 'nobody else’s',
      team: 'blue',
    }
    expect(rowOf(attributes).attributes).toEqual({
      model: 'm',
      model_parameters: { model: 'm' },
      user_id: 'u',
      session: { id: 's' },
      user: { id: 'u' },
      metadata: { region: 'eu' },
      tag: { tags: ['a', 'b'] },
      ai: { telemetry: { metadata: { plan: 'free' } } },
      team: 'blue',
    })
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
    expect(rowOf({ 'llm.other': 1, input: 'x' }).attributes).toEqual({})
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
    const beside = { [`${prefix}.attributes.team`]: 'blue', 'llm.x': 1, team: 'red', region: 'eu' }
    expect(rowOf(beside).attributes).toEqual({ team: 'blue', region: 'eu' })
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
