import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ValidationError } from '../errors/error.js'
import { parseJson, validate } from './json-body.js'

const parsed = (text: string, most?: number) => parseJson(Buffer.from(text), most)

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(parsed(text)).toEqual(JSON.parse(text))
    }),
  )
})

it('takes as many values as it is told (an empty object or list counts twice), whatever stands in texts', () => {
  expect(parsed('{"a":["[,,,{\\",",1,{}]}', 6)).toEqual({ a: ['[,,,{",', 1, {}] })
  expect(() => parsed('{"a":["x",1,{},2]}', 6)).toThrow('send at most 6 JSON values in one request.')
  expect(parsed('')).toBeUndefined()
})

it('refuses millions of values before they are parsed', () => {
  for (const value of ['1', '{}', '[]', '""', '{"a":1}'])
    expect(() => parsed(`[${`${value},`.repeat(1_000_000)}1]`)).toThrow('JSON values')
})

it('refuses what nests too deep', () => {
  expect(() => parsed('['.repeat(200))).toThrow('nested deeper than 128 levels')
})

/** What validation says of `value`. */
function violations(schema: z.ZodType, value: unknown) {
  try {
    validate(schema, value, 'body')
  } catch (error) {
    return (error as ValidationError).violations
  }
  return []
}

it('says how a time is written', () => {
  const found = violations(z.object({ until: z.iso.datetime({ offset: true }) }), { until: 'tomorrow' })
  expect(found.map(({ msg }) => msg)).toEqual([expect.stringContaining('2026-01-31T12:00:00Z')])
})

it.each([
  ['a list', (item: z.ZodType) => z.array(item), Array(60_000).fill('x')],
  [
    'an object of any keys',
    (item: z.ZodType) => z.record(z.string(), item),
    Object.fromEntries(Array(60_000).fill('x').entries()),
  ],
  ['lists in an object', (item: z.ZodType) => z.object({ a: z.array(item) }), { a: Array(60_000).fill('x') }],
  [
    'a union of lists',
    (item: z.ZodType) => z.union([z.array(item), z.object({ a: z.array(item) })]),
    Array(60_000).fill('x'),
  ],
])('stops looking at %s of which everything is wrong', (_, around, value) => {
  let looked = 0
  const wrong = z.string().refine(() => {
    looked++
    return false
  })
  expect(violations(around(wrong), value).length).toBeGreaterThan(0)
  expect(looked).toBeLessThan(10)
})

it('names what is wrong with a small value, twenty places of it at most', () => {
  const schema = z.object({ a: z.string(), b: z.array(z.number()) })
  expect(violations(schema, { b: ['x', 1, 'y'] }).map(({ loc }) => loc.join('.'))).toEqual([
    'body.a',
    'body.b.0',
    'body.b.2',
  ])
  expect(violations(schema, { a: '', b: Array(100).fill('x') })).toHaveLength(20)
})

it('says no more of what was sent than a reader wants to see', () => {
  const told = violations(z.strictObject({}), { ['k'.repeat(1_000_000)]: 1 })
  expect(JSON.stringify(told).length).toBeLessThan(3000)
})
