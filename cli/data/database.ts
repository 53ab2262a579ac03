/**
 * Creates the configured database if it is missing, and updates its tables and default prices.
 */
import { type MigrateOptions, migrate } from '../../platform/clickhouse/migrate.js'
import { ident, sql } from '../../platform/clickhouse/sql.js'
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import { loadPrices, shippedPrices } from '../../query/costs/default-prices.js'
import { version } from '../version.js'
import { usingStore } from './store-options.js'

/** @returns the migrations that were applied @throws Error if the tables are newer than this program */
export async function prepareDatabase(options: StoreOptions, how: MigrateOptions): Promise<string[]> {
  await makeDatabase(options, how.cluster)
  return usingStore({ ...options, connections: 4 }, async (store) => {
    const applied = await migrate(store, { ...how, program: version() })
    await loadPrices(store, shippedPrices())
    return applied
  })
}

/** Creates the configured database if it is missing. */
export async function makeDatabase(options: StoreOptions, cluster: string | undefined): Promise<void> {
  const { database = 'default' } = options
  if (database === 'default') return
  // ClickHouse refuses connections to a missing database, so this one names none.
  const { database: _, ...anywhere } = options
  const on = cluster === undefined ? sql`` : sql` ON CLUSTER ${ident(cluster)}`
  await usingStore({ ...anywhere, connections: 1 }, (store) =>
    store.run(sql`CREATE DATABASE IF NOT EXISTS ${ident(database)}${on}`),
  )
}
