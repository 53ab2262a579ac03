/** What a model's answer says that it used. Pure. */
import { JsonNumber } from '../../platform/json/tree.js'

const COUNTED = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'total_tokens']

/** Counts by name. */
export type UsageCounts = Record<string, number>

/** The counts of tokens as a call's summary has them; one request in any case. @param usage a field of an answer's usage */
export function usageCounts(usage: (name: string) => unknown): UsageCounts {
  const counts: UsageCounts = { requests: 1 }
  for (const name of COUNTED) {
    const value = usage(name)
    const count = value instanceof JsonNumber ? Number(value.text) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) counts[name] = count
  }
  return counts
}
