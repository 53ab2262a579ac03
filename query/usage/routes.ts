import { callsUsage, traceUsage } from '../../contract/calls-read.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { visibleRows } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import { costsOf, type Prices, pricesByModel } from '../../domain/costs/pricing.js'
import { usageText } from '../../domain/costs/usages.js'
import type { Fields } from '../../domain/expr/value.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { CallsParts } from '../calls/routes.js'
import { conditionsOf } from '../calls/selection.js'
import { boundPairs, rollUp, type UsageCall } from './rollup.js'
import { ownUsage, type UsageByModel } from './tally.js'

const MOST_IDS = 1000

export function usageRoutes({ store, limits }: CallsParts): Bound[] {
  const reader = new CallReader(store, limits)
  const read = (statement: Sql, signal: AbortSignal) =>
    streamRows<UsageRow>(store, statement, { limits, signal, settings: READ_SETTINGS })
  /** The prices of a project; none unless costs are asked for. */
  const pricesOf = async (projectId: string, isAsked: boolean, signal: AbortSignal): Promise<Prices> =>
    isAsked ? readPrices(store, projectId, { limits, signal }) : pricesByModel([])

  const trace = serve(traceUsage, async ({ body, signal }) => {
    const { limit } = body
    const projectId = projectIdOf(body.project_id)
    const planIn = (fields: Fields) => conditionsOf(body, fields)
    const conditions = await reader.placed(body.project_id, planIn, signal)
    const prices = await pricesOf(projectId, body.include_costs, signal)
    const set = await setOf(read(usageStatement(projectId, conditions), signal), prices, limit, () =>
      errors.badRequest(`More than ${limit} calls match; narrow the filter or raise limit, 100000 at most.`),
    )
    const totals = rollUp(set.calls)
    return { call_usage: plain(totals.keys(), totals), unfinished_call_ids: set.unfinished }
  })

  const calls = serve(callsUsage, async ({ body, signal }) => {
    const { call_ids: ids, limit } = body
    if (ids.length > MOST_IDS)
      throw errors.badRequest(`call_ids has ${ids.length} values; send at most ${MOST_IDS}.`)
    if (ids.length === 0) return { call_usage: {}, unfinished_call_ids: [] }
    const projectId = projectIdOf(body.project_id)
    const [prices, starts] = await Promise.all([
      pricesOf(projectId, body.include_costs, signal),
      store.rows<TraceStart>(startsStatement(projectId, ids), { limits, signal, settings: READ_SETTINGS }),
    ])
    if (starts.length === 0) return { call_usage: plain(ids, new Map()), unfinished_call_ids: [] }
    const statement = usageStatement(projectId, descendantConditions(starts))
    const set = await setOf(read(statement, signal), prices, limit, () =>
      errors.badRequest(
        `The traces of these calls have more than ${limit} calls; send fewer ids or raise limit, 100000 at most.`,
      ),
    )
    return {
      call_usage: plain(ids, rollUp(set.calls, new Set(ids))),
      unfinished_call_ids: set.unfinished,
    }
  })

  return [trace, calls]
}

interface NewestCall extends UsageCall {
  ver: number
  open: 0 | 1
}

/** The newest row of each call. @throws the error of `tooMany` beyond `limit` calls */
async function setOf(pieces: AsyncIterable<UsageRow[]>, prices: Prices, limit: number, tooMany: () => Error) {
  const calls = new Map<string, NewestCall>()
  let pairs = 0
  for await (const rows of pieces) {
    for (const { id, parent, ver, open, started, usage } of rows) {
      const known = calls.get(id)
      if (known && known.ver >= ver) continue
      if (!known && calls.size === limit) throw tooMany()
      const own = ownUsage(usage, (model, counts) => costsOf(prices, model, started, counts))
      pairs += own.size - (known?.usage.size ?? 0)
      boundPairs(pairs)
      calls.set(id, { parent, ver, open, usage: own })
    }
  }
  const unfinished = [...calls].flatMap(([id, { open }]) => (open ? [id] : []))
  return { calls, unfinished: unfinished.sort() }
}

/** The usage as JSON; an unknown id has none. */
function plain(ids: Iterable<string>, totals: ReadonlyMap<string, UsageByModel>) {
  return Object.fromEntries(Array.from(ids, (id) => [id, Object.fromEntries(totals.get(id) ?? [])]))
}

/** A row of the statements. A call may briefly have several rows; the highest `ver` counts. */
interface UsageRow {
  id: string
  parent: string
  ver: number
  /** 1: it has no end */
  open: 0 | 1
  /** JSON of `summary.usage`; '' for none */
  usage: string
  /** µs since the epoch */
  started: number
}

/** The usage of the calls that match all `conditions`. @param projectId internal id */
export function usageStatement(projectId: string, conditions: readonly Sql[]): Sql {
  const columns = sql`id, parent_id, ver, started_at, ended_at, summary, repeats_usage`
  return sql`SELECT id, parent_id AS parent, ver, ended_at = ${EPOCH} AS open,
  toUnixTimestamp64Micro(started_at) AS started, if(${COUNTS}, ${usageText(sql`summary`)}, '') AS usage FROM (
  ${visibleRows(columns, projectId, conditions)})`
}

/** The trace of a call, and when it began. */
interface TraceStart {
  trace_id: string
  /** µs since the epoch */
  started: number
}

/** Rows of {@link TraceStart}. */
export const startsStatement = (projectId: string, ids: readonly string[]): Sql =>
  visibleRows(sql`trace_id, toUnixTimestamp64Micro(started_at) AS started`, projectId, [
    sql`id IN ${bind.strings(ids)}`,
  ])

/** A call may begin so long before the one above it, by another clock (µs). */
const CLOCK_SKEW = 24 * 3_600_000_000

/**
 * True for the calls of `starts`, for their descendants, and for others of their traces. With the traces alone the engine would
 * ask the index of every granule for each, and read one in a thousand of them in vain: a tenth of the table for a hundred.
 */
export function descendantConditions(starts: readonly TraceStart[]): Sql[] {
  const traces = [...new Set(starts.map(({ trace_id }) => trace_id))]
  const first = starts.reduce(
    (least, { started }) => Math.min(least, Number(started)),
    Number.POSITIVE_INFINITY,
  )
  return [sql`trace_id IN ${bind.strings(traces)}`, sql`started_at >= ${instant(first - CLOCK_SKEW)}`]
}
