import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorOf, fitting, offsetOf, pageOf, wholeOrPart } from './budget.js'

const tokens = fc.integer({ min: 500, max: 2000 })
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('the budget of an answer', () => {
  it('cuts a list so that pages fit and together are the list', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 50 })
    fc.assert(
      fc.property(texts, tokens, (items, most) => {
        const found: string[] = []
        for (let cursor: string | undefined = cursorOf(0); cursor !== undefined; ) {
          const offset = offsetOf(cursor)
          const { page, next_cursor } = pageOf(items.slice(offset), offset, most)
          if (page.length > 1) expect(bytes(page)).toBeLessThanOrEqual(most * 3)
          found.push(...page)
          cursor = next_cursor
        }
        expect(found).toEqual(items)
      }),
    )
  })

  it('cuts a value so that parts fit and together are its JSON text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20_000 }), tokens, (value, most) => {
        let text = ''
        for (let offset = 0; ; ) {
          const part = wholeOrPart(value, offset, most)
          expect(bytes(part)).toBeLessThanOrEqual(most * 3)
          if ('value' in part) {
            expect(part.value).toBe(value)
            return
          }
          text += part.json_part
          if (part.next_cursor === undefined) break
          offset = offsetOf(part.next_cursor)
        }
        expect(JSON.parse(text)).toBe(value)
      }),
      { numRuns: 30 },
    )
  })

  it('shows one item even if it is too long', () => {
    expect(fitting(['x'.repeat(9000), 'y'], 500)).toEqual(['x'.repeat(9000)])
  })

  it('refuses a cursor that is none', () => {
    for (const cursor of ['', 'nope', cursorOf(-1), cursorOf('1'), cursorOf({})])
      expect(() => offsetOf(cursor)).toThrow('no cursor')
  })
})
