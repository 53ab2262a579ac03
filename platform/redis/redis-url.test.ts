import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRedisUrl, REDIS_ADDRESS } from './redis-url.js'

const none = { username: undefined, password: undefined, tls: false }

describe('the address of a Redis', () => {
  it.each([
    ['redis://127.0.0.1:6379/2', { kind: 'server', url: 'redis://127.0.0.1:6379/2', ...none }],
    [
      'redis-sentinel://one,two:26380/main',
      {
        ...{ kind: 'sentinel', name: 'main', db: 0, ...none },
        hosts: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26380 },
        ],
      },
    ],
    [
      'rediss-sentinel://ann:p%40ss@[::1]:26379/main/3',
      {
        ...{ kind: 'sentinel', name: 'main', db: 3, username: 'ann', password: 'p@ss', tls: true },
        hosts: [{ host: '::1', port: 26379 }],
      },
    ],
    [
      'redis-cluster://:secret@one:7000,two',
      {
        ...{ kind: 'cluster', ...none, password: 'secret' },
        hosts: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
        ],
      },
    ],
  ])('%s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address)
    expect(url).toMatch(REDIS_ADDRESS)
  })

  it.each([
    ['http://one', 'such as redis://'],
    ['redis-sentinel://one:26379', 'must name the master'],
    ['redis-sentinel://one:26379/main/x', 'must name the master'],
    ['redis-cluster://one:7000/1', 'has one database'],
    ['redis-cluster://one:seven', 'no host'],
  ])('%s is refused: %s', (url, why) => expect(() => parseRedisUrl(url)).toThrow(why))

  it('that is nonsense is refused with a sentence', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseRedisUrl(`redis-cluster://${text}`)
        } catch (error) {
          expect((error as Error).message.length).toBeGreaterThan(10)
        }
      }),
    )
  })
})
