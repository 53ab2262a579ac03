import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, OPERATORS, printCondition } from './language.js'

const field = (name: string) => ({ $getField: name })
const value = (literal: unknown) => ({ $literal: literal })

describe('a query', () => {
  it.each([
    ['', undefined],
    ['  ', undefined],
    ['status:error', { $eq: [field('summary.weave.status'), value('error')] }],
    ['status = error', { $eq: [field('summary.weave.status'), value('error')] }],
    ['latency>2s', { $gt: [field('summary.weave.latency_ms'), value(2000)] }],
    ['first_token>300ms', { $gt: [field('summary.weave.time_to_first_token_ms'), value(300)] }],
    ['env:production', { $eq: [field('environment'), value('production')] }],
    [
      'prompt:greet prompt_version:"3"',
      {
        $and: [
          { $eq: [field('prompt_name'), value('greet')] },
          { $eq: [field('prompt_version'), value('3')] },
        ],
      },
    ],
    ['model:gpt-4o', { $eq: [field('summary.weave.model'), value('gpt-4o')] }],
    ['tokens>1e3', { $gt: [field('summary.weave.total_tokens'), value(1000)] }],
    ['cost>0.05', { $gt: [field('summary.weave.cost'), value(0.05)] }],
    ['session:s1', { $eq: [field('thread_id'), value('s1')] }],
    ['latency<=1.5m', { $lte: [field('summary.weave.latency_ms'), value(90_000)] }],
    ['inputs.n:1', { $eq: [field('inputs.n'), value(1)] }],
    ['inputs.n:1234567890123456788', { $eq: [field('inputs.n'), value('1234567890123456788')] }],
    ['inputs.n!=9007199254740993', { $not: [{ $eq: [field('inputs.n'), value('9007199254740993')] }] }],
    ['inputs.n>1234567890123456788', { $gt: [field('inputs.n'), value(1234567890123456800)] }],
    [
      'tokens:1234567890123456788',
      { $eq: [field('summary.weave.total_tokens'), value(1234567890123456800)] },
    ],
    ['inputs.n:"1"', { $eq: [field('inputs.n'), value('1')] }],
    ['inputs.url:http://a:80/b', { $eq: [field('inputs.url'), value('http://a:80/b')] }],
    ['output.ok:true', { $eq: [field('output.ok'), value(true)] }],
    ['thread:null', { $eq: [field('thread_id'), value(null)] }],
    ['user!=bob', { $not: [{ $eq: [field('wb_user_id'), value('bob')] }] }],
    [
      'attributes.env:*',
      { $eq: [{ $convert: { input: field('attributes.env'), to: 'exists' } }, value(true)] },
    ],
  ])('%s', (text, expected) => expect(compile(text)).toEqual(expected))

  it('joins terms: and before or, not before both', () => {
    const [a, b, c] = ['id:a', 'id:b', 'id:c'].map(compile)
    expect(compile('id:a id:b')).toEqual({ $and: [a, b] })
    expect(compile('id:a and id:b or not id:c')).toEqual({ $or: [{ $and: [a, b] }, { $not: [c] }] })
    expect(compile('id:a (id:b or id:c)')).toEqual({ $and: [a, { $or: [b, c] }] })
    expect(compile('-id:a')).toEqual({ $not: [a] })
  })

  it('searches for a text alone, also one that begins like a word of the language', () => {
    expect(JSON.stringify(compile('"timed out"'))).toContain('"substr":{"$literal":"timed out"}')
    expect(JSON.stringify(compile('order'))).toContain('"substr":{"$literal":"order"}')
    expect(JSON.stringify(compile('nothing'))).toContain('"substr":{"$literal":"nothing"}')
  })

  it.each([
    ['stage:prod', 0, 'attributes.stage'],
    ['id:a nope>1', 5, 'nope'],
    ['(id:a', 0, 'not closed'],
    ['id:a)', 4, 'not opened'],
    ['id:"a', 3, 'not closed'],
    ['id:', 3, 'missing'],
    ['id:a or ()', 9, 'missing'],
    ['latency>2', 8, 'latency>2s or latency>2ms'],
    ['latency>abc', 8, 'length of time'],
    ['status:failed', 7, 'write status:error. There are error, running, success, descendant_error'],
    ['status:eror', 7, 'write status:error'],
    ['id:a statsu:error', 5, 'Did you mean status?'],
    ['status==error', 6, 'no such operator'],
    ['tokens>many', 7, 'a number'],
    ['feedback:x', 0, 'only shown'],
    ['started>yesterday', 8, 'no time'],
  ])('says what is wrong with %s', (text, at, message) => {
    return expect(() => compile(text)).toThrow(
      expect.objectContaining({ at, message: expect.stringContaining(message) }),
    )
  })
})

it('every condition that is printed is read back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPERATORS), fc.string({ unit: 'binary' }), (operator, text) => {
      const expr = compile(printCondition('inputs.a', operator, text))
      const found = JSON.stringify(expr)
      expect(found).toContain('"$getField":"inputs.a"')
      const { $literal } = literalOf(expr) as { $literal: unknown }
      expect(String($literal)).toBe(
        Number.isNaN(Number(text)) || typeof $literal === 'string' ? text : String(Number(text)),
      )
    }),
  )
})

it('no text makes it fail otherwise than by saying where', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'a:"\\()<>=!~- '.split(''), 'or', 'and', 'not', 'inputs.a') }),
      (text) => {
        try {
          compile(text)
        } catch (error) {
          expect(error).toMatchObject({ at: expect.any(Number) })
        }
      },
    ),
  )
})

/** The first constant in an expression. */
function literalOf(expr: unknown): unknown {
  if (typeof expr !== 'object' || expr === null) return undefined
  if ('$literal' in expr) return expr
  return Object.values(expr)
    .map(literalOf)
    .find((found) => found !== undefined)
}
