/** Statistics of calls by day as series of charts. Pure. */
import type { Series } from '../../ui/series'

type Bucket = Readonly<Record<string, unknown>>

interface Activity {
  /** s since the epoch */
  times: number[]
  calls: Series[]
  cost: Series[]
}

/** @param calls a bucket for each day @param usage one for each day and model */
export function activityOf(calls: readonly Bucket[], usage: readonly Bucket[]): Activity {
  const costs = new Map<string, number>()
  for (const { timestamp, sum_total_cost: cost } of usage) {
    const day = String(timestamp)
    costs.set(day, (costs.get(day) ?? 0) + Number(cost ?? 0))
  }
  const errors = calls.map(({ sum_error_count: failed }) => Number(failed ?? 0))
  const rest = calls.map(({ sum_call_count: all }, i) => Number(all ?? 0) - errors[i]!)
  return {
    times: calls.map(({ timestamp }) => Date.parse(String(timestamp)) / 1000),
    calls: [
      { label: 'without error', values: rest },
      { label: 'failed', values: errors, isBad: true },
    ],
    cost: [{ label: 'cost', values: calls.map(({ timestamp }) => costs.get(String(timestamp)) ?? 0) }],
  }
}
