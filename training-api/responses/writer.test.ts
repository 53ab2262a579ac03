import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createResponse } from '../../contract/responses.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Delta, GenerateEvent } from '../../proto/heddle/node/v1/messages.js'
import type { Answering } from './read.js'
import { type ResponseHead, ResponseWriter } from './writer.js'

const head: ResponseHead = { id: 'resp_0', created: 5, model: 'm' }
const answering: Answering = {
  ...{ repeated: '"metadata":{}', summary: false, encrypted: false, logprobs: false, tokenIds: false },
  tools: {
    look: { name: 'look', isCustom: false },
    edit: { name: 'edit', isCustom: true },
    team__ask: { name: 'ask', namespace: 'team', isCustom: false },
  },
}
const empty: Delta = { index: 0, text: '', reasoning: '', toolCalls: [], tokenIds: [], logprobs: [] }
const delta = (more: Partial<Delta>): GenerateEvent => ({ event: 'delta', delta: { ...empty, ...more } })
const started: GenerateEvent = {
  event: 'started',
  started: {
    promptTokens: 4,
    cachedTokens: 2,
    promptTokenIds: [],
    queueMs: 0,
    role: '',
    promptText: '',
    vocabulary: '',
  },
}
const done: GenerateEvent = {
  event: 'done',
  done: {
    usage: { promptTokens: 4, completionTokens: 3, cachedTokens: 2, reasoningTokens: 1 },
    ...{ promptLogprobs: [], firstTokenMs: 1, totalMs: 2 },
  },
}

interface Told {
  type: string
  sequence_number: number
  output_index?: number
  item_id?: string
  delta?: string
  item?: Item
  response?: { status: string; output: Item[] }
}
type Item = Record<string, unknown> & { id: string; type: string }

const writerOf = (more: Partial<Answering> = {}) =>
  new ResponseWriter({
    head,
    answering: { ...answering, ...more },
    seal: (text) => `sealed ${text}`,
    store: async () => undefined,
  })

async function streamed(events: GenerateEvent[], more: Partial<Answering> = {}): Promise<Told[]> {
  const writer = writerOf(more)
  return parsed(events.map((event) => writer.lines(event)).join('') + (await writer.end()))
}

function parsed(text: string): Told[] {
  return text
    .split('\n\n')
    .filter((lines) => lines !== '')
    .map((lines) => {
      const [event = '', data = ''] = lines.split('\n')
      const told = JSON.parse(data.slice('data: '.length)) as Told
      expect(event).toBe(`event: ${told.type}`)
      return told
    })
}

async function whole(events: GenerateEvent[], more: Partial<Answering> = {}) {
  const writer = writerOf(more)
  for (const event of events) writer.lines(event)
  const answer = JSON.parse(await writer.whole())
  createResponse.answer.parse(answer)
  return answer
}

/** An answer, whatever the model wrote: parts in any order, cut anywhere. */
const part = fc.oneof(
  fc.record({ reasoning: fc.string({ minLength: 1 }) }),
  fc.record({ text: fc.string({ minLength: 1 }) }),
  fc.record({
    tool: fc.constantFrom('look', 'edit', 'team__ask', 'unknown'),
    pieces: fc.array(fc.string(), { maxLength: 3 }),
  }),
)
const answer = fc
  .tuple(fc.array(part, { maxLength: 8 }), fc.constantFrom('stop', 'length', 'tool_calls'))
  .map(([parts, reason]) => {
    let calls = 0
    const deltas = parts.flatMap((one) => {
      if (!('tool' in one)) return [delta(one)]
      const index = calls++
      const first = { index, id: `call-${index}`, name: one.tool, arguments: '' }
      const rest = one.pieces.map((text) => ({ index, id: '', name: '', arguments: text }))
      return [first, ...rest].map((call) => delta({ toolCalls: [call] }))
    })
    return [started, ...deltas, delta({ finish: { reason } }), done]
  })

