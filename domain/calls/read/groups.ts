/** What a call is counted under when statistics are grouped: fields of the list of fields, and agents. Pure. */
import type { GROUPINGS } from '../../../contract/calls-read.js'
import { type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { FIELDS } from '../listed-fields.js'
import { sqlOfField } from './fields.js'

export type CallGrouping = (typeof GROUPINGS)[number]

/** The name of a call's group, by the grouping; empty if the call has none. A test holds that all groupings are there. */
export const CALL_GROUPS = {
  agent: sql`agent_name`,
  ...Object.fromEntries(
    FIELDS.flatMap(({ group, path }) => (group && path ? [[group, sqlOfField(path)]] : [])),
  ),
} as Readonly<Record<CallGrouping, Sql>>
