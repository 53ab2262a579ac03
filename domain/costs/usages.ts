/**
 * SQL of the usage that a call reports in its summary, by model: read by one function, since the engine plans each one
 * for as long as it runs it on a page. Pure.
 */
import { COUNT_NAMES, type Count, SENT_NAMES } from '../../contract/usage-counts.js'
import { ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { mended } from '../expr/json-text.js'

const comma = (parts: Sql[]) => join(parts, sql`, `)
const SENT = sql`'Tuple(${comma(SENT_NAMES.map((name) => sql`${ident(name)} UInt64`))})'`

/** A list of pairs: the model, and what was counted; what is no count, or beyond 64 bits, is 0. */
export function usagesOf(summary: Sql): Sql {
  const pairs = (text: Sql) => sql`JSONExtractKeysAndValues(${text}, 'usage', ${SENT})`
  return sql`if(empty(${pairs(summary)}) AND ${isUnread(summary)}, ${pairs(mended(summary))}, ${pairs(summary)})`
}

/** JSON text of the usage in a summary, '' where there is none. */
export function usageText(summary: Sql): Sql {
  const raw = (text: Sql) => sql`JSONExtractRaw(${text}, 'usage')`
  return sql`if(${raw(summary)} = '' AND ${isUnread(summary)}, ${raw(mended(summary))}, ${raw(summary)})`
}

/** Whether the engine gives this text up for a number that it has; asked only where nothing was found. */
const isUnread = (text: Sql) => sql`${text} != '' AND NOT isValidJSON(${text})`

/** Of such a pair that is called `usage`. */
function countOf(count: Count): Sql {
  const sent = COUNT_NAMES[count].map((name) => sql`usage.2.${ident(name)}`)
  return sent.length === 1 ? sent[0]! : sql`greatest(${comma(sent)})`
}

export const REQUESTS = countOf('requests')
export const PROMPT = countOf('prompt_tokens')
export const COMPLETION = countOf('completion_tokens')
export const TOTAL = sql`if(${countOf('total_tokens')} > 0, ${countOf('total_tokens')}, ${PROMPT} + ${COMPLETION})`
export const CACHE_READ = countOf('cache_read_input_tokens')
export const CACHE_CREATION = countOf('cache_creation_input_tokens')

/** Of a call: a list of tuples of the model, requests, prompt, completion, total, cache read and cache creation tokens. */
export const OWN_USAGE = sql`arrayMap(usage -> (usage.1, ${REQUESTS}, ${PROMPT}, ${COMPLETION}, ${TOTAL}, ${CACHE_READ}, ${CACHE_CREATION}), ${usagesOf(sql`summary`)})`
