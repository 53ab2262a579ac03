import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Store } from '../../platform/clickhouse/store.js'
import { nobody } from '../../platform/http/principal.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { People } from '../people/people.js'
import { hashKey, newKey, newKeyId, userIdOf } from './api-key.js'
import { authenticator } from './authenticate.js'
import { KeyRing } from './key-ring.js'
import { findKeys, insertKey, listKeys, revokeKey } from './key-table.js'

let engine: TestEngine
let store: Store
const rings: KeyRing[] = []

beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('keys')
})
afterEach(() => {
  for (const ring of rings.splice(0)) ring.stop()
})
afterAll(() => engine.stop())

async function makeKey(username = 'alice') {
  const key = newKey()
  const row = { hash: hashKey(key), keyId: newKeyId(), userId: userIdOf(username), username, label: 'a test' }
  await insertKey(store, { ...row, grants: [{ scope: 'acme', right: 'write' }] })
  return { key, ...row }
}

/** One process's view of the keys. */
async function ringOf(over: Store = store): Promise<KeyRing> {
  const ring = new KeyRing(over, new People(over))
  rings.push(ring)
  await ring.start()
  return ring
}

const spec = (access: string, path = '/calls/stream_query') => ({ access, path }) as RouteSpec
const here = () => '127.0.0.1'
const bearer = (key: string) => new Map([['authorization', `Bearer ${key}`]])