it('a stream tells the whole: each item begins, grows by its deltas and ends as the whole has it', () =>
  fc.assert(
    fc.asyncProperty(answer, fc.boolean(), async (events, summary) => {
      const told = await streamed(events, { summary, encrypted: summary })
      const complete = await whole(events, { summary, encrypted: summary })
      expect(told.map((one) => one.sequence_number)).toEqual(told.map((_, i) => i))
      const last = told.at(-1)!
      expect(last.type).toBe(`response.${complete.status}`)
      const { completed_at: _, ...rest } = complete
      expect(last.response).toMatchObject(rest)
      const ended = told.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item!)
      expect(ended).toEqual(complete.output)
      for (const [i, item] of (complete.output as Item[]).entries()) {
        const own = told.filter((one) => one.output_index === i)
        expect(own[0]).toMatchObject({ type: 'response.output_item.added', item: { id: item.id } })
        const text = own.map((one) => one.delta ?? '').join('')
        expect(text).toBe(textOf(item))
      }
    }),
  ))

function textOf(item: Item): unknown {
  const first = (parts: unknown) => (parts as { text: string }[] | undefined)?.[0]?.text
  if (item.type === 'message') return first(item.content)
  if (item.type === 'reasoning') return first(item.content) ?? first(item.summary)
  return item.type === 'function_call' ? item.arguments : item.input
}

it('the events of reasoning, a text and two calls are in the order that clients wait for', async () => {
  const call = (index: number, name: string, text: string) =>
    delta({ toolCalls: [{ index, id: `call-${index}`, name, arguments: text }] })
  const events = [
    ...[started, delta({ reasoning: 'hm' }), delta({ text: 'so' }), call(0, 'look', '{}')],
    ...[call(1, 'edit', '{"input":"a\\nb"}'), delta({ finish: { reason: 'tool_calls' } }), done],
  ]
  const told = await streamed(events, { summary: true, encrypted: true })
  expect(told.map(({ type, output_index: i }) => [type.slice('response.'.length), i])).toEqual([
    ['created', undefined],
    ['in_progress', undefined],
    ['output_item.added', 0],
    ['reasoning_summary_part.added', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.done', 0],
    ['reasoning_summary_part.done', 0],
    ['output_item.done', 0],
    ['output_item.added', 1],
    ['content_part.added', 1],
    ['output_text.delta', 1],
    ['output_text.done', 1],
    ['content_part.done', 1],
    ['output_item.done', 1],
    ['output_item.added', 2],
    ['function_call_arguments.delta', 2],
    ['function_call_arguments.done', 2],
    ['output_item.done', 2],
    ['output_item.added', 3],
    ['custom_tool_call_input.delta', 3],
    ['custom_tool_call_input.done', 3],
    ['output_item.done', 3],
    ['completed', undefined],
  ])
  expect(told.at(-1)?.response?.output).toMatchObject([
    { type: 'reasoning', summary: [{ text: 'hm' }], encrypted_content: 'sealed hm' },
    { type: 'message', content: [{ text: 'so' }] },
    { type: 'function_call', call_id: 'call-0', name: 'look', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'call-1', name: 'edit', input: 'a\nb' },
  ])
})

it('a tool of a namespace is called by both of its names', async () => {
  const call = { index: 0, id: 'c', name: 'team__ask', arguments: '{}' }
  const { output } = await whole([
    started,
    delta({ toolCalls: [call], finish: { reason: 'tool_calls' } }),
    done,
  ])
  expect(output).toMatchObject([{ name: 'ask', namespace: 'team' }])
})

it('an answer that the limit of tokens cut off is incomplete', async () => {
  const { usage, ...answer } = await whole([
    started,
    delta({ text: 'a', finish: { reason: 'length' } }),
    done,
  ])
  expect(answer).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
  })
  expect(usage).toEqual({
    input_tokens: 4,
    input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 7,
  })
})

it('an error in the middle ends the stream with a failed response', async () => {
  const writer = writerOf()
  writer.lines(started)
  writer.lines(delta({ text: 'a' }))
  const [told] = parsed(await writer.failed(new HeddleError('LOST', 503, 'Gone.')))
  expect(told).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'Gone.', reason: 'LOST' } },
  })
})

it('tokens and log-probabilities come where they are asked for', async () => {
  const logprobs = [{ tokenId: 7, token: 'a', logprob: -1, bytes: Buffer.from('a'), rank: 1, top: [] }]
  const events = [started, delta({ text: 'a', tokenIds: [7], logprobs, finish: { reason: 'stop' } }), done]
  expect(await whole(events, { logprobs: true, tokenIds: true })).toMatchObject({
    token_ids: [7],
    output: [{ content: [{ logprobs: [{ token: 'a', logprob: -1, top_logprobs: [] }] }] }],
  })
})
