/** The port of probes and metrics, beside what a process serves. */
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { type Check, probes } from '../../platform/telemetry/probes.js'
import { CommandError } from '../command.js'
import type { Shutdown } from './shutdown.js'

/**
 * Listens until `shutdown`, and returns the port.
 * @param checks what readiness requires
 * @param writes what readiness for writes requires, too
 */
export async function serveProbes(
  { metricsPort, host }: { metricsPort: number; host: string },
  metrics: Metrics,
  shutdown: Shutdown,
  checks: Record<string, Check>,
  writes: Record<string, Check> = {},
): Promise<number> {
  const process = () => (shutdown.begun ? 'stopping' : undefined)
  const watch = probes(metrics, { process, ...checks }, writes)
  const port = await watch.listen(metricsPort, host).catch(taken('HEDDLE_METRICS_PORT'))
  shutdown.add('probes', () => watch.stop(1000))
  return port
}

/** Names the setting of the port in the error of a failed `listen`. */
export function taken(variable: string): (error: Error) => never {
  return (error) => {
    throw new CommandError(error.message.replace('HEDDLE_PORT', variable))
  }
}
