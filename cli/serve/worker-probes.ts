/** The probes of a worker, which has no other HTTP interface. */
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { type Check, probes } from '../../platform/telemetry/probes.js'
import { CommandError } from '../command.js'
import type { Shutdown } from './shutdown.js'

/** Listens until `shutdown`, and returns the port. @param checks what readiness requires */
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
