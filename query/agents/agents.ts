/** Statements that list agents and their versions: sums over the spans that name them. Pure. */
import type { AgentsQueryReq, AgentVersionsQueryReq } from '../../contract/agents.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { TOOK_MICROS } from './fields.js'
import { spansOf, windowOf } from './identity.js'

/** What is summed by agent and version. Times are µs since the epoch. */
export interface AgentSums {
  agent_name: string
  agent_version: string
  invocation_count: number
  span_count: number
  total_input_tokens: number
  total_output_tokens: number
  took: number
  error_count: number
  first: number
  last: number
}

/** A row of either list. */
export type AgentRow = AgentSums & { total: number }

/** Columns that agents can be sorted by, by their names in requests. */
const SORTABLE = {
  last_seen: 'last',
  first_seen: 'first',
  invocation_count: 'invocation_count',
  span_count: 'span_count',
  total_input_tokens: 'total_input_tokens',
  error_count: 'error_count',
} as const

export interface SortColumn {
  column: (typeof SORTABLE)[keyof typeof SORTABLE]
  down: boolean
}

/** The order of a list; names break ties. @throws 400 for a field that agents can't be sorted by */
export function agentOrder(asked: AgentsQueryReq['sort_by']): SortColumn[] {
  const order = (asked ?? []).map(({ field, direction }): SortColumn => {
    if (!Object.hasOwn(SORTABLE, field))
      throw errors.badRequest(
        `Agents can't be sorted by "${field.slice(0, 200)}"; sort by one of ${Object.keys(SORTABLE).join(', ')}.`,
      )
    return { column: SORTABLE[field as keyof typeof SORTABLE], down: direction !== 'asc' }
  })
  return order.length > 0 ? order : [{ column: 'last', down: true }]
}

/** The aggregates of {@link AgentSums}. */
export const SUMS = sql`countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sumIf(input_tokens, ${COUNTS}) AS total_input_tokens, sumIf(output_tokens, ${COUNTS}) AS total_output_tokens, sum(${TOOK_MICROS}) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last`

/** @throws 400 for a field that agents can't be sorted by */
export function agentsStatement({ project_id, filters, sort_by, limit, offset }: AgentsQueryReq): Sql {
  const of = filters?.agent_name == null ? sql`agent_name != ''` : named(filters.agent_name)
  const terms = agentOrder(sort_by).map(({ column, down }) =>
    down ? sql`${ident(column)} DESC` : sql`${ident(column)} ASC`,
  )
  const order = join([...terms, sql`agent_name`], sql`, `)
  return listed(project_id, [sql`agent_name`], of, order, limit, offset)
}

export function versionsStatement({ project_id, agent_name, limit, offset }: AgentVersionsQueryReq): Sql {
  const order = sql`last DESC, agent_version`
  return listed(project_id, [sql`agent_name`, sql`agent_version`], named(agent_name), order, limit, offset)
}

const named = (name: string) => sql`agent_name = ${bind.string(name)} AND agent_name != ''`

/** The first row is always read, beside the page's, as it has the total count. */
function listed(
  project: string,
  by: readonly Sql[],
  of: Sql,
  order: Sql,
  limit: number,
  offset: number,
): Sql {
  const keys = join(by, sql`, `)
  return sql`SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY ${order}) AS place FROM (
      SELECT ${keys}, ${SUMS} ${spansOf(windowOf({ project_id: project }), [of])} GROUP BY ${keys}))
  WHERE place = 1 OR (place > ${bind.uint(offset)} AND place <= ${bind.uint(offset + limit)}) ORDER BY place`
}
