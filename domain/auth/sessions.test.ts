import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Principal } from '../../platform/http/principal.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { People } from '../people/people.js'
import { hashKey, newKey } from './api-key.js'
import { KeyRing } from './key-ring.js'
import { insertKey } from './key-table.js'
import { SESSION_MS, Sessions } from './sessions.js'

const key = newKey()
let engine: Awaited<ReturnType<typeof sharedTestEngine>>
let store: Store
let keys: KeyRing
let people: People
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('sessions')
  const grants = [{ scope: 'acme', right: 'write' as const }]
  await insertKey(store, {
    hash: hashKey(key),
    keyId: 'k',
    userId: 'u',
    username: 'alice',
    label: '',
    grants,
  })
  people = new People(store)
  keys = new KeyRing(store, people)
  await keys.start()
}, 120_000)
afterAll(async () => {
  keys?.stop()
  await engine?.stop()
})

const refusal = (work: () => Principal | Promise<Principal>) =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: { code: string }) => error.code,
    )

it('a session ends after its time', async () => {
  const sessions = new Sessions(store, keys, people)
  const { session } = await sessions.open(hashKey(key))
  expect(await sessions.principalOf(session)).toMatchObject({ username: 'alice' })
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + SESSION_MS + 1)
  expect(await refusal(() => sessions.principalOf(session))).toBe('NO_SESSION')
  expect(await refusal(() => new Sessions(store, keys, people).principalOf(session))).toBe('NO_SESSION')
  clock.mockRestore()
})

it('guessed sessions are looked up a few hundred at a time', async () => {
  const sessions = new Sessions(store, keys, people)
  const guesses = Array.from({ length: 501 }, () => refusal(() => sessions.principalOf(newKey())))
  const codes = await Promise.all(guesses)
  expect([codes.filter((code) => code === 'NO_SESSION').length, codes.at(-1)]).toEqual([500, 'OVERLOADED'])
})

it('the table holds no session', async () => {
  const { session } = await new Sessions(store, keys, people).open(hashKey(key))
  const rows = JSON.stringify(await store.rows(sql`SELECT * FROM sessions`))
  expect(rows).toContain(hashKey(session))
  expect(rows).not.toContain(session)
})

it('one that was ended elsewhere ends here', async () => {
  const [here, elsewhere] = [new Sessions(store, keys, people), new Sessions(store, keys, people)]
  const { session } = await here.open(hashKey(key))
  await here.principalOf(session)
  await elsewhere.end(session)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 9_000)
  expect(await refusal(() => here.principalOf(session))).toBe('NO_SESSION')
  clock.mockRestore()
})

it('a code signs in once, and for a day', () => {
  const sessions = new Sessions(store, keys, people)
  const code = sessions.newCode(hashKey(key))
  expect(sessions.redeem(code)).toBe(hashKey(key))
  expect(() => sessions.redeem(code)).toThrow(expect.objectContaining({ code: 'BAD_CODE' }))
  const late = sessions.newCode(hashKey(key))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_001)
  expect(() => sessions.redeem(late)).toThrow(expect.objectContaining({ code: 'BAD_CODE' }))
  clock.mockRestore()
})
