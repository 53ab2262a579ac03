/** The life of a process that serves: its log, its start, its stop by a signal, its end by a fault. Knows no service. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { type Log, openLog } from '../../platform/telemetry/log.js'
import { Shutdown } from './shutdown.js'
import { startTracing, type TracingConfig } from './start-tracing.js'

/**
 * Runs `start`, then serves until a signal comes; resolves when everything that was started has stopped.
 * @param role who writes the log: up, ingest, query
 * @throws what `start` threw, after stopping what it had started
 */
export async function serveUntilSignal(
  role: string,
  config: Pick<Config<typeof processes.up>, 'logLevel' | 'logFormat'> & TracingConfig,
  start: (log: Log, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  // Data, artifacts and what children write are this user's alone.
  process.umask(0o077)
  const log = openLog({ level: config.logLevel, format: config.logFormat, role })
  // Nothing can be said of the state after a fault that nobody caught: what is acknowledged is on disk, so end.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error; the process ends')
    process.exit(1)
  })
  const shutdown = new Shutdown((step, error) => log.error({ err: error, step }, 'a shutdown step failed'))
  const stopped = shutdown.onSignal((signal) => log.info({ signal }, 'stopping'))
  try {
    await startTracing(role, config, log, shutdown)
    await start(log, shutdown)
  } catch (error) {
    // A signal during the start stops what it has started; what then fails is no news.
    if (shutdown.begun) return stopped
    await shutdown.run()
    throw error
  }
  await stopped
}
