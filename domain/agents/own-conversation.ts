/** SQL for the conversation that a span itself names: its thread, unless it has that from another span. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** True for a span that names its conversation. */
export const NAMES_CONVERSATION = sql`own_conversation = 1`

/** The conversation that a span names; empty: none. */
export const OWN_CONVERSATION = sql`if(${NAMES_CONVERSATION}, thread_id, '')`

/** The conditions on a span that names one of these conversations. */
export const namesOneOf = (ids: readonly string[]): Sql[] => [
  NAMES_CONVERSATION,
  sql`thread_id IN ${bind.strings(ids)}`,
]
