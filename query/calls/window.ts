/** Values of one metric over windows of time, for alerts: those of `/calls/stats`, by its statements. */
import type { AlertOnCalls } from '../../contract/alerts.js'
import { type CallStatsReq, USAGE_METRICS } from '../../contract/calls-read.js'
import type { Span } from '../../domain/calls/read/span.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import {
  batchStatement,
  callMeasures,
  callStatsStatement,
  usageMeasures,
  usageStatsStatement,
} from './stats.js'

/** The most groups that are distinguished; others are left out. */
const MOST_GROUPS = 100

/** Rows of `bucket`, `grp` if it is grouped, the value and the count. @param span its buckets are the windows @throws 422 for unknown fields */
export function windowStatement(project: string, source: AlertOnCalls, span: Span): Sql {
  const { metric } = source
  const [request, spec] = [requestOf(project, source), specOf(source)]
  const ranges = [rangeOf(span)]
  if (!isUsage(metric)) return callStatsStatement(request, span, callMeasures([spec]), ranges)
  const asked = { ...request, usage_metrics: [{ ...spec, metric }] }
  return usageStatsStatement(asked, span, usageMeasures([spec]), ranges, 'together')
}

/** Rows of `bucket` and, for each of these sources, the value and the count. None has groups, and all are of calls, not of their usage. */
export function windowBatchStatement(project: string, sources: readonly AlertOnCalls[], span: Span): Sql {
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
