/** What alerts judge of calls and of SQL. */

import type { AlertOnCalls } from '../contract/alerts.js'
import { type CallStatsReq, USAGE_METRICS } from '../contract/calls-read.js'
import type { AlertValues, WindowRow } from '../domain/alerts/values.js'
import type { Span } from '../domain/calls/read/span.js'
import { collect } from '../platform/bytes/collect.js'
import type { Sql } from '../platform/clickhouse/sql.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import {
  batchStatement,
  callMeasures,
  callStatsStatement,
  usageMeasures,
  usageStatsStatement,
} from './calls/stats.js'
import type { ProjectSql } from './sql/project-sql.js'

/** Of a statement's result. */
const MOST_ROWS = 1000
const MOST_BYTES = 2 ** 20

export function alertValues(store: Store, limits: Limits, statements: ProjectSql): AlertValues {
  return {
    calls: (project, source, span, { caller, signal }) =>
      store.rows<WindowRow>(windowStatement(project, source, span), { limits, caller, signal }),
    batch: async (project, sources, span, { caller, signal }) => {
      const statement = windowBatchStatement(project, sources, span)
      const rows = await store.rows<Record<string, number | null>>(statement, { limits, caller, signal })
      return sources.map((_, i) =>
        rows.map((row) => ({
          ...{ bucket: Number(row.bucket), m0: row[`m${2 * i}`] ?? null, m1: Number(row[`m${2 * i + 1}`]) },
        })),
      )
    },
    sql: async (project, query, since, until, { caller, signal }) => {
      const request = {
        ...{ project, query, format: 'jsonl' as const },
        params: { since: timeText(since), until: timeText(until) },
        limits: { resultRows: MOST_ROWS, resultBytes: MOST_BYTES },
      }
      const lines = (await collect(await statements.run(request, caller, signal))).toString().split('\n')
      return lines.filter(Boolean).map((line) => JSON.parse(line) as object)
    },
  }
}

/** As the engine reads a DateTime64, in UTC. */
const timeText = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

/** The most groups that are distinguished; others are left out. */
const MOST_GROUPS = 100

/** Rows of `bucket`, `grp` if it is grouped, the value and the count. @param span its buckets are the windows @throws 422 for unknown fields */
function windowStatement(project: string, source: AlertOnCalls, span: Span): Sql {
  const { metric } = source
  const [request, spec] = [requestOf(project, source), specOf(source)]
  const ranges = [rangeOf(span)]
  if (!isUsage(metric)) return callStatsStatement(request, span, callMeasures([spec]), ranges)
  const asked = { ...request, usage_metrics: [{ ...spec, metric }] }
  return usageStatsStatement(asked, span, usageMeasures([spec]), ranges, 'together')
}

/** Rows of `bucket` and, for each of these sources, the value and the count. None has groups, and all are of calls, not of their usage. */
function windowBatchStatement(project: string, sources: readonly AlertOnCalls[], span: Span): Sql {
  const requests = sources.map((source) => requestOf(project, source))
  return batchStatement(requests, span, (i, only) => callMeasures([specOf(sources[i]!)], only), rangeOf(span))
}

const rangeOf = ({ start, end }: Span) => ({ from: start, to: end })

const isUsage = (metric: AlertOnCalls['metric']): metric is (typeof USAGE_METRICS)[number] =>
  (USAGE_METRICS as readonly string[]).includes(metric)

function specOf({ metric, aggregation, percentile }: AlertOnCalls) {
  return percentile === null
    ? { metric, aggregations: [aggregation], percentiles: [] }
    : { metric, aggregations: [], percentiles: [percentile] }
}

const requestOf = (project: string, { filter, query, group_by }: AlertOnCalls): CallStatsReq => ({
  ...{ project_id: project, filter, query, group_by, group_limit: MOST_GROUPS },
  ...{ start: '', end: null, granularity: null, timezone: 'UTC' },
  ...{ usage_metrics: null, call_metrics: null },
})
