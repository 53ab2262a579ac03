/** Who the client is: nobody chooses its own address but whom the operator trusts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from '../networks/networks.js'
import { clientFinder } from './client-address.js'

const TRUSTED = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1']

it.each<[string, string, string | undefined, string]>([
  ['a stranger is itself', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['a proxy without the header is itself', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy with an empty one, too', '10.0.0.1', '', '10.0.0.1'],
  ['a proxy says whom it serves', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['what comes before that is made up', '10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
  ['proxies are followed', '10.0.0.1', '203.0.113.9,198.51.100.7 , fd00::2,10.0.0.2', '198.51.100.7'],
  ['a client in the network of the proxies', '10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
  ['a port is left out', '10.0.0.1', '198.51.100.7:51234', '198.51.100.7'],
  ['IPv6', '10.0.0.1', '2001:DB8:0::1', '2001:db8::1'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['IPv6 with a port', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['IPv4 as IPv6', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['junk', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['junk from the second proxy', '10.0.0.1', '198.51.100.7, _hidden, 10.0.0.2', '10.0.0.2'],
  ['an empty entry', '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
  ['a long entry', '10.0.0.1', `${'1'.repeat(100_000)}`, '10.0.0.1'],
  ['a connection that is gone', '', '198.51.100.7', ''],
])('%s', (_, socket, forwarded, expected) => expect(clientFinder(TRUSTED)(socket, forwarded)).toBe(expected))

it('follows a limited number of proxies', () => {
  const forwarded = `198.51.100.7, ${Array<string>(10_000).fill('10.0.0.2').join(', ')}`
  expect(clientFinder(TRUSTED)('10.0.0.1', forwarded)).toBe('10.0.0.2')
})

describe('whatever callers send', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6())
  const stranger = fc.ipV4().filter((one) => !/^(?:10|127)\./.test(one))
  const header = fc.oneof(fc.string(), fc.array(fc.oneof(address, fc.string())).map(String))

  it('without trusted proxies the client is who connects', () =>
    fc.assert(
      fc.property(address, header, (socket, sent) => {
        expect(clientFinder()(socket, sent)).toBe(canonical(socket))
      }),
    ))

  it('a stranger stays who it is, directly and through trusted proxies that append', () =>
    fc.assert(
      fc.property(
        stranger,
        header,
        fc.array(fc.constantFrom('10.0.0.2', 'fd00::2', '[fd00::3]:443', '10.255.0.1:80'), { maxLength: 5 }),
        (client, sent, proxies) => {
          const find = clientFinder(TRUSTED)
          expect(find(client, sent)).toBe(client)
          expect(find('10.0.0.1', [sent, client, ...proxies].join(', '))).toBe(client)
        },
      ),
    ))
})
