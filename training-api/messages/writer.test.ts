import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMessage } from '../../contract/messages.js'
import { Collector } from '../../domain/chat/collect.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Delta, Finish, GenerateEvent } from '../../proto/heddle/node/v1/messages.js'
import { type MessageForm, messageText } from './answer.js'
import type { Answering } from './read.js'
import { MessageWriter } from './writer.js'

const head = { id: 'chatcmpl-1', created: 5, model: 'm' }
const usual: Answering = {
  ...{ maxTokens: 99, stopSequences: ['x'], thinking: 'shown', logprobs: false, tokenIds: true },
}
const form = (more: Partial<Answering> = {}): MessageForm => ({
  answering: { ...usual, ...more },
  sign: (reasoning) => `signed ${reasoning}`,
})
const empty: Delta = { index: 0, text: '', reasoning: '', toolCalls: [], tokenIds: [], logprobs: [] }
const delta = (more: Partial<Delta>): GenerateEvent => ({ event: 'delta', delta: { ...empty, ...more } })
const started: GenerateEvent = {
  event: 'started',
  started: {
    promptTokens: 4,
    cachedTokens: 3,
    promptTokenIds: [7],
    queueMs: 0,
    role: '',
    promptText: '',
    vocabulary: '',
  },
}
const done = (completionTokens: number): GenerateEvent => ({
  event: 'done',
  done: {
    usage: { promptTokens: 4, completionTokens, cachedTokens: 3, reasoningTokens: 0 },
    ...{ promptLogprobs: [], firstTokenMs: 1, totalMs: 2 },
  },
})

interface Told extends Record<string, unknown> {
  type: string
  index: number
  message: Record<string, unknown>
  content_block: Record<string, unknown>
  delta: Record<string, string>
}

function told(events: GenerateEvent[], asked: MessageForm): Told[] {
  const writer = new MessageWriter(head, asked)
  const text = events.map((event) => writer.lines(event)).join('') + writer.end()
  return text
    .trimEnd()
    .split('\n\n')
    .map((lines) => {
      const [name = '', data = ''] = lines.split('\n')
      const event = JSON.parse(data.slice('data: '.length)) as Told
      expect(name).toBe(`event: ${event.type}`)
      return event
    })
}

/** What a client makes of a stream. @throws if its events are not in their order */
function followed(events: Told[]): Record<string, unknown> {
  const [first, ...rest] = events.filter(({ type }) => type !== 'ping')
  const content: Record<string, unknown>[] = []
  let message: Record<string, unknown> = { ...first?.message, content }
  let open: number | undefined
  let input = ''
  for (const event of rest) {
    const block = content[event.index]
    if (event.type === 'content_block_start') {
      expect([open, event.index]).toEqual([undefined, content.length])
      open = content.push({ ...event.content_block }) - 1
      input = ''
    } else if (event.type === 'content_block_delta') {
      expect(event.index).toBe(open)
      for (const [name, piece] of Object.entries(event.delta))
        if (name === 'partial_json') input += piece
        else if (name !== 'type') block![name] = `${block![name] as string}${piece}`
    } else if (event.type === 'content_block_stop') {
      if (block?.type === 'tool_use') block.input = JSON.parse(input || '{}')
      open = undefined
    } else if (event.type === 'message_delta') {
      const { type: _, delta: end, ...more } = event
      message = { ...message, ...end, ...more }
    }
  }
  expect([open, rest.at(-1)?.type]).toEqual([undefined, 'message_stop'])
  return message
}

function whole(events: GenerateEvent[], asked: MessageForm): Record<string, unknown> {
  const { logprobs, tokenIds } = asked.answering
  const collector = new Collector(head, { logprobs, tokenIds })
  for (const event of events) collector.add(event)
  const message = JSON.parse(messageText(collector.answer(), asked)) as Record<string, unknown>
  expect(createMessage.answer.parse(message)).toEqual(message)
  return message
}

