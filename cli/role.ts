/** `heddle ingest` and `heddle query`: one service as a process of its own, on a ClickHouse that others run. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { serveUntilSignal } from './long-running.js'
import { serve } from './serve.js'
import type { Parts, Service } from './service.js'
import { storeOptions } from './store-options.js'

type RoleConfig = Config<Omit<typeof processes.ingest, 'decodeThreads'>>

/** Serves until a signal comes; resolves when everything has stopped. */
export function serveRole(
  role: string,
  config: RoleConfig,
  service: (parts: Parts) => Service,
): Promise<void> {
  return serveUntilSignal(role, config, async (log, shutdown) => {
    const options = storeOptions(config, config.clickhouseUrl)
    const { url, metricsUrl } = await serve(config, options, (parts) => [service(parts)], log, shutdown)
    log.info({ url, metricsUrl }, 'ready')
  })
}
