/** SQL over tables: where rows are stored, lists, pages. A table's list is read by ranges of positions. Pure. */

import type { SortBy } from '../../contract/calls-read.js'
import { orderTerms } from '../../domain/expr/order.js'
import { bind, commaList, join, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** A table by internal project id and digest. */
export interface TableKey {
  project: string
  digest: string
}

/** Positions in a table; `to` is exclusive. */
export interface Range {
  from: number
  to: number
}

const ofTable = ({ project, digest }: TableKey) =>
  sql`project_id = ${bind.string(project)} AND digest = ${bind.string(digest)}`

const within = ({ from, to }: Range) => sql`position >= ${bind.uint(from)} AND position < ${bind.uint(to)}`

/** Rows and bytes of the tables that exist. */
export function tableSizes(project: string, digests: readonly string[]): Sql {
  return sql`SELECT digest, argMax(rows, ver) AS count, argMax(bytes, ver) AS bytes FROM tables
    WHERE project_id = ${bind.string(project)} AND digest IN ${bind.strings(digests)} GROUP BY digest`
}

/**
 * Where the rows of the given digests, or of the list `list` of `table_lists`, are stored, if they are. The result may
 * hold other rows whose digests have the same key.
 */
export function placesOf(project: string, digests: readonly string[] | { list: string }): Sql {
  const keys =
    'list' in digests
      ? sql`(SELECT digest_key FROM table_lists WHERE list = ${bind.string(digests.list)})`
      : sql`(SELECT cityHash64(arrayJoin(${bind.strings(digests)})))`
  return sql`SELECT digest, upload, n FROM table_rows
    WHERE project_id = ${bind.string(project)} AND digest_key IN ${keys}`
}

/**
 * Copies the list `list` of `table_lists` to a table, with the places of its rows: the `slice`th of `slices` parts, by
 * the keys of digests, so that no part needs much memory.
 */
export function adoptList(table: TableKey, list: string, slice: number, slices: number): Sql {
  const width = (1n << 64n) / BigInt(slices)
  const first = width * BigInt(slice)
  const last = slice === slices - 1 ? (1n << 64n) - 1n : first + width - 1n
  const inSlice = sql`digest_key BETWEEN ${bind.uint(first)} AND ${bind.uint(last)}`
  const ofList = sql`FROM table_lists WHERE list = ${bind.string(list)} AND ${inSlice}`
  return sql`INSERT INTO table_index (project_id, digest, position, row_digest, upload, n, bytes)
    SELECT ${bind.string(table.project)}, ${bind.string(table.digest)}, position, row_digest, upload, n, bytes
    FROM (SELECT position, row_digest ${ofList}) AS l LEFT ANY JOIN (
      SELECT digest, upload, n, bytes FROM table_rows
      WHERE project_id = ${bind.string(table.project)} AND ${inSlice} AND digest_key IN (SELECT digest_key ${ofList})
    ) AS r ON l.row_digest = r.digest`
}

/** A range of another table's list, its end exclusive, and the position of its first row in the new list. */
export interface Copied {
  /** digest of the other table */
  table: string
  range: Range
  at: number
}

/** Copies pieces of other lists of the project into the list of `to`; duplicates stay until they are merged. */
export function copyList(to: TableKey, pieces: readonly Copied[]): Sql {
  const parts = pieces.map(
    ({
      table,
      range,
      at,
    }) => sql`SELECT position - ${bind.int(range.from)} + ${bind.int(at)} AS place, row_digest, upload, n, bytes
      FROM table_index WHERE ${ofTable({ ...to, digest: table })} AND ${within(range)}`,
  )
  return sql`INSERT INTO table_index (project_id, digest, position, row_digest, upload, n, bytes)
    SELECT ${bind.string(to.project)}, ${bind.string(to.digest)}, place, row_digest, upload, n, bytes
    FROM (${join(parts, sql` UNION ALL `)})`
}

/** The total bytes of a table's rows. */
export function bytesOf(table: TableKey): Sql {
  return sql`SELECT sum(bytes) AS bytes FROM (SELECT bytes FROM table_index WHERE ${ofTable(table)}
    ORDER BY position LIMIT 1 BY position)`
}

/** The digests of a table's rows in order. */
export function rowDigests(table: TableKey): Sql {
  return sql`SELECT row_digest FROM table_index WHERE ${ofTable(table)} ORDER BY position LIMIT 1 BY position`
}

/** Where a row is stored. */
export interface Spot {
  upload: number
  n: number
}

const at = (spots: readonly Spot[]) =>
  sql`(upload, n) IN ${bind.tuples(
    ['UInt64', 'UInt64'],
    spots.map(({ upload, n }) => [upload, n]),
  )}`

/** The texts of rows, in no order. */
export function rowsAt(project: string, spots: readonly Spot[]): Sql {
  return sql`SELECT upload, n, val FROM table_rows WHERE project_id = ${bind.string(project)} AND ${at(spots)}`
}

/** The list of a table between two positions: position, upload, n. Duplicate entries are read once. */
function listed(table: TableKey, where: Sql): Sql {
  return sql`SELECT position, row_digest, upload, n FROM table_index WHERE ${ofTable(table)} AND ${where}
    LIMIT 1 BY position`
}

/** A row as a JSON line in internal form, in one column. */
const lineOf = (digest: Sql, position: Sql) =>
  sql`concat('{"digest":"', ${digest}, '","val":', val, ',"original_index":', toString(${position}), '}\n')`
const LINE = lineOf(sql`row_digest`, sql`position`)

/** The rows under `where` (over the list) with their places and values. @param rows the same condition over rows, if known */
function joined(table: TableKey, where: Sql, rows?: Sql): Sql {
  const list = listed(table, where)
  const those = rows ?? sql`(upload, n) IN (SELECT upload, n FROM (${list}))`
  return sql`(SELECT upload, n, digest, val FROM table_rows WHERE project_id = ${bind.string(table.project)}
      AND ${those}) AS r
    INNER JOIN (${list}) AS l ON r.upload = l.upload AND r.n = l.n AND r.digest = l.row_digest`
}

/** The lines of a range of positions, in order. */
export function rangeLines(table: TableKey, range: Range): Sql {
  return sql`SELECT ${LINE} FROM ${joined(table, within(range))} ORDER BY position`
}

/** A choice and order of rows other than by position. */
export interface Choice {
  /** null: all */
  rowDigests: readonly string[] | null
  /** where the rows of these digests are stored: finding them in the list is cheaper than comparing texts */
  spots?: readonly Spot[]
  sortBy: readonly SortBy[]
  /** null: all */
  limit: number | null
  offset: number
}

/** A row of a table: its position, where it is stored, and the lower half of its digest's key. */
export interface Place extends Spot {
  position: number
  key: number
}

/** Bytes of a place from {@link sortedPlaces} in RowBinary. */
export const PLACE_BYTES = 20

/** The places of a table's rows in the order of `sortBy`, at most `most` of them: position, upload, n, key. */
export function sortedPlaces(table: TableKey, sortBy: readonly SortBy[], most: number): Sql {
  return sql`SELECT position, l.upload, l.n, toUInt32(cityHash64(row_digest)) FROM ${joined(table, sql`1`)}
    ORDER BY ${orderOf(sortBy)} LIMIT ${bind.uint(most)}`
}

/** The places of a table's rows by the first 64 bits of their digests: these, then as {@link sortedPlaces}. */
export function directoryOf(table: TableKey): Sql {
  return sql`SELECT reinterpretAsUInt64(tryBase64Decode(substring(row_digest, 1, 12))) AS start, position, upload, n,
      toUInt32(cityHash64(row_digest))
    FROM (${listed(table, sql`upload > 0`)}) ORDER BY start, position`
}

/** The lines of the rows at `places`, in that order. */
export function linesAt(project: string, places: readonly Place[]): Sql {
  const these = bind.tuples(
    ['UInt64', 'UInt64', 'UInt64'],
    places.map(({ upload, n, key }) => [upload, n, key]),
  )
  const positions = bind.uints(places.map(({ position }) => position))
  return sql`SELECT ${lineOf(sql`digest`, sql`${positions}[i]`)}
    FROM (SELECT digest, val, arrayJoin(arrayFilter((i, place) -> place = (upload, n, toUInt32(digest_key)),
        arrayEnumerate(${these}), ${these})) AS i
      FROM table_rows WHERE project_id = ${bind.string(project)} AND ${at(places)})
    ORDER BY i`
}

/** The lines of chosen rows, in the chosen order. */
export function chosenLines(table: TableKey, choice: Choice): Sql {
  const { rowDigests, spots = [] } = choice
  const there = at(spots)
  const [where, rows] = rowDigests
    ? [there, sql`${there} AND digest IN ${bind.strings(rowDigests)}`]
    : [sql`1`, undefined]
  const limit = choice.limit === null ? sql`` : sql` LIMIT ${bind.uint(choice.limit)}`
  const offset = choice.offset > 0 ? sql` OFFSET ${bind.uint(choice.offset)}` : sql``
  return sql`SELECT ${LINE} FROM ${joined(table, where, rows)} ORDER BY ${orderOf(choice.sortBy)}${limit}${offset}`
}

/** The order of rows, with the position as tie-breaker. */
function orderOf(sortBy: readonly SortBy[]): Sql {
  const terms = sortBy.flatMap(({ field, direction }) =>
    orderTerms({ kind: 'json', document: sql`val`, path: field.split('.') }, direction),
  )
  const sorted = terms.map(({ value, direction }) => (direction === 'desc' ? sql`${value} DESC` : value))
  return commaList([...sorted, sql`position`])
}
