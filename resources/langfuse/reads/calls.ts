/** Reads the calls that Langfuse's SDKs ask for. Knows no wire form of Langfuse. */
import { chosenColumns } from '../../../domain/calls/read/columns.js'
import { callFields } from '../../../domain/calls/read/fields.js'
import { callsOrder } from '../../../domain/calls/read/order.js'
import { CallReader } from '../../../domain/calls/read/reader.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import { bothTables, visible } from '../../../domain/calls/read/visible.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { collect } from '../../../platform/bytes/collect.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Parts } from '../../parts.js'
import type { CallLine } from './view.js'

interface Wanted {
  conditions: readonly Sql[]
  limit: number
  offset?: number
  direction?: 'asc' | 'desc'
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
    const order = callsOrder([{ field: 'started_at', direction }], callFields(project))
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
