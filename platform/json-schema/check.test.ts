import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaCheck, UnusableSchema } from './check.js'

/** What is said of `value`, or of the schema. */
function verdict(schema: object, value: unknown): string {
  try {
    return schemaCheck(JSON.stringify(schema))(value)?.kind ?? 'fits'
  } catch (error) {
    if (error instanceof UnusableSchema) return error.kind
    throw error
  }
}

describe('a value against a schema', () => {
  it.each<[object, unknown, string]>([
    [{}, { anything: [1] }, 'fits'],
    [{ type: 'string', maxLength: 3 }, 'abc', 'fits'],
    [{ type: 'string', maxLength: 3 }, 'abcd', 'misfit'],
    [{ type: 'integer', minimum: 0 }, 5, 'fits'],
    [{ type: 'integer' }, 5.5, 'misfit'],
    [{ type: 'boolean' }, 'true', 'misfit'],
    [{ type: 'string', enum: ['good', 'bad'] }, 'good', 'fits'],
    [{ type: 'string', format: 'email' }, 'no address', 'fits'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'number' }, 1, 'fits'],
    [{ $id: 'https://one.example/x', type: 'number' }, 1, 'fits'],
    [{ $id: 'https://one.example/x', type: 'string' }, 1, 'misfit'],
    [{ $defs: { a: { type: 'number' } }, $ref: '#/$defs/a' }, 'x', 'misfit'],
    [{ $id: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, 1, 'misfit'],
    [{ unknown: 'keyword', type: 'number' }, 1, 'fits'],
    [{ type: 'nothing of the kind' }, 1, 'no schema'],
    [{ $ref: 'https://elsewhere.example/schema' }, 1, 'no schema'],
    [{ type: 'string', pattern: '(' }, 'x', 'no schema'],
    [{ type: 'string', pattern: '^(?=a)b' }, 'x', 'no schema'],
    [{ type: 'string', pattern: '^[a-z]{2}\\d+$' }, 'ab12', 'fits'],
    [{ type: 'string', pattern: '^[a-z]{2}\\d+$' }, 'a12', 'misfit'],
    [{ patternProperties: { '^x': { type: 'number' } } }, { x1: 'text' }, 'misfit'],
  ])('%j', (schema, value, expected) => expect(verdict(schema, value)).toBe(expected))
})

it.each(['^(a+)+$', '^(a|a)*$', '^(.*a){12}$'])('%s is matched in linear time', (pattern) => {
  expect(verdict({ type: 'string', pattern }, `${'a'.repeat(60)}!`)).toBe('misfit')
  expect(verdict({ patternProperties: { [pattern]: false } }, { [`${'a'.repeat(60)}!`]: 1 })).toBe('fits')
})

describe('work without end is cut off', () => {
  it('in alternatives of alternatives', () => {
    const $defs: Record<string, object> = { n60: { const: 'never' } }
    for (let i = 0; i < 60; i++) {
      const next = { $ref: `#/$defs/n${i + 1}` }
      $defs[`n${i}`] = { anyOf: [next, next] }
    }
    expect(verdict({ $defs, $ref: '#/$defs/n0' }, 1)).toBe('too much work')
  })
  it('in a schema that is itself', () => {
    expect(verdict({ $ref: '#' }, 1)).toBe('too much work')
  })
  it('in a schema of endless length', () => {
    expect(verdict({ enum: Array.from({ length: 100_000 }, (_, i) => i) }, 1)).toBe('too much work')
  })
  it('and the next check is done as ever', () => {
    expect(verdict({ type: 'number' }, 1)).toBe('fits')
  })
})

it('whatever a schema says, there is a verdict', () => {
  const schema = fc.dictionary(
    fc.constantFrom('type', 'enum', 'pattern', '$ref', '$id', 'anyOf', 'properties', '$schema', 'not'),
    fc.jsonValue({ maxDepth: 2 }),
  )
  fc.assert(
    fc.property(schema, fc.jsonValue(), (given, value) => {
      expect(['fits', 'misfit', 'no schema', 'too much work']).toContain(verdict(given, value))
    }),
    { numRuns: 100 },
  )
})
