/** Lists agents and their versions: from sums by part, or else by the statements of `agents.ts`. */
import type { AgentsQueryReq, AgentVersionsQueryReq } from '../../contract/agents.js'
import type { KeptParts } from '../../domain/calls/read/kept-parts.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { costsOfAgents } from './agent-costs.js'
import { type AgentSums, agentOrder, agentsStatement, type SortColumn, versionsStatement } from './agents.js'
import { type Placed, pageOf } from './grouped.js'
import { windowOf } from './identity.js'
import { partSums } from './part-sums.js'
import type { AgentReader } from './read.js'

/** The rows of a page, and how many there are in all. */
interface Found {
  page: AgentSums[]
  total: number
}

export class AgentList {
  private readonly sums: KeptParts<AgentSums>

  constructor(
    store: Store,
    private readonly reader: AgentReader,
  ) {
    this.sums = partSums(store, reader)
  }

  /** @throws 400 for a field that agents can't be sorted by */
  async agents(request: AgentsQueryReq, signal: AbortSignal) {
    const order = agentOrder(request.sort_by)
    const name = request.filters?.agent_name ?? undefined
    const found =
      (await this.summed(request, { name, byVersion: false, order }, signal)) ??
      (await this.asked(request, agentsStatement(request), signal))
    return this.answer(request, found, undefined, signal)
  }

  async versions(request: AgentVersionsQueryReq, signal: AbortSignal) {
    const order = agentOrder(null)
    const found =
      (await this.summed(request, { name: request.agent_name, byVersion: true, order }, signal)) ??
      (await this.asked(request, versionsStatement(request), signal))
    return this.answer(request, found, request.agent_name, signal)
  }

  private async summed(
    { project_id, limit, offset }: Asked,
    {
      name,
      byVersion,
      order,
    }: { name: string | undefined; byVersion: boolean; order: readonly SortColumn[] },
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const sums = await this.sums.of(projectIdOf(project_id), signal)
    if (sums === undefined) return undefined
    const rows = new Map<string, AgentSums>()
    for (const one of sums) {
      if (name !== undefined && one.agent_name !== name) continue
      const row = byVersion ? one : { ...one, agent_version: '' }
      const key = `${row.agent_name}\0${row.agent_version}`
      const other = rows.get(key)
      rows.set(key, other ? added(other, row) : row)
    }
    const all = [...rows.values()].sort((a, b) => compared(a, b, order))
    return { page: all.slice(offset, offset + limit), total: all.length }
  }

  private async asked(request: Asked, statement: Sql, signal: AbortSignal): Promise<Found> {
    const { page, total } = pageOf(await this.reader.rows<Placed & AgentSums>(statement, signal), request)
    return { page: page.map(({ total: _, place: __, ...row }) => row), total }
  }

  /** @param of the agent whose versions are listed */
  private async answer(
    { project_id, include_costs }: Asked,
    { page, total }: Found,
    of: string | undefined,
    signal: AbortSignal,
  ) {
    const billed =
      of === undefined
        ? { names: page.map((row) => row.agent_name) }
        : { name: of, versions: page.map((row) => row.agent_version) }
    const window = windowOf({ project_id })
    const costs = include_costs ? await costsOfAgents(this.reader, window, billed, signal) : undefined
    const rows = page.map(({ took, first, last, agent_version, ...row }) => ({
      ...row,
      ...(of !== undefined && { agent_version }),
      project_id,
      total_duration_ms: Math.round(took / 1000),
      first_seen: isoOfMicros(first),
      last_seen: isoOfMicros(last),
      total_cost_usd: costs?.get(of === undefined ? row.agent_name : agent_version) ?? null,
    }))
    return { rows, total_count: total }
  }
}

type Asked = Pick<AgentsQueryReq, 'project_id' | 'limit' | 'offset' | 'include_costs'>

/** The sums of both. */
function added(a: AgentSums, b: AgentSums): AgentSums {
  return {
    agent_name: a.agent_name,
    agent_version: a.agent_version,
    invocation_count: a.invocation_count + b.invocation_count,
    span_count: a.span_count + b.span_count,
    total_input_tokens: a.total_input_tokens + b.total_input_tokens,
    total_output_tokens: a.total_output_tokens + b.total_output_tokens,
    took: a.took + b.took,
    error_count: a.error_count + b.error_count,
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
  }
}

function compared(a: AgentSums, b: AgentSums, order: readonly SortColumn[]): number {
  for (const { column, down } of order) {
    const difference = a[column] - b[column]
    if (difference !== 0) return down ? -difference : difference
  }
  return ordered(a.agent_name, b.agent_name) || ordered(a.agent_version, b.agent_version)
}

/** By bytes, as the store orders texts. */
function ordered(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}
