import fc from 'fast-check'
import { expect, it } from 'vitest'
import { returnAddress } from './return-address.js'

it.each([
  ['/acme/one/weave/traces?view=x#top', '/acme/one/weave/traces?view=x#top'],
  ['/a/../b', '/b'],
  ['/x?y="<z>', '/x?y=%22%3Cz%3E'],
  [undefined, '/'],
  ['', '/'],
  ['acme/one', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/./%2e//evil.example', '/'],
  ['/.//evil.example/x', '/'],
  ['/a/..//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\nb', '/'],
  ['/\t/evil.example', '/'],
  ['/signin?next=/signin', '/'],
  ['/sign-in/start/house', '/'],
  [`/${'x'.repeat(3000)}`, '/'],
])('%j becomes %s', (wanted, address) => expect(returnAddress(wanted)).toBe(address))

it('whatever is wanted, a browser stays here', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    '\t',
    '\n',
    ' ',
    '//',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => `/${parts.join('')}`),
      ),
      (wanted) => {
        const address = returnAddress(wanted)
        expect(address).toMatch(/^\/(?![/\\])/)
        expect(new URL(address, 'https://here.example').origin).toBe('https://here.example')
      },
    ),
  )
})
