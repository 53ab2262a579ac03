import { expect, it } from 'vitest'
import { networkSet } from '../networks/networks.js'
import { isPrivateAddress, mayReach } from './ranges.js'

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '0.0.0.0',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1%eth0',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:0:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b:1::808:808',
  '100::1',
  '1fff:ffff::1',
  '4000::1',
  '5f00::1',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  'fec0::1',
  'localhost',
  '',
  '1.2.3',
])('%s is not for callers to reach', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

it.each([
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '8.8.8.8',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::',
])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

it.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', [], true],
  ['127.0.0.1', ['10.0.0.0/8'], false],
  ['127.0.0.2', ['127.0.0.1'], false],
  ['fd00::1', ['fd00::/8'], true],
  ['fd00::1', ['10.0.0.0/8'], false],
  ['::1', ['::1/128', '127.0.0.0/8'], true],
  ['::1', ['127.0.0.0/8'], false],
  ['localhost', ['0.0.0.0/0', '::/0'], false],
])('%s, where %j is allowed: %j', (address, ranges, expected) =>
  expect(mayReach(address, networkSet(ranges))).toBe(expected),
)
