/** The schema of calls and what else says the same of them: the tables that the migrations make, the contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { columnsOf } from './schema.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('schema')
})
afterAll(() => engine?.stop())

describe.each(['calls', 'calls_open'] as const)('the table %s', (table) => {
  it('has the columns of the schema, of their types', async () => {
    const made = await store.rows<{ name: string; type: string }>(
      sql`SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = ${bind.string(table)}`,
    )
    const byName = (rows: { name: string; type: string }[]) =>
      Object.fromEntries(rows.map(({ name, type }) => [name, type]))
    expect(byName(made)).toEqual(byName(columnsOf(table)))
  })
})
