/** Reads the calls that Langfuse's SDKs ask for. Knows no wire form of Langfuse. */
import { chosenColumns } from '../../../domain/calls/read/columns.js'
import { callFields } from '../../../domain/calls/read/fields.js'
import { callsOrder, type Order } from '../../../domain/calls/read/order.js'
import { CallReader } from '../../../domain/calls/read/reader.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import { bothTables, visible, visibleRows } from '../../../domain/calls/read/visible.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { rawAt } from '../../../domain/expr/json-text.js'
import { collect } from '../../../platform/bytes/collect.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Parts } from '../../parts.js'
import { readBy } from '../query/calls.js'
import type { CallLine } from './view.js'

export interface Wanted {
  conditions: readonly Sql[]
  limit: number
  offset?: number
  direction?: 'asc' | 'desc'
  /** default: by time, in that direction */
  order?: Order | undefined
  /** default: all */
  columns?: readonly string[]
  /** they are of few traces */
  narrow?: boolean
}

/** The most calls of the traces of a list, for their ids and costs. */
const MOST_BRIEF = 10_000

export class LangfuseCalls {
  private readonly reader: CallReader

  constructor(private readonly parts: Pick<Parts, 'store' | 'limits'>) {
    this.reader = new CallReader(parts.store, parts.limits)
  }

  /** What `plan` makes of the places of attributes, if it asks for any. @param project `entity/project` */
  placed<Plan>(
    project: string,
    plan: (places: SpanPlaces | undefined) => Plan,
    signal: AbortSignal,
  ): Promise<Plan> {
    return this.reader.placed(project, (_, places) => plan(places), signal)
  }

  /** The calls that fulfil all conditions, the newest first. @param project `entity/project` */
  async page(project: string, wanted: Wanted, signal: AbortSignal): Promise<CallLine[]> {
    const { conditions, limit, offset = 0, direction = 'desc', columns = null, narrow = false } = wanted
    const order = wanted.order ?? callsOrder([{ field: 'started_at', direction }], callFields(project))
    const page = { projectId: projectIdOf(project), conditions, early: [], order, limit, offset, narrow }
    const none = { storageSize: false, usernames: false, traceSize: false }
    const line = { project, columns: chosenColumns(columns), whole: 'all', ...none, costs: true } as const
    const text = (await collect(await this.reader.page(page, line, signal))).toString()
    return text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((one) => JSON.parse(one) as CallLine)
  }

  /** How many calls fulfil all conditions. */
  async count(project: string, conditions: readonly Sql[], signal: AbortSignal): Promise<number> {
    const parts = bothTables(
      (table) => sql`SELECT count() AS n ${visible(table, projectIdOf(project), conditions)}`,
    )
    const count = sql`SELECT sum(n) FROM (${parts})`
    return (await this.parts.store.value<number>(count, this.options(signal))) ?? 0
  }

  /** The calls of these traces with their summaries alone. */
  ofTraces(project: string, traces: readonly string[], signal: AbortSignal): Promise<CallLine[]> {
    if (traces.length === 0) return Promise.resolve([])
    const conditions = [sql`trace_id IN ${bind.strings(traces)}`]
    const wanted = { conditions, limit: MOST_BRIEF, columns: ['summary'], narrow: true }
    return this.page(project, wanted, signal)
  }

  /** The costs that senders gave for calls of these traces, by the calls' ids. */
  async sentCosts(
    project: string,
    traces: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, unknown>> {
    if (traces.length === 0) return new Map()
    const inTraces = sql`trace_id IN ${bind.strings(traces)}`
    const statement = await this.placed(
      project,
      (places) => {
        const sent = rawAt(readBy(project, places).sent('observation.cost_details'))
        const rows = visibleRows(sql`id, ${sent} AS costs`, projectIdOf(project), [inTraces])
        return sql`SELECT id, costs FROM (${rows}) WHERE costs != '' LIMIT ${bind.uint(MOST_BRIEF)}`
      },
      signal,
    )
    const rows = await this.parts.store.rows<{ id: string; costs: string }>(statement, this.options(signal))
    return new Map(rows.map(({ id, costs }) => [id, JSON.parse(costs)]))
  }

  /** The root calls of the traces of some calls, by their traces. */
  async rootsOf(
    project: string,
    some: readonly CallLine[],
    signal: AbortSignal,
  ): Promise<Map<string, CallLine>> {
    const traces = [...new Set(some.map(({ trace_id }) => trace_id))]
    const conditions = [sql`trace_id IN ${bind.strings(traces)}`, sql`parent_id = ''`]
    const wanted = { conditions, limit: MOST_BRIEF, columns: ['attributes', 'summary'] }
    const roots = traces.length === 0 ? [] : await this.page(project, wanted, signal)
    return new Map(roots.map((root) => [root.trace_id, root]))
  }

  /** The root of each trace of which a call is in a session, or the first call where the root is not stored; the oldest first. */
  async headsOfSession(
    project: string,
    session: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<string[]> {
    const projectId = projectIdOf(project)
    const traces = visibleRows(sql`trace_id`, projectId, [sql`thread_id = ${bind.string(session)}`])
    const inside = visibleRows(sql`id, trace_id, parent_id, started_at`, projectId, [
      sql`trace_id IN (${traces})`,
    ])
    const heads = sql`SELECT argMin(id, (parent_id != '', started_at)) AS head FROM (${inside})
      GROUP BY trace_id ORDER BY min(started_at) LIMIT ${bind.uint(limit)}`
    const rows = await this.parts.store.rows<{ head: string }>(heads, this.options(signal))
    return rows.map(({ head }) => head)
  }

  /** Ids of calls of these traces, those without a parent first. @param limit at most so many */
  async idsOfTraces(project: string, traces: readonly string[], limit: number): Promise<string[]> {
    const inTraces = [sql`trace_id IN ${bind.strings(traces)}`]
    const rows = visibleRows(sql`id, parent_id`, projectIdOf(project), inTraces)
    const some = sql`SELECT DISTINCT id FROM (SELECT id FROM (${rows}) ORDER BY parent_id != '', id LIMIT ${bind.uint(limit)})`
    const { store, limits } = this.parts
    const found = await store.rows<{ id: string }>(some, { limits, settings: READ_SETTINGS })
    return found.map(({ id }) => id)
  }

  /** A page of sessions with their first times in µs, the newest first, and the number of all. */
  async sessions(
    project: string,
    conditions: readonly Sql[],
    limit: number,
    offset: number,
    signal: AbortSignal,
  ) {
    const named = [sql`thread_id != ''`, ...conditions]
    const all = sql`SELECT thread_id AS id, toUnixTimestamp64Micro(min(started_at)) AS created
      ${visible('calls', projectIdOf(project), named)} GROUP BY thread_id`
    const { store } = this.parts
    const [rows, total] = await Promise.all([
      store.rows<{ id: string; created: number }>(
        sql`${all} ORDER BY created DESC, id LIMIT ${bind.uint(limit)} OFFSET ${bind.uint(offset)}`,
        this.options(signal),
      ),
      store.row<{ count: number }>(sql`SELECT count() AS count FROM (${all})`, this.options(signal)),
    ])
    return { rows, total: total?.count ?? 0 }
  }

  private options(signal: AbortSignal) {
    return { limits: this.parts.limits, signal, settings: READ_SETTINGS }
  }
}
