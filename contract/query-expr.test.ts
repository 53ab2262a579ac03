/** The walk over an expression accepts what its schemas describe, and takes time by its size. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Query } from './query-expr.js'

/** The schemas themselves: a copy has no walk. */
const described = z.core.clone(Query, Query._zod.def)

const wrong = fc.constantFrom<unknown>(null, 1, 'x', [], {}, true, { $nothing: 1 })
const { operand } = fc.letrec<{ operand: unknown; operation: unknown; literal: unknown }>((tie) => {
  const some = fc.array(tie('operand'), { maxLength: 3 })
  const pair = fc.tuple(tie('operand'), tie('operand'))
  return {
    literal: fc.record({
      $literal: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>('a', 1.5, true, null),
        fc.array(tie('literal'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', '__proto__', '$b'), tie('literal'), { maxKeys: 2 }),
      ),
    }),
    operation: fc.oneof(
      fc.record({ $and: some }),
      fc.record({ $or: some }),
      fc.record({ $not: fc.oneof(fc.tuple(tie('operand')), some) }),
      ...['$eq', '$gt', '$lt', '$gte', '$lte'].map((name) => fc.record({ [name]: pair })),
      fc.record({ $in: fc.tuple(tie('operand'), fc.oneof(some, wrong)) }),
      fc.record({
        $contains: fc.record(
          {
            ...{ input: tie('operand'), substr: tie('operand') },
            case_insensitive: fc.constantFrom<unknown>(true, null, 'yes'),
          },
          { requiredKeys: [] },
        ),
      }),
    ),
    operand: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({ $getField: fc.constantFrom<unknown>('id', 'inputs.a', 'id', 'id', 3) }),
      tie('literal'),
      fc.record({ $size: tie('operand') }),
      fc.record({
        $convert: fc.record({ input: tie('operand'), to: fc.constantFrom<unknown>('int', 'string', 'blob') }),
      }),
      tie('operation'),
      tie('operation'),
      { arbitrary: wrong, weight: 1 },
    ),
  }
})

it('accepts what its schemas describe, and nothing else', () => {
  const seen = { good: 0, bad: 0 }
  fc.assert(
    fc.property(operand, ($expr) => {
      const isGood = described.safeParse({ $expr }).success
      seen[isGood ? 'good' : 'bad']++
      expect(Query.safeParse({ $expr }).success).toBe(isGood)
    }),
    { numRuns: 3_000 },
  )
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(150)
})

describe('a problem', () => {
  const id = { $getField: 'id' }
  it.each<[string, unknown, string[], string]>([
    ['no expression', {}, ['$expr'], 'Field required'],
    ['a text', 'id', [], 'Should be an object with $expr'],
    ['another key', { $expr: { $and: [] }, limit: 1 }, [], 'Unrecognized key: "limit"'],
    [
      'an operand that is missing',
      { $expr: { $contains: { input: id } } },
      ['$contains', 'substr'],
      'Field required',
    ],
    [
      'a number without end',
      { $expr: { $eq: [id, { $literal: Infinity }] } },
      ['$eq', '1', '$literal'],
      'finite',
    ],
    [
      'deep in it',
      { $expr: { $not: [{ $in: [id, [id, { $size: 1 }]] }] } },
      ['$not', '0', '$in', '1', '1', '$size'],
      'one operator',
    ],
  ])('%s', (_, query, path, message) => {
    const [issue] = Query.safeParse(query).error?.issues ?? []
    expect(issue?.message).toContain(message)
    expect(issue?.path.map(String).filter((part) => part !== '$expr')).toEqual(
      path.filter((part) => part !== '$expr'),
    )
  })

  it('of an absent query is that it is missing', () => {
    expect(z.object({ query: Query }).safeParse({}).error?.issues[0]).toMatchObject({ code: 'invalid_type' })
    expect(z.object({ query: Query.nullish() }).safeParse({}).success).toBe(true)
  })
})
