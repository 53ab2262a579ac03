/** What counts as a network, and that each address has one spelling. */
import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { admits, canonical, isNetwork, subscriberOf } from './networks.js'

it.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['0.0.0.0/0', true],
  ['', false],
  ['10.0.0.0/33', false],
  ['10.0.0/8', false],
  ['::/129', false],
  ['10.0.0.0/x', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/9', false],
  ['all', false],
  ['fe80::1%eth0', false],
])('%j is a network: %j', (text, expected) => expect(isNetwork(text)).toBe(expected))

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['0000:0000:0000:0000:0000:ffff:0a01:0203', '10.1.2.3'],
  ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
  ['2001:DB8::0:1', '2001:db8::1'],
  ['fe80::1%eth0', undefined],
  ['10.1.2', undefined],
  ['', undefined],
])('%j is written as %j', (address, expected) => expect(canonical(address)).toBe(expected))

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%j counts as %j', (address, expected) => expect(subscriberOf(address)).toBe(expected))

it('an address is in its own network however it is written, and in no other', () =>
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.oneof(fc.ipV4(), fc.ipV6()), (one, other) => {
      const plain = canonical(one)!
      expect(canonical(plain)).toBe(plain)
      expect(isIP(plain)).not.toBe(0)
      expect(admits([plain])(one)).toBe(true)
      expect(admits([plain])(other)).toBe(canonical(other) === plain)
      if (isIP(one) === 4) expect(admits([one])(`::ffff:${one}`)).toBe(true)
    }),
  ))
