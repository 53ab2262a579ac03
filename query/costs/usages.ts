/**
 * SQL of the usage that a call reports in its summary, by model: read by one function, since the engine plans each one
 * for as long as it runs it on a page. Pure.
 */
import { type Sql, sql } from '../../common/clickhouse/sql.js'
import { mended } from '../expr/json-text.js'

/** A list of pairs: the model, and what was counted; what is no count, or beyond 64 bits, is 0. */
export function usagesOf(summary: Sql): Sql {
  const pairs = (text: Sql) =>
    sql`JSONExtractKeysAndValues(${text}, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)')`
  return sql`if(empty(${pairs(summary)}) AND ${isUnread(summary)}, ${pairs(mended(summary))}, ${pairs(summary)})`
}

/** JSON text of the usage in a summary, '' where there is none. */
export function usageText(summary: Sql): Sql {
  const raw = (text: Sql) => sql`JSONExtractRaw(${text}, 'usage')`
  return sql`if(${raw(summary)} = '' AND ${isUnread(summary)}, ${raw(mended(summary))}, ${raw(summary)})`
}

/** Whether the engine gives this text up for a number that it has; asked only where nothing was found. */
const isUnread = (text: Sql) => sql`${text} != '' AND NOT isValidJSON(${text})`

/** Counts of such a pair that is called `usage`. Prompt and input are two names of one thing, as are completion and output. */
export const REQUESTS = sql`usage.2.requests`
export const PROMPT = sql`(usage.2.prompt_tokens + usage.2.input_tokens)`
export const COMPLETION = sql`(usage.2.completion_tokens + usage.2.output_tokens)`
export const TOTAL = sql`if(usage.2.total_tokens > 0, usage.2.total_tokens, ${PROMPT} + ${COMPLETION})`
export const CACHE_READ = sql`usage.2.cache_read_input_tokens`
export const CACHE_CREATION = sql`usage.2.cache_creation_input_tokens`

/** Of a call: a list of tuples of the model, requests, prompt, completion, total, cache read and cache creation tokens. */
export const OWN_USAGE = sql`arrayMap(usage -> (usage.1, ${REQUESTS}, ${PROMPT}, ${COMPLETION}, ${TOTAL}, ${CACHE_READ}, ${CACHE_CREATION}), ${usagesOf(sql`summary`)})`
