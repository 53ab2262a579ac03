/** The life cycle of a serving process: log, start, stop by a signal, end by a fault. Knows no service. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { type Log, openLog } from '../../platform/telemetry/log.js'
import { Shutdown } from './shutdown.js'
import { startTracing, type TracingConfig } from './start-tracing.js'

/**
 * Runs `start`, then serves until a signal; resolves when everything has stopped.
 * @param role its name in the log: up, ingest, query
 * @throws the error of `start`, after stopping what it had started
 */
export async function serveUntilSignal(
  role: string,
  config: Pick<Config<typeof processes.up>, 'logLevel' | 'logFormat'> & TracingConfig,
  start: (log: Log, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  // Data, artifacts and files of children are private to this user.
  process.umask(0o077)
  const log = openLog({ level: config.logLevel, format: config.logFormat, role })
  // After an uncaught error the state is unknown. Acknowledged data is on disk, so exit.
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
    // After a signal during the start, its failure is expected.
    const isExpected = shutdown.begun
    await shutdown.run()
    if (isExpected) return
    throw error
  }
  await stopped
}
