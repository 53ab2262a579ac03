/** What the address of the list of threads holds. Pure. */

export interface ThreadsSearch {
  q?: string | undefined
  sort?: string | undefined
}

/** Each with the largest first. */
export const SORTS = [
  ['last_updated', 'Last seen'],
  ['start_time', 'Began last'],
  ['turn_count', 'Most turns'],
  ['p99_turn_duration_ms', 'Slowest'],
] as const

export function readThreadsSearch({ q, sort }: Record<string, unknown>): ThreadsSearch {
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(SORTS.some(([field]) => field === sort) && { sort: String(sort) }),
  }
}
