/**
 * The counts in `summary.usage` by model, and the names that clients use for each. The names of a count are synonyms:
 * if a client sends two, the greatest is the count, never the sum. All code for usage and costs, in SQL and TypeScript,
 * derives from this table. Pure.
 */
const NAMES = {
  requests: ['requests'],
  prompt_tokens: ['prompt_tokens', 'input_tokens'],
  completion_tokens: ['completion_tokens', 'output_tokens'],
  total_tokens: ['total_tokens'],
  cache_read_input_tokens: ['cache_read_input_tokens'],
  cache_creation_input_tokens: ['cache_creation_input_tokens'],
} as const

/** The name under which the usage of a span stands that names no model. */
export const NO_MODEL = 'usage'

export type Count = keyof typeof NAMES
export type CountName = (typeof NAMES)[Count][number]
export type Counts = Record<Count, number>

/** Each count with its names. */
export const COUNT_NAMES: Readonly<Record<Count, readonly CountName[]>> = NAMES
export const COUNTS = Object.keys(NAMES) as Count[]
/** All names that clients use. */
export const SENT_NAMES: readonly CountName[] = Object.values(NAMES).flat()

/** A model's counts from the values under each name. A missing total is the sum of its parts. */
export function countsOf(sent: (name: CountName) => number): Counts {
  const counts = Object.fromEntries(
    COUNTS.map((count) => [count, Math.max(...COUNT_NAMES[count].map(sent))]),
  ) as Counts
  const { prompt_tokens, completion_tokens, total_tokens } = counts
  return { ...counts, total_tokens: total_tokens > 0 ? total_tokens : prompt_tokens + completion_tokens }
}
