import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError } from './error.js'
import { lookup, rawFields } from './fields.js'
import { Notes, type Slice, scanText } from './scan.js'
import { equalsAscii, stringAt } from './text.js'

const cut = (buf: Buffer, slice: Slice | undefined) => slice && buf.toString('utf8', slice.from, slice.to)

/** `path` through parsed JSON, the plain way. */
function walk(value: unknown, path: readonly string[]): unknown {
  for (const step of path) {
    if (Array.isArray(value) && !/^\d+$/.test(step)) return undefined
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

describe('rawFields', () => {
  it('gives each value as it stands', () => {
    const buf = Buffer.from(' { "a" : 1.0 , "b":{"c": [1, 2]}, "\\u00e9":"x\\n" } ')
    const fields = rawFields(buf)!
    expect([...fields].map(([key, slice]) => [key, cut(buf, slice)])).toEqual([
      ['a', '1.0'],
      ['b', '{"c": [1, 2]}'],
      ['é', '"x\\n"'],
    ])
    expect(stringAt(buf, fields.get('é')!)).toBe('x\n')
    expect(stringAt(buf, fields.get('a')!)).toBeUndefined()
  })

  it('lets the last of equal keys win, escaped or not', () => {
    const buf = Buffer.from('{"a":1,"\\u0061":2}')
    expect(cut(buf, rawFields(buf)!.get('a'))).toBe('2')
  })

  it('is undefined for other values and throws for what is not JSON', () => {
    expect(rawFields(Buffer.from('[{}]'))).toBeUndefined()
    expect(() => rawFields(Buffer.from('{"a":1} x'))).toThrow(JsonError)
    expect(() => rawFields(Buffer.from('[1'))).toThrow(JsonError)
    expect(() => rawFields(Buffer.from('{"a":1'))).toThrow(JsonError)
  })

  it('slices parse to what JSON.parse finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.nat(3),
        (value, indent) => {
          const buf = Buffer.from(JSON.stringify(value, null, indent))
          const parsed: Record<string, unknown> = JSON.parse(buf.toString())
          const fields = rawFields(buf)!
          expect([...fields.keys()].sort()).toEqual(Object.keys(parsed).sort())
          for (const [key, slice] of fields) expect(JSON.parse(cut(buf, slice)!)).toEqual(parsed[key])
        },
      ),
    )
  })
})

describe('lookup', () => {
  it('finds what stands at a path', () => {
    const step = fc.oneof(fc.constantFrom('a', 'b', '0', '1'), fc.string({ maxLength: 2 }))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(step, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.array(step, { maxLength: 4 }), (json, path) => {
        const buf = Buffer.from(JSON.stringify(json, null, 1))
        const found = lookup(buf, scanText(buf, new Notes()), path)
        const expected = walk(JSON.parse(buf.toString()), path)
        expect(found && JSON.parse(cut(buf, found)!)).toEqual(expected)
      }),
    )
  })
})

describe('equalsAscii', () => {
  it('compares bytes', () => {
    const buf = Buffer.from('xabcx')
    expect(equalsAscii(buf, 1, 4, 'abc')).toBe(true)
    expect(equalsAscii(buf, 1, 4, 'abd')).toBe(false)
    expect(equalsAscii(buf, 1, 5, 'abc')).toBe(false)
  })
})
