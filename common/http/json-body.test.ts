import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './json-body.js'

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
  expect(() => parsed('['.repeat(200))).toThrow('nests deeper than 128 levels')
})
