import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Cipher } from './cipher.js'

const cipher = new Cipher('a key of enough length')

it('opens what it sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      expect(cipher.open(cipher.seal(text, place), place)).toBe(text)
    }),
  )
})

it('never seals the same text to the same bytes', () => {
  expect(cipher.seal('x', 'p')).not.toBe(cipher.seal('x', 'p'))
})

it.each([
  ['in another place', cipher.seal('x', 'p'), 'q', cipher],
  ['under another key', new Cipher('another key of length').seal('x', 'p'), 'p', cipher],
  ['cut short', cipher.seal('x', 'p').slice(0, 20), 'p', cipher],
  ['empty', '', 'p', cipher],
])('%s it stays shut', (_, sealed, place, opener) => {
  expect(opener.open(sealed, place)).toBeUndefined()
})

it('damaged in any byte it stays shut', () => {
  const sealed = Buffer.from(cipher.seal('secret', 'p'), 'base64')
  for (let i = 0; i < sealed.length; i++) {
    const damaged = Buffer.from(sealed)
    damaged[i]! ^= 1
    expect(cipher.open(damaged.toString('base64'), 'p')).toBeUndefined()
  }
})

it('refuses a short key', () => {
  expect(() => new Cipher('short')).toThrow('HEDDLE_SECRETS_KEY')
})
