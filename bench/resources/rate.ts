/** Measures a rate per second, and checks that everything is stored. */
import { budget, type Row, same, spread } from '../figures.js'
import type { Metered } from '../processes.js'

export interface Rate {
  name: string
  /** What is counted. */
  unit: string
  connections: number
  /** Budget, `unit` a second. */
  target?: number
  acknowledged: number
  /** What the public interface counts afterwards. */
  stored?: number
  /** The same after requests that had been answered were sent again. */
  storedAgain?: number
}

/** A row of work that was metered and whose requests took `ms`. */
export function rateRow(
  rate: Rate,
  { seconds, cpuSeconds, peakBytes }: Metered<unknown>,
  ms: readonly number[],
): Row {
  const { name, unit, connections, target, acknowledged, stored, storedAgain } = rate
  const perSecond = acknowledged / seconds
  return {
    ...{ what: name, connections, 'a second': perSecond, of: unit, target: budget('≥', target, perSecond) },
    ...{ 'server CPU µs each': (cpuSeconds * 1e6) / Math.max(1, acknowledged), ...spread(ms) },
    ...{ 'peak RSS MB': peakBytes / 1e6, acknowledged },
    stored: stored === undefined ? '–' : same(stored, acknowledged),
    'after a retry': storedAgain === undefined ? '–' : same(storedAgain, acknowledged),
  }
}
