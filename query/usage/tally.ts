/** Reads a call's usage by model from the clients' JSON, and adds usages up. Pure. */
import { COUNTS, type CountName, type Counts, countsOf, NO_MODEL } from '../../contract/usage-counts.js'
import { COSTS, type Costs } from '../../domain/costs/rule.js'
import { isObject } from '../../platform/json/object.js'

/** The usage of one model. A cost is null if no price is known. */
export type Usage = Counts & Record<keyof Costs, number | null>
export type UsageByModel = Map<string, Usage>

type Sent = Partial<Record<CountName, unknown>>

const UNKNOWN = Object.fromEntries(COSTS.map((name) => [name, null])) as Record<keyof Costs, null>

/**
 * The usage that a call itself reports. Models without counts are left out, as are values that are not numbers.
 * @param usage JSON of `summary.usage`, '' for none
 * @param costsOf what a model's counts cost; undefined: no price is known
 */
export function ownUsage(
  usage: string,
  costsOf: (model: string, counts: Counts) => Costs | undefined,
): UsageByModel {
  const own: UsageByModel = new Map()
  for (const [model, entry] of Object.entries(objectOf(usage))) {
    if (!isObject(entry)) continue
    const sent: Sent = entry
    const counts = countsOf((name) => count(sent[name]))
    if (COUNTS.some((name) => counts[name] > 0))
      own.set(model, { ...counts, ...(costsOf(model, counts) ?? UNKNOWN) })
  }
  return own
}

/** Whether it is not known of which model it is. */
export function lacksModel(usage: UsageByModel): boolean {
  return usage.size === 1 && usage.has(NO_MODEL)
}

/** Adds `more` to `sum`. Two unknown costs make an unknown one; a known one stays as it is. */
export function addUsage(sum: Usage, more: Usage): void {
  for (const name of COUNTS) sum[name] += more[name]
  for (const name of COSTS) {
    const cost = more[name]
    if (cost !== null) sum[name] = (sum[name] ?? 0) + cost
  }
}

/** Capped below the largest exact integer of a double, so that sums are still written as whole numbers. */
function count(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER)
}

function objectOf(text: string): Record<string, unknown> {
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
