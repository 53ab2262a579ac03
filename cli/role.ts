/** `heddle ingest` and `heddle query`: one service as a process of its own, on a ClickHouse that others run. */
import type { StoreOptions } from '../common/clickhouse/store.js'
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { openLog } from '../common/telemetry/log.js'
import { serve } from './serve.js'
import type { Parts, Service } from './service.js'
import { Shutdown } from './shutdown.js'
import { storeOptions } from './store-options.js'

type RoleConfig = Config<Omit<typeof processes.ingest, 'decodeThreads'>>

/** Serves until a signal comes; resolves when everything has stopped. */
export async function serveRole(
  role: string,
  config: RoleConfig,
  service: (parts: Parts) => Service,
): Promise<void> {
  const log = openLog({ level: config.logLevel, format: config.logFormat, role })
  const shutdown = new Shutdown((name, error) =>
    log.error({ err: error, step: name }, 'a step of the stop failed'),
  )
  const stopped = shutdown.onSignal((signal) => log.info({ signal }, 'stopping'))
  const options: StoreOptions = storeOptions(config, config.clickhouseUrl)
  try {
    const { url, metricsUrl } = await serve(config, options, (parts) => [service(parts)], log, shutdown)
    log.info({ url, metricsUrl }, 'ready')
  } catch (error) {
    if (shutdown.begun) return stopped
    await shutdown.run()
    throw error
  }
  await stopped
}
