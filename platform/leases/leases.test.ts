import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeRedisPort, TestRedis } from '../testing/redis.js'
import type { Leases } from './lease.js'
import { LocalLeases } from './local.js'
import { RedisLeases } from './redis.js'

let redis: TestRedis
let url = ''

beforeAll(async () => {
  redis = await TestRedis.start()
  url = redis.url
})
afterAll(() => redis?.stop())

/** Two writers on the same name: each reads a value, waits a turn, and writes it back plus one. */
async function race(first: Leases, second: Leases): Promise<{ value: number; fences: bigint[] }> {
  let value = 0
  const fences: bigint[] = []
  const add = async (fence: bigint) => {
    fences.push(fence)
    const read = value
    await new Promise((resolve) => setImmediate(resolve))
    value = read + 1
  }
  await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).hold('one', add)))
  return { value, fences }
}

describe.each([
  ['in one process', () => new LocalLeases(), 1],
  ['on Redis, from two processes', () => new RedisLeases(url), 2],
] as const)('leases %s', (_, make, holders) => {
  it('let one work at a time, with fences that only grow', async () => {
    const first = make()
    const second = holders === 2 ? make() : first
    const { value, fences } = await race(first, second)
    expect(value).toBe(40)
    expect(fences.every((fence, i) => i === 0 || fence > fences[i - 1]!)).toBe(true)
    await Promise.all([first.close(), second.close()])
  })

  it('are let go when the work fails', async () => {
    const leases = make()
    await expect(leases.hold('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await leases.hold('x', async () => 'done')).toBe('done')
    await leases.close()
  })

  it('of different names do not wait for each other', async () => {
    const leases = make()
    const inner = await leases.hold('outer', () => leases.hold('inner', async () => 'both'))
    expect(inner).toBe('both')
    await leases.close()
  })
})

it('a Redis that is away is a 503, not a wait for ever', async () => {
  const leases = new RedisLeases(`redis://127.0.0.1:${await freeRedisPort()}`)
  await expect(leases.hold('x', async () => 1)).rejects.toMatchObject({ status: 503 })
  await leases.close()
})

it('a lease whose answer was lost with the connection is not waited for', async () => {
  let asked = 0
  let isLost = false
  const relay = createServer((from) => {
    const to = connect(Number(new URL(url).port), '127.0.0.1')
    from.on('error', () => undefined).on('close', () => to.destroy())
    from.on('data', (bytes) => {
      if (bytes.includes('eval')) asked++
      to.write(bytes)
    })
    to.on('data', (bytes) => {
      if (asked !== 1 || isLost) return from.write(bytes)
      isLost = true
      from.destroy()
    })
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const leases = new RedisLeases(`redis://127.0.0.1:${(relay.address() as AddressInfo).port}`)
  expect(await leases.hold('lost', async () => asked)).toBe(2)
  await leases.close()
  relay.close()
})
