/** `heddle ingest`, `query`, `tracing`, `training-api`: single services on an external ClickHouse. */
import { tmpdir } from 'node:os'
import type { Arrival } from '../../domain/calls/arrival.js'
import { Overflow } from '../../platform/clickhouse/overflow.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { storeOptions } from '../data/store-options.js'
import { serveUntilSignal } from './long-running.js'
import { serve } from './serve.js'
import type { Parts, Service } from './service.js'

type RoleConfig = Config<
  Omit<typeof processes.ingest, 'decodeThreads' | 'otlpGrpcPort' | 'sensitiveData' | 'sampleRate'>
> & {
  /** of roles that read */
  readOverflow?: number
  /** of roles that store */
  sensitiveData?: Arrival['sensitiveData']
  /** of roles that write */
  otlpGrpcPort?: number | undefined
}

/** Serves until a signal; resolves when everything has stopped. */
export function serveRole(
  role: string,
  config: RoleConfig,
  services: (parts: Parts) => Service | Service[],
): Promise<void> {
  return serveUntilSignal(role, config, async (log, shutdown) => {
    const overflow = new Overflow({ folder: tmpdir(), bytes: config.readOverflow ?? 0 })
    const options = { ...storeOptions(config, config.clickhouseUrl), overflow }
    const { url, trainingUrl, otlpGrpcUrl, metricsUrl } = await serve(
      config,
      options,
      (parts) => [services(parts)].flat(),
      log,
      shutdown,
    )
    log.info({ url: url ?? trainingUrl, otlpGrpcUrl, metricsUrl }, 'ready')
  })
}
