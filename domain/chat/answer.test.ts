import { describe, expect, it } from 'vitest'
import { createChatCompletion } from '../../contract/chat-answer.js'
import type { Delta, GenerateEvent, TokenLogprob } from '../../proto/heddle/node/v1/messages.js'
import { ChunkWriter } from './chunks.js'
import { Collector } from './collect.js'

const head = { id: 'chatcmpl-1', created: 5, model: 'm' }
const none = { logprobs: false, tokenIds: false }
const delta = (more: Partial<Delta>): GenerateEvent => ({
  event: 'delta',
  delta: { index: 0, text: '', reasoning: '', toolCalls: [], tokenIds: [], logprobs: [], ...more },
})
const started: GenerateEvent = {
  event: 'started',
  started: {
    promptTokens: 4,
    cachedTokens: 2,
    promptTokenIds: [9, 8],
    queueMs: 0,
    role: '',
    promptText: '',
    vocabulary: '',
  },
}
const token = (text: string, top: TokenLogprob[] = []): TokenLogprob => ({
  ...{ tokenId: 1, token: text, logprob: -1, bytes: Buffer.from(text), rank: 1, top },
})
const done: GenerateEvent = {
  event: 'done',
  done: {
    usage: { promptTokens: 4, completionTokens: 3, cachedTokens: 2, reasoningTokens: 1 },
    promptLogprobs: [{ tokens: [] }, { tokens: [token('a')] }],
    firstTokenMs: 1,
    totalMs: 2,
  },
}
const calls = [
  delta({ toolCalls: [{ index: 0, id: 'call-1', name: 'f', arguments: '' }], tokenIds: [1] }),
  delta({ toolCalls: [{ index: 0, id: '', name: '', arguments: '{"a"' }], tokenIds: [2] }),
  delta({
    toolCalls: [{ index: 0, id: '', name: '', arguments: ':1}' }],
    tokenIds: [3],
    finish: { reason: 'tool_calls' },
  }),
]

function collected(events: GenerateEvent[], wanted = none) {
  const collector = new Collector(head, wanted)
  for (const event of events) collector.add(event)
  const answer = collector.answer()
  expect(createChatCompletion.answer.parse(answer)).toEqual(answer)
  return answer
}

function chunks(events: GenerateEvent[], wanted: object = {}): Record<string, unknown>[] {
  const writer = new ChunkWriter(head, { ...none, usage: false, continuousUsage: false, ...wanted })
  return events
    .map((event) => writer.lines(event))
    .join('')
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
}

describe('an answer in one piece', () => {
  it('joins what came in parts, choice by choice', () => {
    const events = [
      started,
      delta({ index: 1, text: 'b', tokenIds: [1] }),
      delta({ text: 'a', reasoning: 'because', tokenIds: [2] }),
      delta({
        index: 1,
        text: 'c',
        tokenIds: [3],
        finish: { reason: 'stop', stopReason: 'stop', stop: 'x' },
      }),
      delta({ finish: { reason: 'length' } }),
      done,
    ]
    expect(collected(events, { logprobs: false, tokenIds: true })).toMatchObject({
      choices: [
        {
          index: 0,
          message: { content: 'a', reasoning: 'because' },
          finish_reason: 'length',
          token_ids: [2],
        },
        { index: 1, message: { content: 'bc' }, finish_reason: 'stop', stop_reason: 'x', token_ids: [1, 3] },
      ],
      prompt_token_ids: [9, 8],
      prompt_logprobs: [null, { 1: { logprob: -1, rank: 1, decoded_token: 'a' } }],
      usage: { total_tokens: 7, completion_tokens_details: { reasoning_tokens: 1 } },
    })
  })

  it('has tool calls whole, and no content beside them', () => {
    expect(collected([started, ...calls, done]).choices).toMatchObject([
      {
        message: {
          content: null,
          tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ])
  })

  it('has a log-probability for each token', () => {
    const { choices } = collected(
      [started, delta({ text: 'é', tokenIds: [1], logprobs: [token('é', [token('e')])] }), done],
      {
        logprobs: true,
        tokenIds: false,
      },
    )
    expect(choices[0]?.logprobs?.content).toEqual([
      {
        token: 'é',
        logprob: -1,
        bytes: [195, 169],
        top_logprobs: [{ token: 'e', logprob: -1, bytes: [101] }],
      },
    ])
  })

  it('that was broken off counts what came', () => {
    expect(collected([started, delta({ text: 'a', tokenIds: [1, 2] })]).usage).toMatchObject({
      prompt_tokens: 4,
      completion_tokens: 2,
    })
  })
})

describe('a stream', () => {
  it('begins each choice with its role and ends it with its reason', () => {
    const found = chunks([
      started,
      delta({ text: 'a' }),
      delta({ index: 1, text: 'b', finish: { reason: 'stop' } }),
      done,
    ])
    expect(found.map(({ choices }) => (choices as object[])[0])).toMatchObject([
      { index: 0, delta: { role: 'assistant', content: '' } },
      { index: 0, delta: { content: 'a' } },
      { index: 1, delta: { role: 'assistant', content: '' } },
      { index: 1, delta: { content: 'b' } },
      { index: 1, delta: {}, finish_reason: 'stop' },
      undefined,
    ])
    expect(found[0]).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
    })
  })

  it('has the ids of the prompt in its first chunk alone', () => {
    const found = chunks([started, delta({ text: 'a', tokenIds: [1] })], { tokenIds: true })
    expect(found.map((chunk) => chunk.prompt_token_ids)).toEqual([[9, 8], undefined])
    expect(found[1]).toMatchObject({ choices: [{ token_ids: [1] }] })
  })

  it('counts as it goes where that is wanted, and at its end', () => {
    const found = chunks([started, delta({ text: 'a', tokenIds: [1, 2] }), done], {
      continuousUsage: true,
      usage: true,
    })
    expect(found.map(({ usage }) => (usage as { completion_tokens: number }).completion_tokens)).toEqual([
      0, 2, 3,
    ])
    expect(found.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 7 } })
  })

  it('has the parts of tool calls, the id in the first', () => {
    const found = chunks(calls).map(
      ({ choices }) => (choices as { delta: { tool_calls?: unknown } }[])[0]?.delta.tool_calls,
    )
    expect(found).toEqual([
      undefined,
      [{ index: 0, id: 'call-1', type: 'function', function: { name: 'f' } }],
      [{ index: 0, function: { arguments: '{"a"' } }],
      [{ index: 0, function: { arguments: ':1}' } }],
      undefined,
    ])
  })
})
