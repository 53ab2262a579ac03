import { afterAll, beforeAll, expect, it } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { doubled } from './unreconciled.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('doubled')
}, 120_000)
afterAll(() => engine.stop())

it('finds all calls that two processes stored, as after a retry of everything', async () => {
  const COUNT = 30_000
  for (const ver of [1, 2])
    await store.run(sql`
      INSERT INTO calls (project_id, id, trace_id, started_at, ver)
      SELECT 'p', concat('call ', toString(number)), 't', toDateTime64(number, 6), ${bind.uint(ver)}
      FROM numbers(${bind.uint(COUNT + ver)})`)
  const found = new Set<string>()
  for await (const changes of doubled(store, sql`ver = 2`)) for (const { id } of changes) found.add(id)
  expect(found.size).toBe(COUNT + 1)
})
