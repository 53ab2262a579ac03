import { visible } from '../../domain/calls/read/visible.js'
import { BEGAN_LATELY } from '../../domain/calls/read/written.js'
import { SIGNALS_USER } from '../../domain/evaluation/monitored.js'
import { bind, commaList, instant, join, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** A call that monitors or rules match. */
export interface Match {
  id: string
  trace_id: string
  thread_id: string
  op: string
  /** µs since the epoch */
  began: string
  written: string
  /** of its texts */
  bytes: string
  /** positions of the conditions that it meets */
  met: number[]
}

/** A place in the order of writing. */
export interface Written {
  ver: string
  id: string
}

/**
 * Calls stored after a place that meet one of the conditions at least, as they were written.
 * @param early what each condition implies one of at least; empty: nothing is known of that
 */
export function writtenSince(
  projectId: string,
  after: Written,
  conditions: readonly Sql[],
  limit: number,
  early: readonly Sql[] = [],
): Sql {
  const ver = sql`toUInt64(${bind.string(after.ver)})`
  const place = [sql`ver >= ${ver}`, sql`(ver, id) > (${ver}, ${bind.string(after.id)})`]
  return sql`SELECT ${COLUMNS}, ${met(conditions)} AS met
    ${visible('calls', projectId, [...place, any(conditions)], [BEGAN_LATELY, place[0]!, ...(early.length > 0 ? [any(early)] : [])])}
    ORDER BY ver, id LIMIT ${bind.uint(limit)}`
}

/** The newest of the calls stored after a time that meet one of the conditions at least. */
export function newestWritten(
  projectId: string,
  after: number,
  conditions: readonly Sql[],
  limit: number,
): Sql {
  const later = sql`ver > toUInt64(${bind.string(String(after))})`
  return sql`SELECT ${COLUMNS}, ${met(conditions)} AS met
    ${visible('calls', projectId, [later, any(conditions)], [BEGAN_LATELY, later])}
    ORDER BY ver DESC, id LIMIT ${bind.uint(limit)}`
}

/**
 * How many calls that were stored until then meet each of the conditions, as one row with the list `counts`.
 * @param of each with the time from which on it counts, which is not included; µs since the epoch
 */
export function countsWritten(
  projectId: string,
  of: readonly { condition: Sql; after: number }[],
  until: number,
): Sql {
  const ver = (micros: number) => sql`toUInt64(${bind.string(String(micros))})`
  const first = sql`ver > ${ver(Math.min(...of.map(({ after }) => after)))}`
  const counts = of.map(({ condition, after }) => sql`countIf(ver > ${ver(after)} AND ${condition})`)
  return sql`SELECT [${commaList(counts)}] AS counts
    ${visible('calls', projectId, [first, sql`ver <= ${ver(until)}`], [BEGAN_LATELY, first])}`
}

const COLUMNS = sql`id, trace_id, thread_id, toString(op_name) AS op, toString(toUnixTimestamp64Micro(started_at)) AS began, toString(ver) AS written,
  toString(bytes) AS bytes`

const any = (conditions: readonly Sql[]) => sql`(${join(conditions, sql` OR `)})`

function met(conditions: readonly Sql[]): Sql {
  const positions = conditions.map((condition, i) => sql`if(${condition}, ${bind.int(i)}, -1)`)
  return sql`arrayFilter(i -> i >= 0, [${commaList(positions)}])`
}

/** On how many calls each of the built-in signals was found since this day began. @param day YYYY-MM-DD, UTC */
export function foundToday(projectId: string, day: string): Sql {
  return sql`SELECT substring(toString(feedback_type), ${bind.uint('wandb.runnable.'.length + 1)}) AS signal, count() AS found
    FROM feedback FINAL WHERE project_id = ${bind.string(projectId)} AND deleted = 0 AND call_id != ''
      AND startsWith(canonical_type, 'platform.runnable.') AND user_id = ${bind.string(SIGNALS_USER)}
      AND created_at >= toDateTime64(${bind.string(`${day} 00:00:00`)}, 6, 'UTC') GROUP BY signal`
}

/** A range of a project's calls by start: from `since` to before a place. */
export interface StartRange {
  since: number
  /** µs since the epoch, and the id there */
  before: { started: number; id: string }
}

/** Calls of a range that meet the condition, the newest first. */
export function beganBefore(
  projectId: string,
  { since, before }: StartRange,
  condition: Sql,
  limit: number,
): Sql {
  const place = sql`(started_at, id) < (${instant(before.started)}, ${bind.string(before.id)})`
  const early = [sql`started_at >= ${instant(since)}`, sql`started_at <= ${instant(before.started)}`]
  return sql`SELECT ${COLUMNS} ${visible('calls', projectId, [place, condition], early)}
    ORDER BY started_at DESC, id DESC LIMIT ${bind.uint(limit)}`
}

/** How many calls since then meet the condition, and the newest of them. */
export function preview(
  projectId: string,
  since: number,
  condition: Sql,
  limit: number,
): { count: Sql; newest: Sql } {
  const early = [sql`started_at >= ${instant(since)}`]
  const rows = visible('calls', projectId, [condition], early)
  return {
    count: sql`SELECT count() AS matched ${rows}`,
    newest: sql`SELECT id, trace_id, toString(op_name) AS op, toString(toUnixTimestamp64Micro(started_at)) AS began
      ${rows} ORDER BY started_at DESC LIMIT ${bind.uint(limit)}`,
  }
}
