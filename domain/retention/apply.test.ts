import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ident, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { applyRetention } from './apply.js'
import { lastRuns, readPolicies, setCap, setPolicy } from './policies.js'
import { diskBytes } from './space.js'

const DAY = 86_400_000
const now = Date.now()
let engine: TestEngine
let store: Store
let made = 0

beforeAll(async () => {
  engine = await sharedTestEngine()
})
afterAll(() => engine.stop())

beforeEach(async () => {
  store = await engine.migrated(`retention_${made++}`)
  for (const name of ['a/one', 'a/two', 'b/one']) {
    const project_id = projectIdOf(name)
    await store.insertRows('projects', [{ project_id, name, created_at: 0, ver: 1 }])
    // One a day, a hundred days back; each with a piece of feedback.
    const at = (n: number) => (now - n * DAY) * 1000
    const ages = Array.from({ length: 100 }, (_, n) => n)
    const calls = ages.map((n) => ({ project_id, id: `${name} ${n}`, started_at: at(n), ver: at(n) }))
    await store.insertRows('calls', calls)
    await store.insertRows('calls_open', [
      { project_id, id: 'old', kind: 'end', ver: at(99) },
      { project_id, id: 'new', kind: 'end', ver: at(0) },
    ])
    const time = (n: number) => new Date(at(n) / 1000).toISOString()
    await store.insertRows(
      'responses',
      ages.map((n) => ({ owner: 'o', id: `${name} ${n}`, project_id, created_at: time(n), ver: 1 })),
    )
    await store.insertRows(
      'call_tokens',
      ages.map((n) => ({
        project_id,
        call_id: `${n}`,
        prompt: [n],
        completions: [[1]],
        created_at: time(n),
      })),
    )
    await store.insertRows(
      'feedback',
      ages.map((n) => ({ project_id, call_id: n % 2 ? `${n}` : '', id: `${n}`, created_at: at(n), ver: 1 })),
    )
  }
})

async function left(name: string, table = 'calls'): Promise<number> {
  const rows = await store.rows<{ project_id: string }>(
    table === 'calls' ? sql`SELECT project_id FROM calls` : sql`SELECT project_id FROM ${ident(table)} FINAL`,
  )
  return rows.filter(({ project_id }) => project_id === projectIdOf(name)).length
}

describe('retention', () => {
  it('deletes what each project keeps no longer, and what hangs on it; nothing without a policy', async () => {
    expect(await applyRetention(store, { now })).toEqual([])
    await setPolicy(store, '*', 50)
    await setPolicy(store, 'a', 10)
    await setPolicy(store, 'a/two', 0)
    const [dry] = await applyRetention(store, { now, dry: true })
    expect(await left('a/one')).toBe(100)
    const [done] = await applyRetention(store, { now })
    expect(done).toEqual(dry)
    expect(done).toMatchObject({
      reason: 'age',
      rows: { calls: 89 + 49, calls_open: 2, responses: 89 + 49, call_tokens: 89 + 49 },
    })
    expect([await left('a/one'), await left('a/two'), await left('b/one')]).toEqual([11, 100, 51])
    expect(await left('a/one', 'feedback')).toBe(50 + 5)
    for (const table of ['responses', 'call_tokens'])
      expect([await left('a/one', table), await left('a/two', table)]).toEqual([11, 100])
    expect(await applyRetention(store, { now })).toEqual([])
    expect(await lastRuns(store, 5)).toMatchObject([{ reason: 'age', calls: 138, error: '' }])
  })

  it('forgets a policy that was taken back', async () => {
    await setPolicy(store, 'a', 10)
    await setPolicy(store, 'a', undefined)
    expect((await readPolicies(store)).policies).toEqual([])
    expect(await applyRetention(store, { now })).toEqual([])
  })

  it('deletes the oldest of all where the tables take more than their cap, and never what is young', async () => {
    const { calls, total, size } = await diskBytes(store)
    expect(size).toBeGreaterThan(total)
    await setCap(store, total * 2)
    expect(await applyRetention(store, { now })).toEqual([])
    await setCap(store, Math.round(total - calls / 2))
    const [done] = await applyRetention(store, { now })
    expect(done?.reason).toBe('disk')
    const after = [await left('a/one'), await left('a/two'), await left('b/one')]
    for (const count of after) expect(count).toBeLessThan(60)
    for (const count of after) expect(count).toBeGreaterThan(10)
    await setCap(store, 1)
    await applyRetention(store, { now })
    expect(await left('b/one')).toBe(1)
  })
})
