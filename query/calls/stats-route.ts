import { createHash } from 'node:crypto'
import { type CallStatsReq, callStats } from '../../contract/calls-read.js'
import { usernamesOf } from '../../domain/auth/usernames.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { type Span, spanOf } from '../../domain/calls/read/span.js'
import type { SpanPlaces } from '../../domain/calls/span-places.js'
import type { Fields } from '../../domain/expr/value.js'
import { groupBy } from '../../platform/batch/group-by.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { BucketStamps, type Stamps } from './bucket-stamps.js'
import { KeptBuckets, merged, type Range, rangesOf } from './kept-buckets.js'
import { conditionsOf, isUnfiltered } from './selection.js'
import { stampedStatement } from './stamps.js'
import {
  callMeasures,
  callStatsStatement,
  type Measure,
  type StatsReq,
  usageMeasures,
  usageStatsStatement,
} from './stats.js'

/** `grp` is there if groups are asked for; null: all but the largest. */
type Row = Record<string, unknown> & { bucket: number; model?: string; grp?: string | null }
type StampedRow = Row & { stamp: string; found: 0 | 1 }
type Bucket = Record<string, unknown>

/** A request, and how it is read. */
interface Asked {
  request: StatsReq
  span: Span
  kept: KeptBuckets<Row>
  read: <R>(statement: Sql) => Promise<R[]>
  /** as they are now */
  stamps: () => Promise<Stamps>
}

/**
 * What answers requests for statistics. Buckets that have not changed are kept, for all requests.
 * @param current the stamps of all buckets
 */
export function statsOf(reader: CallReader, store: Store, current = new BucketStamps(store, reader)) {
  const kept = new KeptBuckets<Row>()
  return async (body: CallStatsReq, signal: AbortSignal) => {
    const span = spanOf(body)
    const read = <R>(statement: Sql) => reader.rows<R>(statement, signal)
    let known: Promise<Stamps> | undefined
    const stamps = () => {
      known ??= current.of(projectIdOf(body.project_id), span, signal)
      return known
    }
    const placed = (fields: Fields, places: SpanPlaces | undefined) => {
      // The statements have the same conditions: this asks for the places of their attributes.
      conditionsOf(body, fields)
      return { ...body, places }
    }
    const request = await reader.placed(body.project_id, placed, signal)
    const asked = { request, span, kept, read, stamps }
    const found = await Promise.all([bucketsOf(asked, 'usage'), bucketsOf(asked, 'calls')])
    const [usage_buckets, call_buckets] = body.group_by === 'user' ? await withNames(store, found) : found
    return {
      start: isoOfMicros(span.start),
      end: isoOfMicros(span.end),
      granularity: span.granularity,
      timezone: body.timezone,
      usage_buckets,
      call_buckets,
    }
  }
}

export type StatsOf = ReturnType<typeof statsOf>

export const statsRoute = (answer: StatsOf): Bound =>
  serve(callStats, ({ body, signal }) => answer(body, signal))

/** Adds the users' names to buckets of users. */
async function withNames(store: Store, found: [Bucket[], Bucket[]]): Promise<[Bucket[], Bucket[]]> {
  const ids = new Set(found.flat().flatMap(({ group }) => (typeof group === 'string' ? group : [])))
  const names = await usernamesOf(store, [...ids])
  const named = (buckets: Bucket[]) =>
    buckets.map((one) => ({ ...one, group_name: names.get(String(one.group)) ?? null }))
  return [named(found[0]), named(found[1])]
}

/** The most buckets if empty ones are included; beyond that, empty ones are left out. */
const MOST_FILLED = 10_000

/** One per bucket and series: a model that is used in the period, even if not in the bucket, or all calls. */
async function bucketsOf(asked: Asked, kind: 'usage' | 'calls'): Promise<Bucket[]> {
  const { request, span } = asked
  const isUsage = kind === 'usage'
  const specs = isUsage ? request.usage_metrics : request.call_metrics
  const wanted = (isUsage ? usageMeasures : callMeasures)(specs ?? [])
  if (wanted.length === 0) return []
  const statement = isUsage ? usageStatsStatement : callStatsStatement
  const rows = await rowsOf(asked, [kind, specs], (ranges) => statement(request, span, wanted, ranges))
  if (rows.length > 0 || isUsage || request.group_by !== null) return filled(rows, span, wanted)
  return span.starts.map((start) => ({ ...timestamp(start), ...values(undefined, wanted) }))
}

