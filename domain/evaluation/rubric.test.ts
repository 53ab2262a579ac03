import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schemaCheck } from '../../platform/json-schema/check.js'
import type { RubricRule } from './plan.js'
import { readScores, rubricMessages, rubricSchema } from './rubric.js'

const scale = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 50 }))
  .map(([min, size]) => ({ min, max: min + size }))
const criteria = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    description: fc.string(),
    weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
  }),
  { minLength: 1, maxLength: 4, selector: ({ name }) => name },
)
const rubric = fc.record({ scale, criteria })
/** A rubric, and a whole answer of its judge: entries in any order. */
const judged = rubric.chain((rule) =>
  fc
    .array(
      fc.record({
        reason: fc.string(),
        shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
          minLength: rule.criteria.length,
          maxLength: rule.criteria.length,
        }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .chain((answers) =>
      fc
        .shuffledSubarray(
          answers.map((_, i) => i),
          { minLength: answers.length },
        )
        .map((order) => ({
          rule,
          answers,
          entries: order.map((i) => ({
            answer: i + 1,
            reason: answers[i]!.reason,
            criteria: Object.fromEntries(
              rule.criteria.map(({ name }, k) => [
                name,
                rule.scale.min + answers[i]!.shares[k]! * (rule.scale.max - rule.scale.min),
              ]),
            ),
          })),
        })),
    ),
)

it('scores are weighted means of the criteria, from 0 to 1, in the order of the answers', () =>
  fc.assert(
    fc.property(judged, ({ rule, answers, entries }) => {
      const scores = readScores(rule, answers.length, { scores: entries })
      if (typeof scores === 'string') throw new Error(scores)
      const total = rule.criteria.reduce((sum, { weight }) => sum + weight, 0)
      for (const [i, { shares, reason }] of answers.entries()) {
        const mean = rule.criteria.reduce((sum, { weight }, k) => sum + weight * shares[k]!, 0) / total
        expect(scores[i]!.value).toBeCloseTo(mean, 9)
        expect(scores[i]!.reason).toBe(reason)
      }
    }),
  ))

it('an answer without each score, once and within the scale, is refused', () =>
  fc.assert(
    fc.property(judged, fc.nat(), fc.nat(5), ({ rule, answers, entries }, at, how) => {
      const i = at % entries.length
      const spoilt = structuredClone(entries) as Record<string, unknown>[]
      const { name } = rule.criteria[0]!
      const given = spoilt[i]!.criteria as Record<string, unknown>
      if (how === 0) spoilt.splice(i, 1)
      if (how === 1) spoilt.push(spoilt[i]!)
      if (how === 2) spoilt[i]!.answer = entries.length + 1
      if (how === 3) given[name] = rule.scale.max + 1
      if (how === 4) given[name] = Number.NaN
      if (how === 5) delete given[name]
      expect(readScores(rule, answers.length, { scores: spoilt })).toEqual(expect.any(String))
    }),
  ))

it.each([null, 3, [], {}, { scores: {} }, { scores: [3] }])('%j is no answer', (said) => {
  const rule = { scale: { min: 0, max: 1 }, criteria: [{ name: 'good', description: '', weight: 1 }] }
  expect(readScores(rule, 1, said)).toEqual(expect.any(String))
})

it('the schema that the judge is held to allows what is read', () =>
  fc.assert(
    fc.property(judged, ({ rule, entries }) => {
      expect(schemaCheck(rubricSchema(rule))({ scores: entries })).toBeUndefined()
    }),
  ))

it('the judge gets the group as one JSON text, whatever is in the answers', () =>
  fc.assert(
    fc.property(rubric, fc.array(fc.string()), fc.array(fc.string()), (rule, question, answers) => {
      const whole = { ...rule, kind: 'rubric', instructions: '' } as unknown as RubricRule
      const [, asked] = rubricMessages(whole, question, answers)
      expect(JSON.parse(String(asked!.content))).toEqual({
        request: question,
        answers: answers.map((answer, i) => ({ number: i + 1, answer })),
      })
    }),
  ))
