/** The route of statistics over time, bound. */
import { type CallStatsReq, callStats } from '../../contract/calls-read.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { type Span, spanOf } from '../../domain/calls/read/span.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import {
  callMeasures,
  callStatsStatement,
  type Measure,
  usageMeasures,
  usageStatsStatement,
} from './stats.js'

type Row = Record<string, unknown> & { bucket: number; model?: string }
type Bucket = Record<string, unknown>

export function statsRoute(reader: CallReader): Bound {
  return serve(callStats, async ({ body, signal }) => {
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
  })
}

/** The most usage buckets if empty ones are included; beyond that, empty ones are left out. */
const MOST_FILLED = 10_000

/** One per bucket and model that is used in the period, even if it was not used in the bucket. */
async function usageBuckets(
  reader: CallReader,
  request: CallStatsReq,
  span: Span,
  signal: AbortSignal,
): Promise<Bucket[]> {
  const wanted = usageMeasures(request.usage_metrics ?? [])
  if (wanted.length === 0) return []
  const rows = await reader.rows<Row>(usageStatsStatement(request, span, wanted), signal)
  const bucketOf = (row: Row) => ({ ...timestamp(row.bucket), model: row.model, ...values(row, wanted) })
  const byModel = new Map<string, Map<number, Row>>()
  for (const row of rows) {
    const ofModel = byModel.get(row.model!) ?? new Map()
    byModel.set(row.model!, ofModel.set(Number(row.bucket), row))
  }
  if (byModel.size * span.starts.length > MOST_FILLED) return rows.map(bucketOf)
  const models = [...byModel].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const unused = new Map(models.map(([model, used]) => [model, emptyOf([...used.values()], wanted)]))
  return span.starts.flatMap((start) =>
    models.map(([model, used]) => {
      const row = used.get(start)
      return row ? bucketOf(row) : { ...timestamp(start), model, ...unused.get(model) }
    }),
  )
}

/** The values of a bucket in which a model was not used. A value unknown in all the model's buckets, such as a cost, stays unknown. */
function emptyOf(rows: readonly Row[], wanted: readonly Measure[]): Bucket {
  return Object.fromEntries(
    wanted.map(({ name, empty }, i) => [name, rows.every((row) => row[`m${i}`] === null) ? null : empty]),
  )
}

/** One per bucket, including empty ones. */
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
