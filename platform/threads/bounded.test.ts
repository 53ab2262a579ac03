import { expect, it } from 'vitest'
import { bounded } from './bounded.js'

const late = () => new Error('late')

it('ends work without end, and passes on what other work returns and throws', () => {
  const refuse = () => {
    throw new TypeError('no')
  }
  const spin = () => {
    for (;;);
  }
  expect(bounded(1000, () => 7, late)).toBe(7)
  expect(() => bounded(1000, refuse, late)).toThrow(new TypeError('no'))
  expect(() => bounded(50, spin, late)).toThrow('late')
  expect(bounded(1000, () => 8, late)).toBe(8)
})
