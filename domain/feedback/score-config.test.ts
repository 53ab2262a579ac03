/** Which score configs are taken, and what they say as annotation specs. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkedRules, problemBy, rulesOf, type ScoreRules, specText } from './score-config.js'

const limit = fc.option(fc.integer({ min: -9, max: 9 }))
const categories = fc.option(
  fc.array(fc.record({ value: fc.integer({ min: 0, max: 9 }), label: fc.string({ minLength: 1 }) }), {
    maxLength: 4,
  }),
)
const given: fc.Arbitrary<ScoreRules> = fc.record({
  name: fc.string({ minLength: 1 }),
  dataType: fc.constantFrom('NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT'),
  isArchived: fc.boolean(),
  ...{ minValue: limit, maxValue: limit, categories },
  description: fc.option(fc.string()),
})

it('what is taken is read back from its annotation spec', () => {
  fc.assert(
    fc.property(given, (one) => {
      const rules = checkedRules(one)
      if (typeof rules === 'string') return
      expect(rulesOf('id', JSON.parse(specText(rules, 'now')))).toEqual(rules)
    }),
  )
})

it.each([
  [{ type: 'boolean' }, { dataType: 'BOOLEAN' }],
  [
    { type: 'integer', minimum: 1, maximum: 5 },
    { dataType: 'NUMERIC', minValue: 1, maxValue: 5 },
  ],
  [
    { type: 'string', enum: ['a', 'b'] },
    {
      dataType: 'CATEGORICAL',
      categories: [
        { value: 0, label: 'a' },
        { value: 1, label: 'b' },
      ],
    },
  ],
  [{ type: 'string' }, { dataType: 'TEXT' }],
])('a spec of another client is a config: %j', (field_schema, rules) => {
  expect(rulesOf('id', { field_schema })).toMatchObject({ name: 'id', ...rules })
})

it('a spec of lists is none', () => {
  expect(rulesOf('id', { field_schema: { type: 'array' } })).toBeUndefined()
})

const rules = { name: 'mark', dataType: 'NUMERIC', minValue: 1, maxValue: 5 } as ScoreRules
it.each([
  [{}, { value: 3 }, undefined],
  [{}, { value: 0 }, 'below 1'],
  [{}, { value: 6 }, 'above 5'],
  [{}, { value: 3, name: 'other' }, 'named "mark"'],
  [{ isArchived: true }, { value: 3 }, 'archived'],
])('with %j, %j is refused because of %s', (more, score, reason) => {
  const problem = problemBy({ ...rules, ...more }, { name: 'mark', ...score })
  expect(problem).toEqual(reason && expect.stringContaining(reason))
})
