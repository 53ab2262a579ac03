/**
 * SQL for the usage in a call's summary, by model. Each function is used once per SELECT, and named where it is needed
 * again, since on a page the engine takes as long to plan one as to run it. Pure.
 */
import { COUNT_NAMES, type Count, SENT_NAMES } from '../../contract/usage-counts.js'
import { commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { mended } from '../expr/json-text.js'

const SENT = sql`'Tuple(${commaList(SENT_NAMES.map((name) => sql`${ident(name)} UInt64`))})'`

/** A list of (model, counts) pairs; values that are not counts, or exceed 64 bits, are 0. */
export function usagesOf(summary: Sql): Sql {
  const pairs = (text: Sql) => sql`JSONExtractKeysAndValues(${text}, 'usage', ${SENT})`
  return sql`if(empty(${pairs(summary)} AS read_usages) AND ${isUnread(summary)}, ${pairs(mended(summary))}, read_usages)`
}

/** JSON text of the usage in a summary, '' if there is none. */
export function usageText(summary: Sql): Sql {
  const raw = (text: Sql) => sql`JSONExtractRaw(${text}, 'usage')`
  return sql`if((${raw(summary)} AS read_usage) = '' AND ${isUnread(summary)}, ${raw(mended(summary))}, read_usage)`
}

/** The models in a summary's usage. */
export function modelsOf(summary: Sql): Sql {
  const keys = (text: Sql) => sql`JSONExtractKeys(${text}, 'usage')`
  return sql`if(empty(${keys(summary)} AS read_models) AND ${isUnread(summary)}, ${keys(mended(summary))}, read_models)`
}

/** True if the engine can't parse this text because of a large number; evaluated only if nothing was found. */
const isUnread = (text: Sql) => sql`${text} != '' AND NOT isValidJSON(${text})`

/** The count of a pair called `usage`. */
function countOf(count: Count): Sql {
  const sent = COUNT_NAMES[count].map((name) => sql`usage.2.${ident(name)}`)
  return sent.length === 1 ? sent[0]! : sql`greatest(${commaList(sent)})`
}

export const REQUESTS = countOf('requests')
export const PROMPT = countOf('prompt_tokens')
export const COMPLETION = countOf('completion_tokens')
export const TOTAL = sql`if(${countOf('total_tokens')} > 0, ${countOf('total_tokens')}, ${PROMPT} + ${COMPLETION})`
export const CACHE_READ = countOf('cache_read_input_tokens')
export const CACHE_CREATION = countOf('cache_creation_input_tokens')

/** A call's list of tuples of model, requests, and prompt, completion, total, cache-read and cache-creation tokens. */
export const OWN_USAGE = sql`arrayMap(usage -> (usage.1, ${REQUESTS}, ${PROMPT}, ${COMPLETION}, ${TOTAL}, ${CACHE_READ}, ${CACHE_CREATION}), ${usagesOf(sql`summary`)})`
