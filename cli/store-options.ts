/** Connection options of a configured ClickHouse server. */
import { CLUSTER_SETTINGS } from '../common/clickhouse/cluster.js'
import type { StoreOptions } from '../common/clickhouse/store.js'
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'

type Server = Omit<Config<typeof processes.tool>, 'dataDir' | 'engineMemory'>

/** @param url the server's address, or the embedded engine's */
export function storeOptions(config: Server, url: string): StoreOptions {
  return {
    url,
    username: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    database: config.clickhouseDatabase ?? 'default',
    ...(config.clickhouseCluster !== undefined && { settings: CLUSTER_SETTINGS }),
  }
}
