/** `heddle ingest`, `query`, `tracing`, `training-api`: services as a process of their own, on a ClickHouse that others run. */
import { tmpdir } from 'node:os'
import { Overflow } from '../../platform/clickhouse/overflow.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { storeOptions } from '../data/store-options.js'
import { serveUntilSignal } from './long-running.js'
import { serve } from './serve.js'
import type { Parts, Service } from './service.js'

type RoleConfig = Config<Omit<typeof processes.ingest, 'decodeThreads'>> & {
  /** of a role that reads */
  readOverflow?: number
}

/** Serves until a signal comes; resolves when everything has stopped. */
export function serveRole(
  role: string,
  config: RoleConfig,
  services: (parts: Parts) => Service | Service[],
): Promise<void> {
  return serveUntilSignal(role, config, async (log, shutdown) => {
    const overflow = new Overflow({ folder: tmpdir(), bytes: config.readOverflow ?? 0 })
    const options = { ...storeOptions(config, config.clickhouseUrl), overflow }
    const { url, trainingUrl, metricsUrl } = await serve(
      config,
      options,
      (parts) => [services(parts)].flat(),
      log,
      shutdown,
    )
    log.info({ url: url ?? trainingUrl, metricsUrl }, 'ready')
  })
}