/** The rows of `statement` over the span, by bucket; those of buckets that have not changed since they were read are kept. */
async function rowsOf(
  { request, span, kept, read, stamps }: Asked,
  metrics: readonly unknown[],
  statement: (ranges: readonly Range[]) => Sql,
): Promise<Row[]> {
  const ranges = rangesOf(span)
  // Groups are the largest of the whole span, and what few calls a filter leaves is read faster than all stamps.
  if (request.group_by !== null || request.query !== null || !isUnfiltered(request.filter))
    return read(statement(merged(ranges)))
  const question = createHash('sha256')
    .update(JSON.stringify([request.project_id, request.filter?.trace_roots_only ?? null, metrics]))
    .digest('base64')
  const buckets = ranges.map((range) => kept.get(question, range))
  const known = buckets.some((bucket) => bucket !== undefined) ? await stamps() : undefined
  const changed = ranges.filter((_, i) => !buckets[i] || buckets[i].stamp !== known?.get(span.starts[i]!))
  if (changed.length > 0) {
    const asked = merged(changed)
    const rows = await read<StampedRow>(
      stampedStatement(projectIdOf(request.project_id), span, asked, statement(asked)),
    )
    const found = groupBy(rows, ({ bucket }) => Number(bucket))
    for (const [i, range] of ranges.entries()) {
      if (!asked.some(({ from, to }) => from <= range.from && range.to <= to)) continue
      const stamped = found.get(span.starts[i]!) ?? []
      const bucket = {
        stamp: stamped[0]?.stamp,
        rows: stamped.filter((row) => row.found === 1).sort(inOrder),
      }
      kept.set(question, range, bucket)
      buckets[i] = bucket
    }
  }
  return buckets.flatMap((bucket) => bucket?.rows ?? [])
}

/** What a row is about besides its time: a model, a group, or a group's model. */
type Series = Pick<Row, 'model' | 'grp'>

/** One per bucket and series that is anywhere in the period. */
function filled(rows: readonly Row[], span: Span, wanted: readonly Measure[]): Bucket[] {
  const byStart = new Map<string, Map<number, Row>>()
  for (const row of rows) {
    const name = JSON.stringify(namesOf(row))
    const ofSeries = byStart.get(name) ?? new Map()
    byStart.set(name, ofSeries.set(Number(row.bucket), row))
  }
  if (byStart.size * span.starts.length > MOST_FILLED)
    return rows.map((row) => ({ ...timestamp(row.bucket), ...namesOf(row), ...values(row, wanted) }))
  const series = [...byStart.values()].map((found) => {
    const [first] = [...found.values()] as [Row]
    return { first, found, empty: emptyOf([...found.values()], wanted) }
  })
  series.sort((a, b) => inOrder(a.first, b.first))
  return span.starts.flatMap((start) =>
    series.map(({ first, found, empty }) => {
      const row = found.get(start)
      return { ...timestamp(start), ...namesOf(first), ...(row ? values(row, wanted) : empty) }
    }),
  )
}

/** By the bytes of their names; what is in no group comes last. */
function inOrder(a: Series, b: Series): number {
  const bytes = (text: string | null | undefined) => Buffer.from(text ?? '')
  return (
    Buffer.compare(bytes(a.model), bytes(b.model)) ||
    Number(a.grp === null) - Number(b.grp === null) ||
    Buffer.compare(bytes(a.grp), bytes(b.grp))
  )
}

function namesOf({ model, grp }: Series): Bucket {
  return { ...(model !== undefined && { model }), ...(grp !== undefined && { group: grp }) }
}

/** The values of a bucket in which a series has nothing. A value unknown in all its buckets, such as a cost, stays unknown. */
function emptyOf(rows: readonly Row[], wanted: readonly Measure[]): Bucket {
  return Object.fromEntries(
    wanted.map(({ name, empty }, i) => [name, rows.every((row) => row[`m${i}`] === null) ? null : empty]),
  )
}

function timestamp(seconds: number) {
  return { timestamp: isoOfMicros(Number(seconds) * 1e6) }
}

function values(row: Row | undefined, wanted: readonly Measure[]): Bucket {
  return Object.fromEntries(wanted.map(({ name, empty }, i) => [name, row ? row[`m${i}`] : empty]))
}
