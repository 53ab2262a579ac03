/**
 * Finds calls that a crash, or two processes at once, left between the two steps of a write: halves that were not
 * joined, halves that were joined but are still there, versions that were replaced but are still there. Only finds
 * them; reconciling them is the same work as ever.
 */
import { IDENTITY } from '../../domain/calls/unsettled.js'
import { bind, commaList, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { CallChange, CallChangeKind, TraceId } from './call-change.js'
import { JOINED } from './stored.js'

/** Calls looked at in one go. */
const LIMIT = 500
/** Spans looked for in one go. */
const LOGS_LIMIT = 2000

/** An id that was made so much before its row was written may have been written before. */
const LATE_SECONDS = 300

type Found = Pick<CallChange, 'projectId' | 'id' | 'traceId'>
/** As a row says it. */
type Written = Found & { span: number; startedAt: number }

export function changesOf(found: readonly Found[], kind: CallChangeKind): CallChange[] {
  return found.map((call) => ({ ...call, kind, startedAt: 0, ver: 0 }))
}

/** How many rows there are of which some may be left: an idle service has none, and asks no more. */
export async function leftOvers(store: Store): Promise<{ open: number; unsettled: number }> {
  const row = await store.row<{ open: number; unsettled: number }>(sql`
    SELECT (SELECT count() FROM calls_open) AS open, (SELECT count() FROM calls_unsettled) AS unsettled`)
  return row!
}

/** Whether calls were written at `since` (µs since the epoch) or later. */
export async function hasWrites(store: Store, since: number): Promise<boolean> {
  return (await store.row(sql`SELECT 1 FROM calls WHERE ver >= ${bind.uint(since)} LIMIT 1`)) !== undefined
}

/** Calls of which both halves are there, or several starts, all written before `before` (µs since the epoch). */
export async function unjoined(store: Store, before: number): Promise<CallChange[]> {
  const found = await store.rows<Found>(sql`
    SELECT project_id AS projectId, id, '' AS traceId FROM calls_open WHERE kind != 'log'
    GROUP BY project_id, id
    HAVING countIf(kind = 'start') > 0 AND count() > 1 AND max(ver) < ${bind.uint(before)}
    LIMIT ${bind.uint(LIMIT)}`)
  return changesOf(found, 'start')
}

/** Spans of which log records wait, the last written between `after` and `before` (µs since the epoch); newest first. */
export function waitingLogs(store: Store, after: number, before: number): Promise<Found[]> {
  return store.rows<Found>(sql`
    SELECT project_id AS projectId, id, trace_id AS traceId FROM calls_open WHERE kind = 'log' AND NOT ${JOINED}
    GROUP BY project_id, id, trace_id
    HAVING max(ver) >= ${bind.uint(after)} AND max(ver) < ${bind.uint(before)}
    ORDER BY max(ver) DESC LIMIT ${bind.uint(LOGS_LIMIT)}`)
}

/** Spans with which log records were joined before `before`, µs since the epoch. */
export function joinedLogs(store: Store, before: number): Promise<Found[]> {
  return store.rows<Found>(sql`
    SELECT DISTINCT project_id AS projectId, id, trace_id AS traceId FROM calls_open
    WHERE kind = 'log' AND ${JOINED} AND ended_at < fromUnixTimestamp64Micro(${bind.time(before)}, 'UTC')
    LIMIT ${bind.uint(LOGS_LIMIT)}`)
}

/** Calls that are whole and of which a start that is not newer is there. */
export async function outlived(store: Store): Promise<CallChange[]> {
  const open = sql`SELECT project_id, started_at, id FROM calls_open WHERE kind = 'start'`
  const found = await store.rows<Found>(sql`
    SELECT project_id AS projectId, id, any(trace_id) AS traceId FROM calls
    WHERE (project_id, started_at, id) IN (${open})
    GROUP BY project_id, id LIMIT ${bind.uint(LIMIT)}`)
  return changesOf(found, 'start')
}

/** Whole calls of which several rows are there, and one was announced before `moment` (seconds, the store's clock). */
export async function announced(store: Store, moment: number): Promise<CallChange[]> {
  const whole = sql`SELECT project_id, id FROM calls_unsettled WHERE kind = 'whole' AND at <= toDateTime(${bind.uint(moment)})`
  const found = await store.rows<Written>(sql`
    SELECT project_id AS projectId, id, any(trace_id) AS traceId, toUnixTimestamp64Micro(any(started_at)) AS startedAt,
      length(id) = 16 AS span
    FROM calls WHERE (project_id, id) IN (${whole})
    GROUP BY project_id, ${IDENTITY} HAVING count() > 1 LIMIT ${bind.uint(LIMIT)}`)
  return asWritten(found)
}

/** Calls of one key in several versions are found in pieces of about so many rows. */
const PIECE = 200_000

/**
 * Calls that are there in several versions under one key, of which at least one is among the rows of `recent`: what one
 * process stored, another one was sent as well.
 * @param recent condition on `calls`
 */
export async function* doubled(store: Store, recent: Sql): AsyncGenerator<CallChange[]> {
  const row = await store.row<{ n: number }>(sql`SELECT count() AS n FROM calls WHERE ${recent}`)
  const pieces = Math.ceil((row?.n ?? 0) / PIECE)
  for (let piece = 0; piece < pieces; piece++) {
    const mine = sql`cityHash64(id) % ${bind.uint(pieces)} = ${bind.uint(piece)}`
    const found = await store.rows<Written>(sql`
      SELECT project_id AS projectId, id, any(trace_id) AS traceId, toUnixTimestamp64Micro(started_at) AS startedAt,
        length(id) = 16 AS span
      FROM calls
      WHERE (project_id, started_at, id) IN (SELECT project_id, started_at, id FROM calls WHERE ${recent} AND ${mine})
      GROUP BY project_id, started_at, id HAVING count() > 1`)
    if (found.length > 0) yield asWritten(found)
  }
}

/**
 * Calls that do not have the name that one process gave them, for another stored them later.
 * @param recent condition on `calls`
 */
export async function misnamed(store: Store, recent: Sql): Promise<CallChange[]> {
  const named = sql`(project_id, id) IN (SELECT project_id, id FROM call_names)`
  const found = await store.rows<Found>(sql`
    SELECT DISTINCT project_id AS projectId, id, '' AS traceId
    FROM (
      SELECT project_id, id, display_name FROM calls WHERE ${recent} AND ${named}
      UNION ALL SELECT project_id, id, display_name FROM calls_open WHERE kind = 'start' AND ${named}
    ) AS stored
    JOIN (
      SELECT project_id, id, argMax(call_names.name, ver) AS name FROM call_names GROUP BY project_id, id
    ) AS given USING (project_id, id)
    WHERE display_name != name
    LIMIT ${bind.uint(LIMIT)}`)
  return changesOf(found, 'start')
}

/** What a span may lack that its parent has: a condition on each of them, and one on both. */
interface Inherited {
  below: Sql
  above: Sql
  both: Sql
}

/** A thread, a user, and the turn of the same thread. */
const INHERITED: readonly Inherited[] = [
  { below: sql`thread_id = ''`, above: sql`thread_id != ''`, both: sql`1` },
  { below: sql`has_user = 0`, above: sql`has_user = 1`, both: sql`1` },
  {
    below: sql`thread_id != '' AND turn_id IN (id, '')`,
    above: sql`turn_id != ''`,
    both: sql`above.thread_id = below.thread_id`,
  },
]

/** Spans that lack something are looked at in pieces of about so many. */
const LACKING = 500_000
/** One thread, so that other statements don't wait for these. */
const BACKGROUND = { settings: { max_threads: 1 } }

/**
 * Traces in which a span lacks what its parent has, and one of the two was written at `since` or later. Where no span of a
 * project lacks what others have, only counts are read.
 * @param stored condition on `calls`: where both are looked for
 * @param since µs since the epoch
 */
export async function* uninherited(store: Store, stored: Sql, since: number): AsyncGenerator<TraceId[]> {
  const isNew = sql`ver >= ${bind.uint(since)}`
  const written = await store.row<{ n: number }>(
    sql`SELECT count() AS n FROM calls WHERE ${stored} AND ${isNew}`,
    BACKGROUND,
  )
  if (!written?.n) return
  const spans = sql`calls WHERE ${stored} AND span_kind > 0`
  const lacks = ({ below }: Inherited) => sql`parent_id != '' AND ${below}`
  const counts = (conditions: readonly Sql[]) =>
    commaList(conditions.map((condition) => sql`countIf(${condition})`))
  const projects = await store.rows<{ id: string; lacking: number[]; giving: number[] }>(
    sql`
      SELECT project_id AS id, [${counts(INHERITED.map(lacks))}] AS lacking,
        [${counts(INHERITED.map(({ above }) => above))}] AS giving
      FROM ${spans} GROUP BY project_id HAVING countIf(${isNew}) > 0`,
    BACKGROUND,
  )
  for (const [i, kind] of INHERITED.entries()) {
    const some = projects.filter(({ lacking, giving }) => lacking[i]! > 0 && giving[i]! > 0)
    const pieces = Math.ceil(some.reduce((sum, { lacking }) => sum + Number(lacking[i]), 0) / LACKING)
    for (let piece = 0; piece < pieces; piece++) {
      const mine = sql`${spans} AND project_id IN ${bind.strings(some.map(({ id }) => id))}
        AND cityHash64(trace_id) % ${bind.uint(pieces)} = ${bind.uint(piece)}`
      const lacking = sql`${mine} AND ${lacks(kind)}`
      const found = await store.rows<TraceId>(
        sql`
          SELECT DISTINCT below.project_id AS projectId, below.trace_id AS traceId
          FROM (SELECT project_id, trace_id, parent_id, thread_id, ver FROM ${lacking}) AS below
          INNER JOIN (SELECT project_id, trace_id, id, thread_id, ver FROM ${mine} AND ${kind.above}
            AND (project_id, trace_id) IN (SELECT project_id, trace_id FROM ${lacking})) AS above
            ON above.project_id = below.project_id AND above.trace_id = below.trace_id AND above.id = below.parent_id
          WHERE greatest(above.ver, below.ver) >= ${bind.uint(since)} AND ${kind.both}`,
        BACKGROUND,
      )
      if (found.length > 0) yield found
    }
  }
}

/**
 * Traces in which several spans count for the same answer of a provider, and one of these was written at `since` or later.
 * @param stored condition on `calls`: where the others are looked for
 * @param since µs since the epoch
 */
export async function* answeredTwice(store: Store, stored: Sql, since: number): AsyncGenerator<TraceId[]> {
  const answers = sql`calls WHERE ${stored} AND answer_hash != 0`
  const isNew = sql`ver >= ${bind.uint(since)}`
  const written = await store.row<{ n: number }>(
    sql`SELECT count() AS n FROM ${answers} AND ${isNew}`,
    BACKGROUND,
  )
  const pieces = Math.ceil((written?.n ?? 0) / LACKING)
  for (let piece = 0; piece < pieces; piece++) {
    const mine = sql`${answers} AND cityHash64(trace_id) % ${bind.uint(pieces)} = ${bind.uint(piece)}`
    const key = sql`project_id, trace_id, answer_hash`
    const found = await store.rows<TraceId>(
      sql`
        SELECT DISTINCT project_id AS projectId, trace_id AS traceId
        FROM ${mine} AND repeats_usage = 0 AND (${key}) IN (SELECT ${key} FROM ${mine} AND ${isNew})
        GROUP BY ${key} HAVING uniqExact(calls.id) > 1`,
      BACKGROUND,
    )
    if (found.length > 0) yield found
  }
}

function asWritten(found: readonly Written[]): CallChange[] {
  return found.map(({ projectId, id, traceId, startedAt, span }) => ({
    ...{ projectId, id, traceId, startedAt, ver: 0 },
    kind: span ? 'span' : 'whole',
  }))
}

/**
 * Calls among these rows that may be there twice.
 * @param rows condition on `calls` that holds for them
 * @param twice condition on `identity`, or undefined if none was met twice
 * @param others there are older rows: calls that began long before they were written may be among them, too
 */
export async function repeated(
  store: Store,
  rows: Sql,
  twice: Sql | undefined,
  others: boolean,
): Promise<CallChange[]> {
  const identity = sql`concat(project_id, id, if(length(id) = 16, trace_id, '')) AS identity`
  const late = sql`length(id) != 16 AND
    UUIDv7ToDateTime(toUUIDOrZero(id)) < fromUnixTimestamp64Micro(toInt64(ver)) - ${bind.uint(LATE_SECONDS)}`
  const suspect = [...(twice ? [twice] : []), ...(others ? [sql`(${late})`] : [])]
  if (suspect.length === 0) return []
  const found = await store.rows<Written>(sql`
    SELECT project_id AS projectId, id, trace_id AS traceId, toUnixTimestamp64Micro(any(started_at)) AS startedAt,
      length(id) = 16 AS span
    FROM (SELECT *, ${identity} FROM calls WHERE ${rows})
    WHERE ${join(suspect, sql` OR `)}
    GROUP BY projectId, id, traceId LIMIT 20000`)
  return asWritten(found)
}
