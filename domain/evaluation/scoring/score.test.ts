import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTree } from '../../../platform/json/tree.js'
import { ScoreError, scoring } from './score.js'

const json = (value: unknown) => parseTree(JSON.stringify(value))
const at = { target: 'expected', path: '' }

describe('exact match', () => {
  const plain = { ...at, kind: 'exact', ignore_case: false, trim: true } as const

  it.each([
    ['Paris', 'Paris', true],
    [' Paris\n', 'Paris', true],
    ['paris', 'Paris', false],
    ['42', 42, true],
    [{ a: [1, 2.0] }, { a: [1, 2] }, true],
    [{ a: 1 }, { a: 2 }, false],
    [null, null, true],
  ])('%j against %j: %s', (output, expected, passed) => {
    expect(scoring(plain)(json(output), json({ expected }))).toEqual({ passed })
  })

  it('looks at a part of the output, also of a text with JSON in it', () => {
    const inner = scoring({ ...plain, path: 'answer.0' })
    expect(inner(json({ answer: ['x'] }), json({ expected: 'x' }))).toEqual({ passed: true })
    expect(inner('{"answer":["x"]}', json({ expected: 'x' }))).toEqual({ passed: true })
    expect(() => inner('x', json({ expected: 'x' }))).toThrow(ScoreError)
  })

  it('says which column a row lacks', () => {
    expect(() => scoring(plain)('x', json({ other: 1 }))).toThrow('no column "expected"')
  })
})

describe('contains', () => {
  const plain = { ...at, kind: 'contains', texts: null, all: true, ignore_case: true } as const

  it('finds the target, or all or any of several texts', () => {
    expect(scoring(plain)('The capital is PARIS.', json({ expected: 'paris' }))).toEqual({ passed: true })
    expect(scoring(plain)('a b', json({ expected: ['a', 'c'] }))).toEqual({ passed: false })
    expect(scoring({ ...plain, all: false })('a b', json({ expected: ['a', 'c'] }))).toEqual({ passed: true })
    expect(scoring({ ...plain, texts: ['B'] })('a b', json({}))).toEqual({ passed: true })
  })
})

describe('pattern', () => {
  const rule = { kind: 'regex', path: '', pattern: '^[A-Z]\\d+$', ignore_case: false, whole: false } as const

  it('is found, or is all of it', () => {
    expect(scoring(rule)('A12', null)).toEqual({ passed: true })
    expect(scoring({ ...rule, pattern: '\\d+', whole: true })('A12', null)).toEqual({ passed: false })
  })

  it('takes linear time where others would take for ever', () => {
    const evil = scoring({ ...rule, pattern: '^(a+)+$' })
    expect(evil(`${'a'.repeat(50_000)}b`, null)).toEqual({ passed: false })
  })

  it('refuses what linear time can not do, and what is no pattern', () => {
    expect(() => scoring({ ...rule, pattern: '(?=a)b' })).toThrow()
    expect(() => scoring({ ...rule, pattern: '(' })).toThrow()
  })
})

describe('JSON schema', () => {
  const schema = JSON.stringify({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } })
  const rule = { kind: 'schema', path: '', schema } as const

  it('takes values and texts of JSON, and says what does not fit', () => {
    expect(scoring(rule)(json({ a: 1 }), null)).toEqual({ passed: true, problem: null })
    expect(scoring(rule)('{"a":1}', null)).toEqual({ passed: true, problem: null })
    expect(scoring(rule)('{"a":"x"}', null)).toEqual({ passed: false, problem: 'value/a must be integer' })
    expect(scoring(rule)('hello', null)).toEqual({ passed: false, problem: 'the output is not JSON' })
    expect(scoring({ ...rule, schema: '{"type":"string"}' })('hello', null).passed).toBe(true)
  })

  it('takes patterns in linear time, and refuses what is no schema', () => {
    const evil = scoring({ ...rule, schema: '{"type":"string","pattern":"^(a+)+$"}' })
    expect(evil(`${'a'.repeat(50_000)}b`, null).passed).toBe(false)
    expect(() => scoring({ ...rule, schema: '{"type":"nothing"}' })).toThrow()
    expect(() => scoring({ ...rule, schema: '{"$ref":"https://elsewhere.example/x"}' })).toThrow()
  })
})

describe('numeric tolerance', () => {
  const rule = { ...at, kind: 'numeric', absolute: 0.5, relative: 0 } as const

  it.each([
    ['42.4', 42, true, 0.4],
    ['The answer is 1,042.', 1042, true, 0],
    [40, 42, false, 2],
    ['between 1 and 2', 1, false, null],
    ['none', 1, false, null],
  ])('%j against %j: %s', (output, expected, passed, difference) => {
    const score = scoring(rule)(json(output), json({ expected }))
    expect(score.passed).toBe(passed)
    if (difference === null) expect(score.difference).toBeNull()
    else expect(score.difference).toBeCloseTo(difference)
  })

  it('may be a part of what is expected', () => {
    const relative = scoring({ ...rule, absolute: 0, relative: 0.1 })
    expect(relative('95', json({ expected: 100 })).passed).toBe(true)
    expect(() => relative('95', json({ expected: 'x' }))).toThrow(ScoreError)
  })
})

describe('text similarity', () => {
  const rule = { ...at, kind: 'similarity', threshold: null, ignore_case: false } as const
  const of = (a: string, b: string) => scoring(rule)(a, json({ expected: b })).similarity as number

  it('is 1 for the same, 0 for nothing in common, and the same both ways', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(of(a, a)).toBe(1)
        expect(of(a, b)).toBe(of(b, a))
        expect(of(a, b)).toBeGreaterThanOrEqual(0)
        expect(of(a, b)).toBeLessThanOrEqual(1)
      }),
    )
    expect(of('aaaa', 'bbbb')).toBe(0)
    expect(scoring({ ...rule, threshold: 0.7 })('kitten', json({ expected: 'mitten' }))).toMatchObject({
      passed: true,
    })
  })
})
