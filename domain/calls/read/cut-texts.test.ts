import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Bytes } from '../../../platform/bytes/bytes.js'
import { cutTexts } from './cut-texts.js'

/** `before` is what is in the buffer already. */
function cut(json: string, most: number, before = ''): string {
  const out = new Bytes(8)
  // Of what was written before, the buffer may hold anything.
  out.utf8(':'.repeat(1000))
  out.pos = 0
  out.utf8(before)
  const from = out.pos
  out.utf8(json)
  cutTexts(out, from, most)
  return out.buf.toString('utf8', 0, out.pos)
}

it.each([
  ['"abcdefghij"', '"abcd…"'],
  // The ellipsis would take as much.
  ['"abcdefg"', '"abcdefg"'],
  [
    '{"a key that stays" : "abcdefghij", "b": [1234567890, "éééééé", null]}',
    '{"a key that stays" : "abcd…", "b": [1234567890, "éé…", null]}',
  ],
  ['"abc\\nefghij"', '"abc…"'],
  ['"a\\u00e9bcdefgh"', '"a…"'],
  ['"ab\\\\\\"defghij"', '"ab\\\\…"'],
  ['["", "x", {}]', '["", "x", {}]'],
])('%s becomes %s', (json, expected) => expect(cut(json, 4)).toBe(expected))

/** The same by what the texts are. */
function expectCut(cutValue: unknown, value: unknown, most: number): void {
  if (typeof value === 'string') {
    const text = cutValue as string
    if (text === value) return
    expect(text.endsWith('…')).toBe(true)
    expect(value.startsWith(text.slice(0, -1))).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(text.slice(0, -1))) - 2).toBeLessThanOrEqual(most)
  } else if (typeof value === 'object' && value !== null) {
    expect(Object.keys(cutValue as object)).toEqual(Object.keys(value))
    for (const [key, one] of Object.entries(value))
      expectCut((cutValue as Record<string, unknown>)[key], one, most)
  } else expect(cutValue).toEqual(value)
}

it('of any JSON, only long texts are other ones, and they begin the same', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      ...[text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)],
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(tree, fc.nat(20), fc.constantFrom(0, 2), (value, most, indent) => {
      const json = JSON.stringify(value, undefined, indent)
      const found = cut(json, most, '{"before": "this is left as it was"}')
      expect(found.startsWith('{"before": "this is left as it was"}')).toBe(true)
      const shorter = found.slice('{"before": "this is left as it was"}'.length)
      expect(Buffer.byteLength(shorter)).toBeLessThanOrEqual(Buffer.byteLength(json))
      expectCut(JSON.parse(shorter), JSON.parse(json), most)
    }),
  )
})
