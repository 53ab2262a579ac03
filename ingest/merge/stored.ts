/** What is stored of some calls, and taking versions of them away. Exact rows only: what others add is not touched. */
import type { Leaving } from '../../domain/calls/moved.js'
import { BY_PATCH } from '../../domain/calls/patch.js'
import { KIND } from '../../domain/calls/schema.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { pieces, writtenBytes } from '../../platform/clickhouse/pieces.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { LOGS_BEGIN } from '../otlp/log-records.js'

/** One stored version of a call in `calls`. */
export interface StoredCall extends Leaving {
  readonly traceId: string
  /** whether its span's text is in one piece, as it is where log records are in it */
  readonly whole: 0 | 1
  /** of its texts, nearly */
  readonly bytes: number
}

/** One half in `calls_open`. */
export interface StoredHalf extends Leaving {
  /** as in `KIND` */
  readonly kind: number
  /** of its texts, nearly */
  readonly bytes: number
}

/** A row in `calls_open` with log records of a call. */
export interface StoredLogs extends StoredHalf {
  readonly traceId: string
  /** whether its records are part of a call, or shown */
  readonly joined: 0 | 1
}

export interface Id {
  readonly projectId: string
  readonly id: string
}

/** Rows that one statement names: a patch costs 50 ms however small it is. */
export const ROWS = 4000

/** Bytes that naming this row exactly takes in a statement. */
export function weightOf(row: Id & { readonly traceId?: string }): number {
  return 70 + writtenBytes(row.projectId) + 2 * writtenBytes(row.id) + writtenBytes(row.traceId ?? '')
}

/** Of a row's texts. */
export function bytesOf({ bytes }: { readonly bytes: number }): number {
  return bytes
}

export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

/** `project_id` and `id` as conditions that an index can use, before the exact one. */
function near(rows: readonly Id[]): Sql {
  const projects = [...new Set(rows.map(({ projectId }) => projectId))]
  const ids = [...new Set(rows.map(({ id }) => id))]
  return sql`project_id IN ${bind.strings(projects)} AND id IN ${bind.strings(ids)}`
}

/** True for the rows of these calls. */
export function exactly(rows: readonly Id[]): Sql {
  const pairs = bind.tuples(
    ['String', 'String'],
    rows.map(({ projectId, id }) => [projectId, id]),
  )
  return sql`${near(rows)} AND (project_id, id) IN ${pairs}`
}

const ROW = sql`project_id AS projectId, id, ver, toUnixTimestamp64Micro(started_at) AS startedAt`

/** The fields of a {@link StoredCall}. */
export const WHOLE_ROW = sql`${ROW}, trace_id AS traceId, otel_origin = '' AS whole, bytes`

/** The versions of these calls, found through the index on ids: for each id a look into every part. */
export function storedById(store: Store, ids: readonly Id[]): Promise<StoredCall[]> {
  return each(ids, (some) =>
    store.rows<StoredCall>(sql`SELECT ${WHOLE_ROW} FROM calls WHERE ${exactly(some)}`),
  )
}

/** The versions of these calls that began at these times (µs), found through the sorting key: cheap. */
export function storedByKey(
  store: Store,
  keys: readonly (Id & { readonly startedAt: number })[],
): Promise<StoredCall[]> {
  return each(keys, (some) => {
    const projects = [...new Set(some.map(({ projectId }) => projectId))]
    const ids = [...new Set(some.map(({ id }) => id))]
    const times = [...new Set(some.map(({ startedAt }) => startedAt))]
    return store.rows<StoredCall>(sql`
      SELECT ${WHOLE_ROW} FROM calls
      WHERE project_id IN ${bind.strings(projects)}
        AND started_at IN (SELECT fromUnixTimestamp64Micro(arrayJoin(${bind.ints(times)}), 'UTC'))
        AND id IN ${bind.strings(ids)}`)
  })
}

/** The halves of these calls. */
export function storedHalves(store: Store, ids: readonly Id[]): Promise<StoredHalf[]> {
  return each(ids, (some) =>
    store.rows<StoredHalf>(
      sql`SELECT ${ROW}, toInt8(kind) AS kind, bytes FROM calls_open WHERE ${exactly(some)} AND toInt8(kind) != ${bind.int(KIND.log)}`,
    ),
  )
}

/** The rows with log records of these calls. */
export function storedLogs(store: Store, ids: readonly Id[]): Promise<StoredLogs[]> {
  return each(ids, (some) =>
    store.rows<StoredLogs>(sql`
      SELECT ${ROW}, toInt8(kind) AS kind, trace_id AS traceId, length(otel_span) AS bytes,
        ${JOINED} AS joined
      FROM calls_open
      WHERE ${exactly(some)} AND ${HAS_LOGS}`),
  )
}

/** True for log records that wait no more: since then. */
export const JOINED = sql`ended_at != ${EPOCH}`

/** True for a row of `calls_open` that has log records: those that wait, and those shown for want of a span. */
const HAS_LOGS = sql`startsWith(otel_span, ${bind.string(LOGS_BEGIN)})`

/** Takes exactly these versions away. */
export async function dropCalls(store: Store, rows: readonly StoredCall[]): Promise<void> {
  for (const some of pieces(rows, ROWS, weightOf))
    await store.run(sql`DELETE FROM ${store.mutable('calls')} WHERE ${theseCalls(some)}`, {
      settings: BY_PATCH,
    })
}

/**
 * Takes exactly these halves away. The statement names `calls`, so that an embedded engine's log first gives the table
 * what these halves became: a reader that misses them must find that.
 */
export async function dropHalves(store: Store, rows: readonly StoredHalf[]): Promise<void> {
  for (const some of pieces(rows, ROWS, weightOf))
    await store.run(
      sql`DELETE FROM ${store.mutable('calls_open')} WHERE ${theseHalves(some)} /* after those of calls */`,
      { settings: BY_PATCH },
    )
}

/** True for exactly these rows of `calls`. */
export function theseCalls(rows: readonly StoredCall[]): Sql {
  const versions = bind.tuples(
    ['String', 'String', 'String', 'UInt64'],
    rows.map(({ projectId, id, traceId, ver }) => [projectId, id, traceId, ver]),
  )
  return sql`${near(rows)} AND (project_id, id, trace_id, ver) IN ${versions}`
}

/** True for exactly these rows of `calls_open`. */
export function theseHalves(rows: readonly StoredHalf[]): Sql {
  const versions = bind.tuples(
    ['String', 'String', 'Int8', 'UInt64'],
    rows.map(({ projectId, id, kind, ver }) => [projectId, id, kind, ver]),
  )
  return sql`${near(rows)} AND (project_id, id, toInt8(kind), ver) IN ${versions}`
}

async function each<In extends Id, Out>(
  items: readonly In[],
  read: (some: In[]) => Promise<Out[]>,
): Promise<Out[]> {
  const found: Out[] = []
  for (const some of pieces(items, ROWS, weightOf)) found.push(...(await read(some)))
  return found
}
