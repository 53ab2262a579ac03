import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { hashKey, newKey, newKeyId } from '../auth/api-key.js'
import { KeyRing } from '../auth/key-ring.js'
import { insertKey } from '../auth/key-table.js'
import { Sessions } from '../auth/sessions.js'
import { Directory } from './directory.js'
import { People } from './people.js'
import { userSubject } from './user.js'

let engine: Awaited<ReturnType<typeof sharedTestEngine>>
let store: Store
let directory: Directory
let people: People
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('people')
  people = new People(store)
  directory = new Directory(store, new LocalLeases(), people)
}, 120_000)
afterAll(() => engine?.stop())

const asked = (username: string) => ({ username, email: username, name: '', source: 'email' })

describe('who signs in', () => {
  it('first of all, and alone, owns everything', async () => {
    const names = ['Ada@x.org', 'bob@x.org', 'ada@x.org', 'cleo@x.org']
    const found = await Promise.all(
      names.map((name) => directory.findOrCreateUser({ ...asked(name), mayBeFirst: true })),
    )
    expect(found.filter(({ isFirst }) => isFirst)).toHaveLength(1)
    expect(new Set(found.map(({ user }) => user.userId)).size).toBe(3)
    const first = found.find(({ isFirst }) => isFirst)!.user
    expect((await people.principalOf(first.userId)).owns('acme')).toBe(true)
    const others = found.filter(({ user }) => user.userId !== first.userId)
    for (const { user } of others) expect((await people.principalOf(user.userId)).grants).toEqual([])
  })

  it('is found by the identity, whatever the name is by then', async () => {
    const identity = { issuer: 'https://idp', subject: '7' }
    const { user } = await directory.findOrCreateUser({ ...asked('dan@x.org'), identity })
    const again = await directory.findOrCreateUser({ ...asked('daniel@x.org'), identity })
    expect(again).toMatchObject({ isNew: false, user: { userId: user.userId, email: 'daniel@x.org' } })
    const other = { ...asked('dan@x.org'), identity: { issuer: 'https://idp', subject: '8' } }
    await expect(directory.findOrCreateUser(other)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    const linked = await directory.findOrCreateUser(other, { linksByName: true })
    expect(linked.user.userId).toBe(user.userId)
  })
})

describe('what sources give', () => {
  it('adds up, and each takes back its own alone', async () => {
    const { user } = await directory.findOrCreateUser(asked('eve@x.org'))
    await directory.setRole({ subject: userSubject(user.userId), scope: 'acme' }, 'viewer')
    await directory.setMemberships(user.userId, 'oidc:a', [
      { scope: 'acme/one', role: 'member' },
      { scope: 'acme/one', role: 'annotator' },
    ])
    const rights = async () => {
      const principal = await people.principalOf(user.userId)
      return ['acme/one', 'acme/two'].map((scope) =>
        (['read', 'write', 'admin'] as const).filter((right) => principal.may(right, scope)).at(-1),
      )
    }
    expect(await rights()).toEqual(['write', 'read'])
    await directory.setMemberships(user.userId, 'oidc:b', [])
    expect(await rights()).toEqual(['write', 'read'])
    await directory.setMemberships(user.userId, 'oidc:a', [{ scope: 'acme/one', role: 'annotator' }])
    expect(await rights()).toEqual(['read', 'read'])
    const narrowed = (await people.principalOf(user.userId)).within('Annotation queues')
    expect([narrowed.may('write', 'acme/one'), narrowed.may('write', 'acme/two')]).toEqual([true, false])
    await directory.setMemberships(user.userId, 'oidc:a', [])
    expect(await rights()).toEqual(['read', 'read'])
  })

  it('never takes the last owner of a scope', async () => {
    const { user } = await directory.findOrCreateUser(asked('fay@x.org'))
    const { user: other } = await directory.findOrCreateUser(asked('gus@x.org'))
    const everything = await directory.findOrCreateUser(asked('ada@x.org'))
    const owner = { scope: 'lone/one', role: 'owner' }
    await directory.setMemberships(user.userId, 'oidc:a', [owner])
    await directory.setMemberships(everything.user.userId, 'oidc:a', [])
    // Somebody owns everything, so the scope is not left alone.
    expect(await directory.setMemberships(user.userId, 'oidc:a', [])).toEqual({ kept: [] })
    const owners = await people.peopleWith([everything.user.userId, other.userId])
    expect(owners.length).toBe(2)
  })
})

describe('a user that was deactivated', () => {
  it('is out within 10 s everywhere: its session, its personal key and the others of its name', async () => {
    const { user } = await directory.findOrCreateUser(asked('hal@x.org'))
    await directory.setRole({ subject: userSubject(user.userId), scope: 'acme' }, 'member')
    const elsewhere = new People(store)
    const ring = new KeyRing(store, elsewhere)
    const sessions = new Sessions(store, ring, elsewhere)
    const { session } = await sessions.openUser(user.userId)
    const made = { userId: user.userId, username: user.username, label: '' }
    const [personal, plain] = [newKey(), newKey()]
    await insertKey(store, {
      ...made,
      hash: hashKey(personal),
      keyId: newKeyId(),
      grants: [],
      followsUser: true,
    })
    const grants = [{ scope: 'acme', right: 'read' as const }]
    await insertKey(store, { ...made, hash: hashKey(plain), keyId: newKeyId(), grants })
    expect((await sessions.principalOf(session)).may('write', 'acme')).toBe(true)
    expect((await ring.find(hashKey(personal))).may('write', 'acme')).toBe(true)
    expect(ring.known(hashKey(personal))).toBe(ring.known(hashKey(personal)))
    expect((await ring.find(hashKey(plain))).may('read', 'acme')).toBe(true)
    await directory.updateUser(user.userId, { active: false })
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 9_000)
    const refusal = (work: () => unknown) =>
      Promise.resolve()
        .then(work)
        .catch(({ code }: { code: string }) => code)
    expect(await refusal(() => sessions.principalOf(session))).toBe('USER_INACTIVE')
    expect(await refusal(() => ring.find(hashKey(personal)))).toBe('BAD_KEY')
    expect(await refusal(() => ring.find(hashKey(plain)))).toBe('BAD_KEY')
    clock.mockRestore()
  })
})

it('a key that expired is none', async () => {
  const ring = new KeyRing(store, people)
  const key = newKey()
  const row = { hash: hashKey(key), keyId: newKeyId(), userId: 'u', username: 'u', label: '', grants: [] }
  await insertKey(store, { ...row, expiresAt: Date.now() + 60_000 })
  await ring.find(row.hash)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001)
  expect(ring.known(row.hash)).toBeUndefined()
  await expect(ring.find(row.hash)).rejects.toMatchObject({ code: 'BAD_KEY' })
  clock.mockRestore()
})
