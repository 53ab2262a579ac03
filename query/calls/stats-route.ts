/** The route of statistics over time, bound. */
import { type CallStatsReq, callStats } from '../../common/contract/calls-read.js'
import { type Bound, serve } from '../../common/http/request.js'
import { isoOfMicros } from '../../common/time/iso.js'
import type { Shares } from '../shares.js'
import type { CallReader } from './reader.js'
import { type Span, spanOf } from './span.js'
import {
  callMeasures,
  callStatsStatement,
  type Measure,
  usageMeasures,
  usageStatsStatement,
} from './stats.js'

type Row = Record<string, unknown> & { bucket: number; model?: string }
type Bucket = Record<string, unknown>

export function statsRoute(reader: CallReader, shares: Shares): Bound {
  return serve(
    callStats,
    async ({ body, signal }) => {
      const span = spanOf(body)
      const [usage_buckets, call_buckets] = await Promise.all([
        usageBuckets(reader, body, span, signal),
        callBuckets(reader, body, span, signal),
      ])
      return {
        start: isoOfMicros(span.start),
        end: isoOfMicros(span.end),
        granularity: span.granularity,
        timezone: body.timezone,
        usage_buckets,
        call_buckets,
      }
    },
    shares.admit,
  )
}

/** One a model and bucket in which there is usage. */
async function usageBuckets(
  reader: CallReader,
  request: CallStatsReq,
  span: Span,
  signal: AbortSignal,
): Promise<Bucket[]> {
  const wanted = usageMeasures(request.usage_metrics ?? [])
  if (wanted.length === 0) return []
  const rows = await reader.rows<Row>(usageStatsStatement(request, span, wanted), signal)
  return rows.map((row) => ({ ...timestamp(row.bucket), model: row.model, ...values(row, wanted) }))
}

/** One a bucket, also where nothing was called. */
async function callBuckets(
  reader: CallReader,
  request: CallStatsReq,
  span: Span,
  signal: AbortSignal,
): Promise<Bucket[]> {
  const wanted = callMeasures(request.call_metrics ?? [])
  if (wanted.length === 0) return []
  const rows = await reader.rows<Row>(callStatsStatement(request, span, wanted), signal)
  const byStart = new Map(rows.map((row) => [Number(row.bucket), row]))
  return span.starts.map((start) => ({ ...timestamp(start), ...values(byStart.get(start), wanted) }))
}

function timestamp(seconds: number) {
  return { timestamp: isoOfMicros(Number(seconds) * 1e6) }
}

function values(row: Row | undefined, wanted: readonly Measure[]): Bucket {
  return Object.fromEntries(wanted.map(({ name, empty }, i) => [name, row ? row[`m${i}`] : empty]))
}
