/**
 * Creates the configured database if it is missing, and updates its tables and default prices.
 */
import { type MigrateOptions, migrate } from '../../platform/clickhouse/migrate.js'
import { ident, sql } from '../../platform/clickhouse/sql.js'
import { Store, type StoreOptions } from '../../platform/clickhouse/store.js'
import { loadPrices, shippedPrices } from '../../query/costs/default-prices.js'

/** @returns the migrations that were applied */
export async function prepareDatabase(options: StoreOptions, how: MigrateOptions): Promise<string[]> {
  await makeDatabase(options, how.cluster)
  const store = new Store({ ...options, connections: 4 })
  try {
    const applied = await migrate(store, how)
    await loadPrices(store, shippedPrices())
    return applied
  } finally {
    await store.close()
  }
}

/** Creates the configured database if it is missing. */
export async function makeDatabase(options: StoreOptions, cluster: string | undefined): Promise<void> {
  const { database = 'default' } = options
  if (database === 'default') return
  // ClickHouse refuses connections to a missing database, so this one names none.
  const { database: _, ...anywhere } = options
  const store = new Store({ ...anywhere, connections: 1 })
  try {
    const on = cluster === undefined ? sql`` : sql` ON CLUSTER ${ident(cluster)}`
    await store.run(sql`CREATE DATABASE IF NOT EXISTS ${ident(database)}${on}`)
  } finally {
    await store.close()
  }
}
