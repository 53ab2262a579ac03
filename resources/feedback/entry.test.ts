import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFeedback, readFeedbackBatch, readFeedbackReplacement } from './entry.js'

const project_id = 'acme/one'
const body = (more: object = {}) => ({
  project_id,
  weave_ref: 'weave:///acme/one/call/c1',
  feedback_type: 'mine',
  payload: {},
  ...more,
})
const bytes = (value: unknown, space?: number) => Buffer.from(JSON.stringify(value, null, space))
const withPayload = (payload: string) =>
  Buffer.from(JSON.stringify(body()).replace('"payload":{}', `"payload":${payload}`))

describe('a payload', () => {
  it.each([
    ['{"one":1.0,"big":123456789012345678901234567890,"e":1E5,"z":-0.0}', undefined],
    ['{ "a" : [ 1 , { "b" : "c d" } ] }', '{"a":[1,{"b":"c d"}]}'],
    ['{"twice":1,"twice":2}', undefined],
    ['{"__proto__":{"x":1},"constructor":2}', undefined],
    ['{"half":"\\ud83d"}', '{"half":"\\ufffd"}'],
  ])('%s is kept as it is, on one line', (payload, stored = payload) => {
    expect(readFeedback(withPayload(payload)).entries[0]?.payload).toBe(stored)
  })
  it('is what it was, whatever it is', () => {
    const payload = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(payload, fc.constantFrom(0, 1, 3), (given, space) => {
        const read = readFeedback(bytes(body({ payload: given }), space)).entries[0]!.payload
        expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(given)))
        expect(read).not.toContain('\n')
      }),
    )
  })
  it('of a reaction gets the names of its emoji', () => {
    const reaction = { feedback_type: 'wandb.reaction.1', payload: { alias: 'mine', emoji: '👍', n: 1 } }
    expect(readFeedback(bytes(body(reaction))).entries[0]?.payload).toBe(
      '{"alias":":thumbs_up:","emoji":"👍","n":1,"detoned":"👍","detoned_alias":":thumbs_up:"}',
    )
  })
})

it('the fields of scorers are kept where one of them is set', () => {
  const scorerOf = (more: object) => readFeedback(bytes(body(more))).entries[0]!.scorer
  expect(scorerOf({})).toBe('')
  expect(
    scorerOf({ scorer_tags: [], scorer_ratings: {}, span_status_code: 'UNSET', span_trace_id: null }),
  ).toBe('')
  expect(JSON.parse(scorerOf({ span_agent_name: 'bot' }))).toMatchObject({
    span_agent_name: 'bot',
    span_status_code: 'UNSET',
    scorer_tags: [],
  })
})

it('a batch is read in order, each with its own payload', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 20 }), (payloads) => {
      const batch = payloads.map((payload, i) => body({ payload, id: `f${i}` }))
      const { entries } = readFeedbackBatch(bytes({ before: [{ payload: 1 }], batch }))
      expect(entries.map(({ id }) => id)).toEqual(payloads.map((_, i) => `f${i}`))
      expect(entries.map(({ payload }) => JSON.parse(payload))).toEqual(JSON.parse(JSON.stringify(payloads)))
    }),
  )
})

it('whatever the bytes are, it is a refusal or feedback', () => {
  const near = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.jsonValue().map((value) => bytes(body({ payload: value }))),
    fc.jsonValue().map((value) => bytes({ batch: value })),
    fc.jsonValue().map((value) => bytes({ batch: [body({ scorer_tags: value })] })),
    fc.tuple(fc.nat(200), fc.nat(255)).map(([at, byte]) => {
      const broken = bytes({ batch: [body({ payload: { a: [1, 'x'] } })] })
      broken[at % broken.length] = byte
      return broken
    }),
  )
  for (const read of [readFeedback, readFeedbackBatch, readFeedbackReplacement])
    fc.assert(
      fc.property(near, (given) => {
        try {
          for (const entry of read(Buffer.from(given)).entries) JSON.parse(entry.payload)
        } catch (error) {
          expect([400, 413, 422]).toContain((error as { status?: number }).status)
        }
      }),
      { numRuns: 300 },
    )
})
