import { JsonNumber } from '../../platform/json/tree.js'

const COUNTED = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'total_tokens']

/** Counts by name. */
export type UsageCounts = Record<string, number>

/** Token counts in the form of a call's summary, always with one request. @param usage a field of the answer's usage */
export function usageCounts(usage: (name: string) => unknown): UsageCounts {
  const counts: UsageCounts = { requests: 1 }
  for (const name of COUNTED) {
    const value = usage(name)
    const count = value instanceof JsonNumber ? Number(value.text) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) counts[name] = count
  }
  return counts
}
