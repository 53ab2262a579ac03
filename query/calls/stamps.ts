/**
 * The statements that find stamps of buckets of statistics: another one when a call of the bucket has come, gone or got
 * another version, or a price has changed. Pure.
 */
import type { Span } from '../../domain/calls/read/span.js'
import { type Key, statistics } from '../../domain/calls/read/statistics.js'
import { bothTables, everyRow, single } from '../../domain/calls/read/visible.js'
import type { CallTable } from '../../domain/calls/schema.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Range } from './kept-buckets.js'
import { within } from './stats.js'

/** Seconds of a slice: buckets of hours and days begin with one in nearly every time zone. */
export const SLICE = 1800

/** Slices of time by their places, with the number of the calls of each and the sum of their versions. */
export interface Slices {
  slices: readonly number[]
  numbers: readonly number[]
  sums: readonly string[]
}

/** A call that was ended first, then started, has one version as a start and as a whole call. */
const WHOLE: Record<CallTable, Sql> = { calls: sql`1`, calls_open: sql`0` }
/** The sum of calls' versions. @param whole as in {@link WHOLE} */
const versions = (whole: Sql) => sql`sum(cityHash64(started_at, ver, ${whole})) AS versions`

const pricesOf = (projectId: string): Sql =>
  sql`(SELECT sum(cityHash64(*)) FROM costs FINAL WHERE project_id IN ('', ${bind.string(projectId)}))`

/** A stamp in SQL, as {@link stampOf} writes it. */
const stamp = (number: Sql, versions: Sql, prices: Sql): Sql =>
  sql`concat(toString(${number}), ' ', toString(${versions}), ' ', toString(${prices}))`

export const stampOf = (number: number, versions: bigint, prices: string): string =>
  `${number} ${BigInt.asUintN(64, versions)} ${prices}`

/**
 * Rows of `bucket` and `stamp`. First by parts that all buckets are made of: to look each call's bucket up takes longer than
 * the rest.
 */
export function stampsStatement(projectId: string, span: Span, ranges: readonly Range[]): Sql {
  const calls = bothTables(
    (table) =>
      sql`SELECT started_at, ver, ${WHOLE[table]} AS whole ${single(table, projectId, [within(ranges)])}`,
  )
  const part = bind.uint(span.starts.reduce(divisor))
  return sql`SELECT roundDown(toInt64(part * ${part}), ${bind.ints(span.starts)}) AS bucket,
    ${stamp(sql`sum(number)`, sql`sum(versions)`, pricesOf(projectId))} AS stamp
  FROM (
    SELECT intDiv(toUnixTimestamp(started_at), ${part}) AS part, count() AS number, ${versions(sql`whole`)}
    FROM (${calls}) GROUP BY part)
  GROUP BY bucket`
}

/** The greatest common one. */
function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/**
 * The rows of a statement of statistics, each with the `stamp` of its bucket, in one statement: so both are of the same
 * calls. A bucket that has calls but no rows has one with `found` 0.
 */
export function stampedStatement(projectId: string, span: Span, ranges: readonly Range[], found: Sql): Sql {
  return sql`SELECT * FROM (${stampsStatement(projectId, span, ranges)}) AS stamps
  LEFT JOIN (SELECT *, 1 AS found FROM (${found})) AS rows USING (bucket)`
}

const SLICES = sql`groupArray(slice) AS slices, groupArray(number) AS numbers, groupArray(toString(versions)) AS sums`

/** A row for each slice of time of some calls. @param more what else they are told apart by */
const slicesOf = (table: CallTable, from: Sql, more: readonly Key[] = []): Sql =>
  statistics({
    keys: [...more, ['slice', sql`intDiv(toUnixTimestamp(started_at), ${bind.uint(SLICE)})`]],
    ...{ columns: [sql`count() AS number`, versions(WHOLE[table])], from },
  })

/** A row of {@link Slices} for each of these parts, with its name as `part`. */
export function slicesOfParts(projectId: string, parts: Sql): Sql {
  const slices = slicesOf('calls', everyRow('calls', projectId, [parts]), [['part', sql`_part`]])
  return sql`SELECT part, ${SLICES} FROM (${slices}) GROUP BY part`
}

/** One row of {@link Slices}, of running calls, and a stamp of the project's `prices`. */
export function runningSlices(projectId: string): Sql {
  const slices = slicesOf('calls_open', single('calls_open', projectId, []))
  return sql`SELECT ${SLICES}, toString(${pricesOf(projectId)}) AS prices FROM (${slices})`
}