/** `__proto__` is left out of what a schema has read. */
const keys = fc.string().filter((key) => key !== '__proto__')
const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é') }), { maxLength: 4 })
const finishes: Finish[] = [
  { reason: 'stop' },
  { reason: 'length' },
  { reason: 'stop', stopReason: 'stop', stop: 'x' },
  { reason: 'stop', stopReason: 'stop', stop: 'y' },
]
const answers = fc.record({
  reasoning: pieces,
  text: pieces,
  inputs: fc.array(fc.tuple(fc.dictionary(keys, fc.jsonValue()), fc.integer({ min: 1, max: 9 })), {
    maxLength: 3,
  }),
  finish: fc.constantFrom(...finishes),
  thinking: fc.constantFrom('none', 'shown', 'omitted') as fc.Arbitrary<Answering['thinking']>,
})

it('a stream of any answer says what the whole answer says', () => {
  fc.assert(
    fc.property(answers, ({ reasoning, text, inputs, finish, thinking }) => {
      let count = 0
      const token = () => ({ tokenIds: [count++] })
      const events = [
        started,
        ...reasoning.map((piece) => delta({ reasoning: piece, ...token() })),
        ...text.map((piece) => delta({ text: piece, ...token() })),
        ...inputs.flatMap(([input, size], index) => {
          const parts = JSON.stringify(input).match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
          const piece = (id: string, name: string, part: string) =>
            delta({ toolCalls: [{ index, id, name, arguments: part }], ...token() })
          return [piece(`call_${index}`, 'f', ''), ...parts.map((part) => piece('', '', part))]
        }),
        delta({ finish: inputs.length > 0 ? { reason: 'tool_calls' } : finish }),
        done(count),
      ]
      const asked = form({ thinking })
      expect(followed(told(events, asked))).toEqual(whole(events, asked))
    }),
  )
})

it('tells the events in their order', () => {
  const events = [
    started,
    delta({ reasoning: 'so' }),
    delta({ text: '\n' }),
    delta({ text: 'yes' }),
    delta({ toolCalls: [{ index: 0, id: 'call_1', name: 'f', arguments: '' }] }),
    delta({ toolCalls: [{ index: 0, id: '', name: '', arguments: '{}' }], finish: { reason: 'tool_calls' } }),
    done(5),
  ]
  expect(
    told(events, form()).map(({ type, delta: piece }) => [type, piece?.type].filter(Boolean).join(' ')),
  ).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta thinking_delta',
    'content_block_delta signature_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta text_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta input_json_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

it.each<[string, Finish, number, object]>([
  ['an end', { reason: 'stop' }, 1, { stop_reason: 'end_turn', stop_sequence: null }],
  ['a stop sequence', finishes[2]!, 1, { stop_reason: 'stop_sequence', stop_sequence: 'x' }],
  ['a stop string of the node’s own', finishes[3]!, 1, { stop_reason: 'end_turn', stop_sequence: null }],
  ['as many tokens as asked for', { reason: 'length' }, 99, { stop_reason: 'max_tokens' }],
  ['a full context', { reason: 'length' }, 98, { stop_reason: 'model_context_window_exceeded' }],
  ['a call', { reason: 'tool_calls' }, 1, { stop_reason: 'tool_use' }],
])('tells that it ended by %s', (_, finish, tokens, end) => {
  const events = [started, delta({ text: 'a', finish }), done(tokens)]
  expect(whole(events, form())).toMatchObject({
    ...end,
    usage: { input_tokens: 1, cache_read_input_tokens: 3, output_tokens: tokens },
  })
})

it('what a model wrote as arguments keeps its digits, and is told where it is no object', () => {
  const answer = (text: string) => {
    const collector = new Collector(head, { logprobs: false, tokenIds: false })
    collector.add(delta({ toolCalls: [{ index: 0, id: 'c', name: 'f', arguments: text }] }))
    return messageText(collector.answer(), form())
  }
  expect(answer('{"n":12345678901234567890}')).toContain('"input":{"n":12345678901234567890}')
  expect(answer('{"n":')).toContain('"input":{"INVALID_JSON":"{\\"n\\":"}')
})

it('an error in mid-stream is an event', () => {
  const writer = new MessageWriter(head, form())
  const error = new HeddleError('LOST', 503, 'The node is gone.')
  expect(writer.failed(error)).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"The node is gone.","code":"LOST","param":null}}\n\n',
  )
})
