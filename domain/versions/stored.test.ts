import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { nextVersion } from '../../platform/time/versions.js'
import { hashKey } from '../auth/api-key.js'
import { insertKey, revokeKey } from '../auth/key-table.js'
import { verOfChange, verOfMade } from '../feedback/version.js'
import { startAboveStored } from './stored.js'

let engine: TestEngine
beforeAll(async () => {
  engine = await sharedTestEngine()
})
afterAll(() => engine?.stop())

const HOUR = 3600e6

it('versions are above those of every table, and of no other number', async () => {
  const store = await engine.migrated('versions')
  const now = Date.now() * 1000
  const of = { project_id: 'p', weave_ref: 'r', feedback_type: 't', user_id: 'u', payload: '{}' }
  await store.insertRows('feedback', [{ ...of, id: 'made', ver: verOfMade(now) }])
  const key = { hash: hashKey('k'), keyId: 'k', userId: 'u', username: 'u', label: '', grants: [] }
  await insertKey(store, key)
  expect(await revokeKey(store, 'k')).toBe(true)
  await startAboveStored(store)
  expect(nextVersion()).toBeLessThan(now + HOUR)
  await store.insertRows('object_aliases', [{ project_id: 'p', object_id: 'o', alias: 'a', ver: now + HOUR }])
  await startAboveStored(store)
  expect(nextVersion()).toBe(now + HOUR + 1)
  await store.insertRows('feedback', [{ ...of, id: 'changed', ver: verOfChange(now + 2 * HOUR) }])
  await startAboveStored(store)
  expect(nextVersion()).toBe(now + 2 * HOUR + 1)
})