describe('the table', () => {
  it('holds no key, and everything else of it', async () => {
    const { key, hash, keyId } = await makeKey('bob')
    const [row] = await findKeys(store, [hash])
    expect(row).toMatchObject({ keyId, username: 'bob', label: 'a test', revokedAt: undefined })
    expect(row?.grants).toEqual([{ scope: 'acme', right: 'write' }])
    expect(row?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(JSON.stringify(await listKeys(store))).not.toContain(key)
  })
  it('ends a key once, and for ever', async () => {
    const { hash, keyId, ...rest } = await makeKey()
    expect(await revokeKey(store, keyId)).toBe(true)
    expect(await revokeKey(store, keyId)).toBe(false)
    expect(await revokeKey(store, 'nobody')).toBe(false)
    await insertKey(store, { hash, keyId, ...rest, grants: [{ scope: '*', right: 'admin' }] })
    const [row] = await findKeys(store, [hash])
    expect(row?.revokedAt).toBeDefined()
    expect(row?.grants).toEqual([{ scope: 'acme', right: 'write' }])
  })
})

describe('a caller', () => {
  it('with a key that was there at the start is known at once', async () => {
    const { key, userId, keyId } = await makeKey('carol')
    const authenticate = authenticator(await ringOf())
    const principal = authenticate(bearer(key), spec('read'), here)
    expect(principal).toMatchObject({ userId, username: 'carol', keyId })
  })
  it('with a fresh key is found', async () => {
    const ring = await ringOf()
    const { key } = await makeKey('dave')
    expect(await authenticator(ring)(bearer(key), spec('read'), here)).toMatchObject({ username: 'dave' })
    expect(authenticator(ring)(bearer(key), spec('read'), here)).not.toBeInstanceOf(Promise)
  })
  it('without a key, or with an unknown one, is refused', async () => {
    const authenticate = authenticator(await ringOf())
    expect(() => authenticate(new Map(), spec('read'), here)).toThrow(
      expect.objectContaining({ code: 'NO_KEY' }),
    )
    for (let i = 0; i < 2; i++) {
      await expect(authenticate(bearer('hk_unknown'), spec('read'), here)).rejects.toMatchObject({
        code: 'BAD_KEY',
      })
    }
  })
  it('of a public route may be nobody', async () => {
    const authenticate = authenticator(await ringOf())
    expect(authenticate(new Map(), spec('public'), here)).toBe(nobody)
    expect(authenticate(bearer('hk_unknown'), spec('public'), here)).toBe(nobody)
  })
  it('is one of many: a flood of unknown keys is asked for together', async () => {
    const ring = await ringOf()
    const rows = vi.spyOn(store, 'rows')
    const { key } = await makeKey()
    const guesses = Array.from({ length: 400 }, (_, i) => ring.find(hashKey(`guess ${i}`)))
    const found = ring.find(hashKey(key))
    const results = await Promise.allSettled(guesses)
    expect(results.every((result) => result.status === 'rejected' && result.reason.code === 'BAD_KEY')).toBe(
      true,
    )
    expect(await found).toMatchObject({ username: 'alice' })
    expect(rows.mock.calls.length).toBeLessThanOrEqual(3)
    rows.mockRestore()
  })
  it('is told to wait when too many are guessing', async () => {
    const ring = await ringOf()
    const guesses = Array.from({ length: 600 }, (_, i) => ring.find(hashKey(`guess ${i}`)))
    const reasons = (await Promise.allSettled(guesses)).map(
      (one) => (one as PromiseRejectedResult).reason.code,
    )
    expect(new Set(reasons)).toEqual(new Set(['BAD_KEY', 'OVERLOADED']))
  })
})

describe('a revoked key', () => {
  it('ends at the next reading', async () => {
    const { key, keyId, hash } = await makeKey('erin')
    const ring = await ringOf()
    expect(ring.known(hash)).toBeDefined()
    await revokeKey(store, keyId)
    await ring.refresh()
    expect(ring.known(hash)).toBeUndefined()
    await expect(authenticator(ring)(bearer(key), spec('read'), here)).rejects.toMatchObject({
      code: 'BAD_KEY',
    })
  })
  it('ends by itself in every process within 10 s', async () => {
    const { keyId, hash } = await makeKey()
    const processes = [await ringOf(), await ringOf()]
    await revokeKey(store, keyId)
    await expect
      .poll(() => processes.map((ring) => ring.known(hash)), { timeout: 10_000, interval: 100 })
      .toEqual([undefined, undefined])
  })
})

describe('while nobody asks', () => {
  it('nothing is read, and the next caller is found', async () => {
    const { hash } = await makeKey()
    const own = new Store(engine.optionsOf('keys'))
    const rows = vi.spyOn(own, 'rows')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const ring = await ringOf(own)
    expect(ring.known(hash)).toBeDefined()
    vi.advanceTimersByTime(60_000)
    expect(rows).toHaveBeenCalledTimes(2)
    expect(ring.known(hash)).toBeUndefined()
    vi.advanceTimersByTime(60_000)
    expect(rows).toHaveBeenCalledTimes(3)
    vi.useRealTimers()
    expect(await ring.find(hash)).toMatchObject({ username: 'alice' })
    await own.close()
  })
})

it('a key is found by a process that stands still meanwhile, as with a thousand callers at once', async () => {
  const ring = await ringOf()
  const { hash } = await makeKey()
  const found = ring.find(hash)
  // The statement begins after this tick.
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500)
  expect(await found).toMatchObject({ username: 'alice' })
})

describe('with the store away', () => {
  it('known keys work for a while, and no longer than a revoked one may', async () => {
    const { hash } = await makeKey()
    const away = new Store(engine.optionsOf('keys'))
    const ring = await ringOf(away)
    await away.close()
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now')
    clock.mockReturnValue(now + 8_000)
    expect(ring.known(hash)).toBeDefined()
    clock.mockReturnValue(now + 10_000)
    expect(ring.known(hash)).toBeUndefined()
    clock.mockRestore()
  })
  it('unknown keys are neither let in nor called wrong', async () => {
    const ring = await ringOf()
    const nowhere = new Store({ url: 'http://127.0.0.1:1' })
    const away = new KeyRing(nowhere, new People(nowhere))
    rings.push(away)
    await expect(away.start()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect(away.find('x')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect(ring.find('x')).rejects.toMatchObject({ code: 'BAD_KEY' })
  })
})
