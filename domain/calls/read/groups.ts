/** What a call is counted under when statistics are grouped. Pure. */
import type { GROUPINGS } from '../../../contract/calls-read.js'
import { type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { MODEL, TRACE_NAME } from './fields.js'

export type CallGrouping = (typeof GROUPINGS)[number]

/** The name of a call's group, by the grouping; empty if the call has none. */
export const CALL_GROUPS: Readonly<Record<CallGrouping, Sql>> = {
  op: TRACE_NAME,
  model: MODEL,
  agent: sql`agent_name`,
  user: sql`user_id`,
  environment: sql`environment`,
  release: sql`release`,
  version: sql`version`,
  prompt_name: sql`prompt_name`,
  prompt_version: sql`prompt_version`,
}
