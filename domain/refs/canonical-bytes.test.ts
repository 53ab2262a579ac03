import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Notes, scanText } from '../../platform/json/scan.js'
import { canonicalJson } from './canonical.js'
import { CanonicalWriter } from './canonical-bytes.js'
import vectors from './vectors.json' with { type: 'json' }

const writer = new CanonicalWriter()
const written = (text: string) => {
  const bytes = Buffer.from(text)
  return Buffer.from(writer.write(bytes, scanText(bytes, new Notes()))).toString()
}

/** JSON texts in other people's handwriting: white space, escapes, keys that come twice, numbers in every form. */
const space = fc.constantFrom('', '', ' ', '\n', ' \t')
const number = fc.oneof(
  fc.integer().map(String),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map(String)
    .filter((text) => /^-?[\d.]+(e[-+]?\d+)?$/.test(text)),
  fc.constantFrom(
    '1.0',
    '-0',
    '-0.0',
    '0',
    '1E5',
    '1e+16',
    '1e-7',
    '123456789012345678901234567890',
    '0.00001',
  ),
)
const string = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0061"', '"\\/"', '"\\ud83d\\ude00"', '"\u007f"', '"😀é"', '"\\uD800"', '""'),
)
const key = fc.oneof(
  string,
  fc.constantFrom('"a"', '"b"', '"aa"', '"\\u0062"', '"é"', '"\\u{e000}"'.replace('{e000}', 'e000'), '"𐀀"'),
)
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 12, depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom('true', 'false', 'null')),
    fc
      .array(
        fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
        { maxLength: 4 },
      )
      .map((items) => `[${items.join(',')}]`),
    fc
      .array(
        fc.tuple(space, key, space, tie('value')).map(([a, k, b, v]) => `${a}${k}${b}:${a}${v}`),
        { maxLength: 5 },
      )
      .map((fields) => `{${fields.join(',')}}`),
  ),
}))

describe('the canonical form in bytes', () => {
  it.each(vectors.object)('of $json', ({ json, canonical }) => expect(written(json)).toBe(canonical))

  it('is the one that is built, for any text', () => {
    fc.assert(
      fc.property(value, (text) => {
        expect(written(text)).toBe(canonicalJson(Buffer.from(text)))
      }),
      {
        numRuns: 1000,
      },
    )
  })

  it('of deep values is the one that is built', () => {
    const text = `${'{"b":[1.0,{"a":'.repeat(60)}{"z":1,"a":[]}${'}],"a":2}'.repeat(60)}`
    expect(written(text)).toBe(canonicalJson(Buffer.from(text)))
  })

  it('refuses a number beyond a double', () => expect(() => written('[1e999]')).toThrow('too large'))
})
