/** Values inside payloads over time: the statement, and its rows as an answer. Pure. */

import type { FeedbackGrouping } from '../../contract/alerts.js'
import type { Aggregation } from '../../contract/calls-read.js'
import type { FeedbackMetricSpec, FeedbackStatsReq, ValueType } from '../../contract/feedback-read.js'
import { pathSegments } from '../../domain/calls/leaves.js'
import { CALL_GROUPS } from '../../domain/calls/read/groups.js'
import { bucketOf, type Span } from '../../domain/calls/read/span.js'
import { aggregatesOf, inBucket, largest, measured, statistics } from '../../domain/calls/read/statistics.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { rawAt, textAt } from '../../domain/expr/json-text.js'
import { commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { within } from './window.js'

/** A measure of a path's values in a bucket. */
export interface Measure {
  /** the path with `_` instead of dots */
  slug: string
  /** `avg`, `p50`, … */
  name: string
  aggregate: Sql
  empty: 0 | null
}

/** A row of {@link statsStatement}; without a bucket it covers the whole period. */
export type StatsRow = Record<string, number | null> & { total: number; bucket: number; n: number }

/** A row of {@link groupedStatement}. */
export interface GroupedRow {
  bucket: number
  grp: string
  n: number
  m0: number | null
}

const USUAL: Record<ValueType, readonly Aggregation[]> = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: ['count'],
}

/** The requested measures, each once. */
export function measuresOf(specs: readonly FeedbackMetricSpec[]): Measure[] {
  const all = specs.flatMap(({ json_path, value_type, aggregations, percentiles }): Measure[] => {
    const slug = json_path.replaceAll('.', '_')
    const wanted = aggregations.length > 0 ? aggregations : USUAL[value_type]
    const ranks = value_type === 'numeric' ? percentiles : []
    return aggregatesOf(wanted, ranks, (name) => valueAt(value_type, name, json_path)).map((one) => ({
      slug,
      ...one,
    }))
  })
  return [...new Map(all.map((measure) => [`${measure.name}_${measure.slug}`, measure])).values()]
}

/** The value at a path; NULL if it has none of this type. */
function valueAt(type: ValueType, aggregation: Aggregation, path: string): Sql {
  const place = { document: sql`payload`, path: pathSegments(path) }
  const raw = rawAt(place)
  if (type === 'numeric') return sql`toFloat64OrNull(${raw})`
  if (type === 'boolean') return sql`multiIf(${raw} = 'true', 1, ${raw} = 'false', 0, NULL)`
  const text = textAt(place)
  return aggregation === 'count' ? sql`nullIf(${text}, '')` : sql`toFloat64OrNull(${text})`
}

/** Rows of `total` (1: the whole period), `bucket` (seconds), `n` and a column `m0`, `m1`, … per measure: one per bucket, and the total. */
export function statsStatement(request: FeedbackStatsReq, span: Span, measures: readonly Measure[]): Sql {
  return sql`SELECT grouping(bucket) AS total, ${bucketOf(sql`created_at`, span)} AS bucket, count() AS n,
    ${commaList(measured(measures))}
    ${within({ ...request, start: span.start, end: span.end })}
    GROUP BY GROUPING SETS ((bucket), ())`
}

/** Groups of feedback that are kept apart; those with less of it are left out. */
const MOST_GROUPS = 100

/** The same by group: rows of `bucket`, `grp`, `n`, `m0`, … @param by what groups are of @param path of the value */
export function groupedStatement(
  request: FeedbackStatsReq,
  span: Span,
  measures: readonly Measure[],
  by: FeedbackGrouping,
  path: string,
): Sql {
  const rows = within({ ...request, start: span.start, end: span.end })
  const projectId = projectIdOf(request.project_id)
  const named = namedBy(by, path, rows, projectId)
  return statistics({
    keys: [inBucket(sql`created_at`, span), ['grp', sql`named`]],
    columns: [sql`count() AS n`, ...measured(measures)],
    from: sql`FROM (${named}) WHERE named IN (${largest(named, MOST_GROUPS)})`,
  })
}

/** `created_at`, `payload` and the group of each, as `named`. */
function namedBy(by: FeedbackGrouping, path: string, rows: Sql, projectId: string): Sql {
  if (by === 'creator') return sql`SELECT created_at, payload, creator AS named ${rows}`
  if (by === 'value') {
    const place = { document: sql`payload`, path: pathSegments(path) }
    const text = sql`if(${textAt(place)} = '', ${rawAt(place)}, ${textAt(place)})`
    return sql`SELECT created_at, payload, ${text} AS named ${rows}`
  }
  const about = sql`id IN (SELECT call_id ${rows})`
  const calls = rowsOfBoth(sql`id, ${CALL_GROUPS[by]} AS named`, projectId, [about])
  return sql`SELECT created_at, payload, calls.named AS named FROM (SELECT created_at, payload, call_id ${rows}) AS given
    ANY LEFT JOIN (${calls}) AS calls ON given.call_id = calls.id`
}

/** Every bucket, including empty ones. */
export function bucketsOf(rows: readonly StatsRow[], span: Span, measures: readonly Measure[]) {
  const byStart = new Map(rows.filter((row) => !isTotal(row)).map((row) => [Number(row.bucket), row]))
  return span.starts.map((start) => {
    const row = byStart.get(start)
    const values = measures.map(({ name, slug, empty }, i) => [`${name}_${slug}`, row ? row[`m${i}`] : empty])
    return {
      timestamp: isoOfMicros(start * 1e6),
      count: Number(row?.n ?? 0),
      ...(Object.fromEntries(values) as Record<string, number | null>),
    }
  })
}

/** The measures over the whole period, by path. */
export function windowStats(rows: readonly StatsRow[], measures: readonly Measure[]) {
  const total = rows.find(isTotal)
  const stats: Record<string, Record<string, number | null>> = {}
  measures.forEach(({ slug, name, empty }, i) => {
    const ofPath = Object.hasOwn(stats, slug) ? stats[slug]! : {}
    ofPath[name] = total && total.n > 0 ? (total[`m${i}`] ?? null) : empty
    Object.defineProperty(stats, slug, {
      value: ofPath,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  })
  return stats
}

function isTotal({ total }: StatsRow): boolean {
  return Number(total) === 1
}
