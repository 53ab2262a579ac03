/** Reads a call's usage by model from the clients' JSON, and adds usages up. Knows nothing of trees. Pure. */
import { COUNTS, type CountName, type Counts, countsOf } from '../../contract/usage-counts.js'
import { isObject } from '../../platform/json/object.js'

const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
] as const

/** The usage of one model. A cost is null if no price is known. */
export type Usage = Counts & Record<(typeof COSTS)[number], number | null>
export type UsageByModel = Map<string, Usage>

type Sent = Partial<Record<CountName | keyof Usage, unknown>>

/**
 * The usage that a call itself reports. Models without counts are left out, as are values that are not numbers.
 * @param usage JSON of `summary.usage`, '' for none
 * @param costs JSON of `summary.weave.costs`, '' for none
 */
export function ownUsage(usage: string, costs: string): UsageByModel {
  const own: UsageByModel = new Map()
  const priced = new Map(Object.entries(objectOf(costs)))
  for (const [model, entry] of Object.entries(objectOf(usage))) {
    if (!isObject(entry)) continue
    const one = usageOf(entry, priced.get(model))
    if (COUNTS.some((name) => one[name] > 0)) own.set(model, one)
  }
  return own
}

/** Adds `more` to `sum`. Two unknown costs make an unknown one; a known one stays as it is. */
export function addUsage(sum: Usage, more: Usage): void {
  for (const name of COUNTS) sum[name] += more[name]
  for (const name of COSTS) {
    const cost = more[name]
    if (cost !== null) sum[name] = (sum[name] ?? 0) + cost
  }
}

function usageOf(entry: Sent, prices: unknown): Usage {
  const costs: Sent = isObject(prices) ? prices : {}
  return {
    ...countsOf((name) => count(entry[name])),
    prompt_tokens_total_cost: cost(costs.prompt_tokens_total_cost),
    completion_tokens_total_cost: cost(costs.completion_tokens_total_cost),
    cache_read_input_tokens_total_cost: cost(costs.cache_read_input_tokens_total_cost),
    cache_creation_input_tokens_total_cost: cost(costs.cache_creation_input_tokens_total_cost),
  }
}

/** Capped below the largest exact integer of a double, so that sums are still written as whole numbers. */
function count(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0
  return Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER)
}

function cost(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function objectOf(text: string): Record<string, unknown> {
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}
