import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeddleError } from '../../platform/errors/error.js'
import type { GenerateEvent } from '../../proto/heddle/node/v1/messages.js'
import { CompletionWriter, headOf, PromptAnswer } from './answer.js'
import { type CompletionWanted, readCompletion } from './read.js'

const head = headOf({ id: 'chatcmpl-1', created: 1, model: 'm' })
const read = (body: object) => readCompletion(Buffer.from(JSON.stringify(body)))

/** Events of an answer with two choices, whose deltas interleave; each token has the text of its delta. */
const answers = fc.record({
  prompt: fc.string(),
  deltas: fc.array(fc.record({ index: fc.nat(1), text: fc.string({ minLength: 1 }) }), { maxLength: 20 }),
})

function eventsOf(prompt: string, deltas: readonly { index: number; text: string }[]): GenerateEvent[] {
  const started = { promptTokens: 1, cachedTokens: 0, promptTokenIds: [1], queueMs: 0, role: '' }
  const end = [0, 1].map((index) => ({ index, text: '', finish: { reason: 'stop', stopReason: undefined } }))
  return [
    { event: 'started', started: { ...started, promptText: prompt } },
    ...[...deltas, ...end].map((delta) => ({
      event: 'delta' as const,
      delta: {
        ...{ reasoning: '', toolCalls: [], tokenIds: delta.text === '' ? [] : [7] },
        logprobs:
          delta.text === ''
            ? []
            : [
                {
                  tokenId: 7,
                  token: delta.text,
                  logprob: -1,
                  bytes: Buffer.from(delta.text),
                  rank: 1,
                  top: [],
                },
              ],
        ...delta,
      },
    })),
  ] as GenerateEvent[]
}

describe('answers', () => {
  it.each([
    { echo: true, logprobs: undefined },
    { echo: false, logprobs: 1 },
  ])('are the same as a stream and whole, with %o', (asked) => {
    const wanted: CompletionWanted = { ...asked, nothing: false, tokenIds: true, n: 2 }
    fc.assert(
      fc.property(answers, ({ prompt, deltas }) => {
        const whole = new PromptAnswer(wanted, 2)
        const writer = new CompletionWriter(head, wanted, 2)
        let lines = ''
        for (const event of eventsOf(prompt, deltas)) {
          whole.add(event)
          lines += writer.lines(event)
        }
        const streamed = lines
          .split('\n\n')
          .filter((line) => line !== '')
          .flatMap((line) => JSON.parse(line.slice('data: '.length)).choices as Choice[])
        for (const choice of whole.choices()) {
          const mine = streamed.filter(({ index }) => index === choice.index)
          expect(mine.map(({ text }) => text).join('')).toBe(choice.text)
          expect(mine.flatMap(({ token_ids: ids }) => ids)).toEqual(choice.token_ids)
          const offsets = mine.flatMap(({ logprobs }) => logprobs?.text_offset ?? [])
          expect(offsets).toEqual(choice.logprobs?.text_offset ?? [])
          expect(mine.at(-1)?.finish_reason).toBe('stop')
        }
      }),
    )
  })

  it('of prompts that are only scored have nothing that was generated', () => {
    const answer = new PromptAnswer({ echo: true, logprobs: 0, nothing: true, tokenIds: true, n: 1 }, 0)
    const one = (token: string) => ({
      tokenId: 1,
      token,
      logprob: -2,
      bytes: Buffer.from(token),
      rank: 1,
      top: [],
    })
    const done = {
      promptLogprobs: [{ tokens: [] }, { tokens: [one(' b'), one(' c')] }],
      firstTokenMs: 1,
      totalMs: 1,
    }
    const usage = { promptTokens: 2, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 }
    for (const event of eventsOf('a b', [{ index: 0, text: ' x' }])) answer.add(event)
    answer.add({ event: 'done', done: { ...done, usage } })
    expect(answer.choices()[0]).toMatchObject({
      ...{ text: 'a b', finish_reason: 'length', token_ids: [] },
      logprobs: {
        ...{ tokens: ['a', ' b'], token_logprobs: [null, -2], text_offset: [0, 1] },
        top_logprobs: [null, { ' b': -2, ' c': -2 }],
      },
    })
    expect(answer.usage.completion_tokens).toBe(0)
  })
})

interface Choice {
  index: number
  text: string
  finish_reason: string | null
  token_ids: number[]
  logprobs: { text_offset: number[] } | null
}

describe('requests', () => {
  it.each([
    ['a text', 'x', [{ text: 'x' }]],
    ['texts', ['x', ''], [{ text: 'x' }, { text: '' }]],
    ['tokens', [1, 2], [{ tokenIds: [1, 2] }]],
    ['lists of tokens', [[1], [2]], [{ tokenIds: [1] }, { tokenIds: [2] }]],
  ])('take %s as prompt', (_, prompt, prompts) => {
    expect(read({ prompt }).prompts).toEqual(prompts)
  })

  it('keep the digits of large numbers, and show each prompt alone', () => {
    const text = '{"seed":9007199254740993,"prompt":["a","b"]}'
    const { read: chat, inputs } = readCompletion(Buffer.from(text))
    expect(chat.seed).toBe('9007199254740993')
    expect(inputs).toEqual([
      '{"prompt":"a","seed":9007199254740993}',
      '{"prompt":"b","seed":9007199254740993}',
    ])
  })

  it('ask for 16 tokens unless told otherwise', () => {
    expect(read({ prompt: 'x' }).read.fields.max_tokens).toBe(16)
    expect(read({ prompt: 'x', max_tokens: 0, echo: true })).toMatchObject({
      ...{ read: { fields: { max_tokens: 1 } }, wanted: { nothing: true } },
    })
  })

  it.each([
    [{}, 422],
    [{ prompt: [] }, 422],
    [{ prompt: ['x', 1] }, 422],
    [{ prompt: 'x', logprobs: 21 }, 422],
    [{ prompt: 'x', logprobs: true }, 422],
    [{ prompt: '\ud800' }, 400],
    [{ prompt: 'x', suffix: 'y' }, 400],
    [{ prompt: 'x', best_of: 2 }, 400],
    [{ prompt: 'x', max_tokens: 0 }, 400],
    [{ prompt: ['x', 'y'], n: 65 }, 400],
    [{ prompt: 'x', stream: true, echo: true, logprobs: 1 }, 400],
  ])('refuse %j with %i', (body, status) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ status }) as HeddleError)
  })
})
