/** Reads from a request which calls it selects, in which order, and with which fields. Pure. */

import type {
  CallReadReq,
  CallsFilter,
  CallsQueryReq,
  CallsQueryStatsReq,
} from '../../contract/calls-read.js'
import type { Query } from '../../contract/query-expr.js'
import { type Column, chosenColumns } from '../../domain/calls/read/columns.js'
import type { LineOptions } from '../../domain/calls/read/line.js'
import { alongKey, callsOrder } from '../../domain/calls/read/order.js'
import type { Page, Plain } from '../../domain/calls/read/page.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { startedWithin } from '../../domain/expr/started-within.js'
import type { Fields } from '../../domain/expr/value.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { filterConditions } from './filter.js'
import { prefilterConditions } from './prefilter.js'

/** The conditions of a filter and a query, all of which must hold. */
export function conditionsOf(
  request: { project_id: string; filter: CallsFilter | null; query: Query | null },
  fields: Fields,
): Sql[] {
  const conditions = filterConditions(request.filter, request.project_id)
  return request.query ? [...conditions, sql`(${compileExpr(request.query.$expr, fields)})`] : conditions
}

/** Cheap conditions that follow from the query, checked first. */
export function prefilterOf({ query }: { query: Query | null }, fields: Fields): Sql[] {
  return query ? prefilterConditions(query.$expr, fields) : []
}

/** The page that `request` selects. @throws 422 for unknown fields, 400 for other errors */
export function pageOf(request: CallsQueryReq, fields: Fields): Page {
  const { limit, offset } = request
  if (limit !== null && limit < 0) throw errors.badRequest('A limit must be 0 or more.')
  return {
    ...selectedBy(request, fields),
    order: callsOrder(request.sort_by, fields),
    offset: Math.max(offset ?? 0, 0),
    narrow: isNarrow(request.filter),
  }
}

/** The newest calls that a request for a count selects, up to its limit. @throws as {@link pageOf} */
export function countedPage(request: CallsQueryStatsReq, fields: Fields): Page {
  if (request.limit !== null && request.limit < 1) throw errors.badRequest('A limit must be 1 or more.')
  return { ...selectedBy(request, fields), order: alongKey('desc'), offset: 0 }
}

function selectedBy(request: CallsQueryReq | CallsQueryStatsReq, fields: Fields) {
  return {
    projectId: projectIdOf(request.project_id),
    conditions: conditionsOf(request, fields),
    early: prefilterOf(request, fields),
    limit: request.limit ?? undefined,
    ...plainOf(request),
  }
}

const ROOT = { column: sql`parent_id`, value: '' }

/** What is asked of calls, if it is only a time of their starts, or that they have no parent. */
function plainOf({ filter, query }: { filter: CallsFilter | null; query: Query | null }): {
  plain?: Plain
} {
  const within = query === null ? {} : startedWithin(query.$expr)
  if (within === undefined || !isUnfiltered(filter)) return {}
  return { plain: { values: filter?.trace_roots_only ? [ROOT] : [], ...within } }
}

/** True if a filter asks nothing of calls but, maybe, that they have no parent. */
export function isUnfiltered(filter: CallsFilter | null): boolean {
  return Object.entries(filter ?? {}).every(
    ([name, value]) => value === null || value === undefined || name === 'trace_roots_only',
  )
}

/** A trace or a thread may be long, but usually isn't. */
export function isNarrow(filter: CallsFilter | null): boolean {
  if (!filter) return false
  const { call_ids, trace_ids, parent_ids, thread_ids, turn_ids } = filter
  return [call_ids, trace_ids, parent_ids, thread_ids, turn_ids].some((ids) => ids && ids.length > 0)
}

/** The contents of the lines of `request`. */
export function lineOf(request: CallsQueryReq): LineOptions {
  const asked = request.columns && request.columns.length > 0 ? request.columns : null
  return {
    project: request.project_id,
    columns: chosenColumns(asked && [...asked, ...hanging(request)]),
    whole: wholeColumns(request, chosenColumns(asked)),
    textBytes: request.cut_texts_at ?? undefined,
    isSparse: request.omit_other_columns === true,
    storageSize: request.include_storage_size === true,
    usernames: request.include_usernames === true,
    traceSize: request.include_total_storage_size === true,
    costs: request.include_costs === true,
  }
}

/** The contents of the line of a call read by id: everything. */
export function wholeLine(request: CallReadReq): LineOptions {
  return {
    project: request.project_id,
    columns: chosenColumns(null),
    whole: 'all',
    storageSize: request.include_storage_size === true,
    usernames: false,
    traceSize: request.include_total_storage_size === true,
    costs: request.include_costs === true,
  }
}

/** Options whose values are inside `summary`, and so imply it. */
function hanging({ include_costs, include_feedback }: CallsQueryReq): string[] {
  return [...(include_costs ? ['costs'] : []), ...(include_feedback ? ['feedback'] : [])]
}

/** True for a request for a few calls by id, which reads calls rather than lists them: the SDKs fetch one call so. */
const HANDFUL = 10

function wholeColumns(
  { columns, filter, omit_large_values: omit }: CallsQueryReq,
  chosen: ReadonlySet<Column>,
): LineOptions['whole'] {
  if (omit) return new Set()
  const ids = filter?.call_ids ?? []
  if (ids.length > 0 && ids.length <= HANDFUL) return 'all'
  return columns && columns.length > 0 ? chosen : new Set()
}
