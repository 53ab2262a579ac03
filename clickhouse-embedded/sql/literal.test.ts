import fc from 'fast-check'
import { expect, test } from 'vitest'
import { identifier, isSettingName, literal } from './literal.js'

test('a literal holds nothing but harmless bytes and escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(literal(text)).toMatch(/^'([A-Za-z0-9_.,:/ -]|\\x[0-9a-f]{2})*'$/)
      expect(identifier(text)).toMatch(/^`([A-Za-z0-9_.,:/ -]|\\x[0-9a-f]{2})*`$/)
    }),
  )
  expect(literal("it's\n")).toBe("'it\\x27s\\x0a'")
})

test.each([
  ['max_threads', true],
  ['a.b', false],
  ['a=1, b', false],
  ['1a', false],
  ['', false],
])('%j as the name of a setting: %s', (name, good) => {
  expect(isSettingName(name)).toBe(good)
})
