/** The runs of an evaluation over time, as series. Pure. */

import type { Call } from '../../api/client'
import { numberOf } from '../../api/json'
import type { Series } from '../../ui/series'
import { printedOf } from './compare'

export interface RunHistory {
  /** ids of runs, the oldest first */
  runs: string[]
  /** s since the epoch, of each run */
  times: number[]
  scores: Series[]
  /** s; empty: no run knows it */
  latency: Series[]
  /** empty: no run has a price */
  cost: Series[]
}

type Run = Pick<Call, 'id' | 'started_at' | 'ended_at' | 'output'>

/** @param costs by the ids of runs */
export function historyOf(runs: readonly Run[], costs: ReadonlyMap<string, number>): RunHistory {
  const inOrder = runs
    .filter(({ ended_at: end, output }) => end !== null && output !== null)
    .toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
  const printed = inOrder.map(({ output }) => new Map(printedOf(output)))
  const names = new Set(printed.flatMap((one) => [...one.keys()]))
  const known = (label: string, values: (number | null)[]): Series[] =>
    values.some((value) => value !== null) ? [{ label, values }] : []
  return {
    runs: inOrder.map(({ id }) => id),
    times: inOrder.map(({ started_at: at }) => Date.parse(at) / 1000),
    scores: Array.from(names, (label) => ({ label, values: printed.map((one) => one.get(label) ?? null) })),
    latency: known(
      'model',
      inOrder.map(({ output }) => latencyIn(output)),
    ),
    cost: known(
      'run',
      inOrder.map(({ id }) => costs.get(id) ?? null),
    ),
  }
}

/** As all SDKs print it. */
function latencyIn(output: unknown): number | null {
  const { model_latency: latency } = output as { model_latency?: { mean?: unknown } }
  return numberOf(latency?.mean) ?? null
}
