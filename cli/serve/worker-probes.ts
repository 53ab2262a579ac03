/** The probes of a worker: a role without an HTTP interface of its own. */
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { type Check, probes } from '../../platform/telemetry/probes.js'
import { CommandError } from '../command.js'
import type { Shutdown } from './shutdown.js'

/** Listens until `shutdown` ends it, and returns the port. @param checks what it needs beside being up */
export async function workerProbes(
  { metricsPort, host }: { metricsPort: number; host: string },
  metrics: Metrics,
  shutdown: Shutdown,
  checks: Record<string, Check>,
): Promise<number> {
  const watch = probes(metrics, {
    process: () => (shutdown.begun ? 'stopping' : undefined),
    ...checks,
  })
  const port = await watch.listen(metricsPort, host).catch((error: Error) => {
    throw new CommandError(error.message.replace('HEDDLE_PORT', 'HEDDLE_METRICS_PORT'))
  })
  shutdown.add('probes', () => watch.stop(1000))
  return port
}
