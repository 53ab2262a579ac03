import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stableId } from './ids.js'

it('is the same for the same work, another one for any other, and looks like a UUID', () => {
  const part = fc.oneof(fc.string(), fc.nat())
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (a, b) => {
      expect(stableId(...a)).toBe(stableId(...a))
      if (JSON.stringify(a) !== JSON.stringify(b)) expect(stableId(...a)).not.toBe(stableId(...b))
      expect(stableId(...a)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
    }),
  )
})

it('does not run parts into each other', () => {
  expect(stableId('a', 'b')).not.toBe(stableId('ab'))
  expect(stableId('1')).not.toBe(stableId(1))
})
