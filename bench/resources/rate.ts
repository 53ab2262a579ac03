/** How much of something is done a second, and that all of it is there. */
import { percentile } from '../figures.js'
import type { Metered } from './meter.js'

export interface RateFigures {
  name: string
  /** What is counted. */
  unit: string
  connections: number
  perSecond: number
  /** Budget, `unit` a second. */
  target?: number
  /** CPU µs of all server processes for one. */
  cpuMicros: number
  /** Of a request, ms. */
  p50: number
  p99: number
  peakBytes: number
  acknowledged: number
  /** What the public interface counts afterwards. */
  stored?: number
  /** The same after requests that had been answered were sent again. */
  storedAfterRetry?: number
  notOk: number
}

/** Figures of work that was metered and whose requests took `latencies` (ms). */
export function rateOf(
  what: Pick<RateFigures, 'name' | 'unit' | 'connections' | 'acknowledged'> & { target?: number },
  { seconds, cpuSeconds, peakBytes }: Metered<unknown>,
  latencies: readonly number[],
): RateFigures {
  const sorted = [...latencies].sort((a, b) => a - b)
  return {
    ...what,
    perSecond: what.acknowledged / seconds,
    cpuMicros: (cpuSeconds * 1e6) / Math.max(1, what.acknowledged),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    peakBytes,
    notOk: 0,
  }
}
