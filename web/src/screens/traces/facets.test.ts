import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choiceOf, FACETS, limitsOf, othersOf, toggled, withLimits, without } from './facets.js'
import { compile } from './language.js'

const TEXTS = [
  '',
  'status:error',
  'latency>2s "timed out"',
  'status:error or model:a',
  'not (model:a or status:error) env!=test',
  '(env:test or env:"a b") model~gpt inputs.n:1',
]
const text = fc.constantFrom(...TEXTS)
const path = fc
  .constantFrom(...FACETS.filter(({ facet, values }) => facet === 'values' && !values))
  .map((field) => field.path)
const value = fc.oneof(
  fc.constantFrom('a', 'two words', 'or', '3', 'true', 'null', '-x', '*', null),
  fc.string({ unit: 'binary' }),
)
const which = fc.constantFrom('included' as const, 'excluded' as const)

describe('what is chosen', () => {
  it('is in the filter, and there once', () => {
    fc.assert(
      fc.property(text, path, value, which, (text, path, value, which) => {
        const before = choiceOf(text, path)
        const after = choiceOf(toggled(text, path, value, which), path)
        expect(after[which].includes(value)).toBe(!before[which].includes(value))
        const other = which === 'included' ? 'excluded' : 'included'
        expect(after[other]).not.toContain(value)
      }),
    )
  })

  it('leaves the filter as it was when it is no longer', () => {
    fc.assert(
      fc.property(text, path, value, which, (text, path, value, which) => {
        const { included, excluded } = choiceOf(text, path)
        fc.pre(!included.includes(value) && !excluded.includes(value))
        const twice = toggled(toggled(text, path, value, which), path, value, which)
        expect(choiceOf(twice, path)).toEqual({ included, excluded })
        expect(othersOf(twice, path)).toEqual(othersOf(text, path))
      }),
    )
  })

  it('says nothing of other fields', () => {
    fc.assert(
      fc.property(text, path, value, which, (text, path, value, which) => {
        expect(othersOf(toggled(text, path, value, which), path)).toEqual(othersOf(text, path))
      }),
    )
  })

  it('is written as a person would', () => {
    const status = 'summary.weave.status'
    const both = toggled('status:error latency>2s', status, 'running', 'included')
    expect(both).toBe('latency>2s (status:error or status:running)')
    expect(toggled(both, status, 'error', 'excluded')).toBe('latency>2s status:running status!=error')
    expect(toggled('', 'environment', null, 'included')).toBe('env:null')
    expect(toggled('a or b', 'environment', 'x', 'included')).toBe('(a or b) env:x')
    expect(without('status:error or model:a', status)).toBe('(status:error or model:a)')
  })
})

it('limits are read back as they were written', () => {
  const limit = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.constantFrom(...FACETS.filter(({ facet }) => facet === 'numbers')),
      text,
      limit,
      limit,
      ({ path }, text, from, to) => {
        const written = withLimits(text, path, { from, to })
        expect(limitsOf(written, path)).toEqual(JSON.parse(JSON.stringify({ from, to })))
        expect(othersOf(written, path)).toEqual(compile(without(text, path)))
      },
    ),
  )
  expect(withLimits('', 'summary.weave.latency_ms', { from: 200, to: 5000 })).toBe(
    'latency>=200ms latency<5s',
  )
})
