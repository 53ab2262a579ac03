/** Connection options for a ClickHouse server or a running engine. */
import { sql } from '../../platform/clickhouse/sql.js'
import { Store, type StoreOptions } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'

type Server = Omit<Config<typeof processes.tool>, 'dataDir' | 'engineMemory' | 'engineLog'>

/** @param url the server's address, or the embedded engine's */
export function storeOptions(config: Server, url: string): StoreOptions {
  return {
    url,
    username: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    database: config.clickhouseDatabase ?? 'default',
    ...(config.clickhouseCluster !== undefined && {
      cluster: config.clickhouseCluster,
      ...(config.clickhouseQuorum !== undefined && { quorum: config.clickhouseQuorum }),
    }),
  }
}

/** The same options if an engine accepts them, else undefined: another program may have the port by now. */
export async function answering(options: StoreOptions | undefined): Promise<StoreOptions | undefined> {
  if (options === undefined) return undefined
  const ask = (store: Store) => store.row(sql`SELECT 1`, { signal: AbortSignal.timeout(5000) })
  return usingStore({ ...options, connections: 1 }, ask).then(
    () => options,
    () => undefined,
  )
}

/** Runs `work` with a store, and closes it. */
export async function usingStore<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = new Store(options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
