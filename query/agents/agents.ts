/** Statements that list agents and their versions: sums over the spans that name them. Pure. */
import type { AgentsQueryReq, AgentVersionsQueryReq } from '../../contract/agents.js'
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { grouped, paged, SUMS } from './grouped.js'
import { windowOf } from './identity.js'

/** {@link SUMS} by agent and version. */
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

/** @throws 400 for a field that agents can't be sorted by */
export function agentsStatement({ filters, sort_by, ...request }: AgentsQueryReq): Sql {
  const of = filters?.agent_name == null ? sql`agent_name != ''` : named(filters.agent_name)
  const terms = agentOrder(sort_by).map(({ column, down }) =>
    down ? sql`${ident(column)} DESC` : sql`${ident(column)} ASC`,
  )
  return listed(request, ['agent_name'], of, commaList([...terms, sql`agent_name`]))
}

export function versionsStatement({ agent_name, ...request }: AgentVersionsQueryReq): Sql {
  return listed(request, ['agent_name', 'agent_version'], named(agent_name), sql`last DESC, agent_version`)
}

const named = (name: string) => sql`agent_name = ${bind.string(name)} AND agent_name != ''`

function listed(
  request: Pick<AgentsQueryReq, 'project_id' | 'limit' | 'offset'>,
  by: readonly string[],
  of: Sql,
  order: Sql,
): Sql {
  const keys = by.map((name) => [name, ident(name)] as const)
  return paged(grouped(windowOf(request), { keys, columns: [SUMS], conditions: [of] }), order, request)
}
