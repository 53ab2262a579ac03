/**
 * The statements that answer a list of calls: rows of `calls` and the running ones of `calls_open`, filtered, in order, as
 * `row.ts` reads them. Pure.
 *
 * Neither table is read with FINAL. For a moment a call can be there twice (its whole row and its start, or two
 * versions of it); then one of them is shown, as `domain/calls/unsettled.ts` says.
 */

import { bind, ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { callsOf } from '../calls-of.js'
import { CALL_COLUMNS, type CallTable } from '../schema.js'
import { oneRow, unsettledIds } from '../unsettled.js'
import { type LineOptions, lineColumns, lineWidth } from './line.js'
import { type Order, WAY } from './order.js'
import { rowColumns, wholeRow } from './row.js'

/** Which calls, in which order. */
export interface Page {
  /** internal id */
  projectId: string
  /** all must hold */
  conditions: readonly Sql[]
  /** follow from the conditions, and are looked at before them */
  early: readonly Sql[]
  order: Order
  /** undefined: all */
  limit: number | undefined
  offset: number
  /** its conditions name ids, so that few calls fulfil them */
  narrow?: boolean
}

/** A row's place: µs since the epoch of its start, and its id. */
export interface Key {
  started: number
  id: string
}

/** A row that a list will have: its place, and about how many bytes its line takes. */
export interface Found extends Key {
  width: number
  /** of `calls_open`, when it was found */
  isRunning: boolean
}

/** Rows that follow each other. */
export interface Slice {
  rows: Found[]
  /** no row was found before these */
  isFirst: boolean
  /** none was found behind them */
  isLast: boolean
}

/**
 * `walk`: along the key, slice by slice. `keys`: rows are found and sorted by light columns first, and fetched in slices.
 * `sort`: the engine sorts whole rows; for those that are all narrow.
 */
export type Plan = 'walk' | 'keys' | 'sort'

/** Along the key, a page that ends before this position is near. */
export const NEAR = 1200
/** Fewer rows than this are found by their keys, whatever their width. */
const KEYS = 10_000

export function planOf(page: Page): Plan {
  // Beside a join the engine would read the wide columns of every row.
  if (join(page.conditions, sql` `).joins.length > 0) return 'keys'
  if (page.order.kind === 'key') return 'walk'
  return page.limit !== undefined && page.limit <= KEYS ? 'keys' : 'sort'
}

const wideNames = (isJson: boolean) =>
  CALL_COLUMNS.filter(({ wide, kind }) => wide && (kind === 'json') === isJson)
    .map(({ name }) => name)
    .join('|')
const WIDE_JSON = wideNames(true)
const WIDE_TEXT = wideNames(false)
/** Whether a text is empty says the column of its length. */
const WIDE = new RegExp(`\\b(?:${WIDE_JSON})\\b|\\b(?:${WIDE_TEXT})\\b(?! != '')`)

/** True of a condition that reads columns which may be wide. Values are bound, so its text has names alone. */
export function isWide(condition: Sql): boolean {
  return WIDE.test(condition.render().query)
}

/** What is known of the rows of a page without their wide columns. */
function lightConditions({ conditions, early }: Page): Sql[] {
  return [...early, ...conditions.filter((condition) => !isWide(condition))]
}

const instant = (started: number) => sql`fromUnixTimestamp64Micro(${bind.time(started)}, 'UTC')`

/** Rows behind `after` in the page's order, which is along the key. */
function beyond({ started, id }: Key, { order }: Page): Sql {
  const place = sql`(${instant(started)}, ${bind.string(id)})`
  return order.terms[0]!.direction === 'desc'
    ? sql`started_at <= ${instant(started)} AND (started_at, id) < ${place}`
    : sql`started_at >= ${instant(started)} AND (started_at, id) > ${place}`
}

/** Rows between two keys, with what lies before the first slice and behind the last one. */
function within({ rows, isFirst, isLast }: Slice, { order }: Page): Sql[] {
  const isDown = order.terms[0]!.direction === 'desc'
  const from = (isDown ? isLast : isFirst) ? undefined : rows.at(isDown ? -1 : 0)!
  const to = (isDown ? isFirst : isLast) ? undefined : rows.at(isDown ? 0 : -1)!
  return [
    ...(from ? [sql`started_at >= ${instant(from.started)}`] : []),
    ...(to ? [sql`started_at <= ${instant(to.started)}`] : []),
    ...(from ? [sql`(started_at, id) >= (${instant(from.started)}, ${bind.string(from.id)})`] : []),
    ...(to ? [sql`(started_at, id) <= (${instant(to.started)}, ${bind.string(to.id)})`] : []),
  ]
}

const tableOf = (table: CallTable, projectId: string): Sql =>
  table === 'calls' ? callsOf(projectId) : sql`calls_open`

/**
 * FROM and WHERE of the rows of a table that are to be seen: of each call at most one in a statement.
 * @param early conditions that follow from the others; rows without them are not read any further
 * @param columns what is selected, for what has to be joined
 */
export function visible(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
  columns: Sql = sql``,
): Sql {
  return everyRow(table, projectId, [oneRow(table, projectId), ...conditions], early, columns)
}

/** {@link visible}, and for a moment both rows of a call that is replaced: for who tells them apart. */
export function everyRow(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
  columns: Sql = sql``,
): Sql {
  const project = sql`project_id = ${bind.string(projectId)}`
  const kind = table === 'calls_open' ? [sql`kind = 'start'`] : []
  const and = sql` AND `
  const { joins } = join([...conditions, columns], sql` `)
  if (joins.length > 0) {
    const all = join([project, ...kind, ...early, ...conditions], and)
    const others = joins.map(({ from }) => from)
    return sql`FROM ${tableOf(table, projectId)} ${join(others, sql` `)} WHERE ${all}`
  }
  if (early.length === 0)
    return sql`FROM ${tableOf(table, projectId)} WHERE ${join([project, ...kind, ...conditions], and)}`
  return sql`FROM ${tableOf(table, projectId)} PREWHERE ${join([project, ...kind, ...early], and)} WHERE ${join(conditions, and)}`
}

/**
 * `select(table)` of both tables, side by side. The engine looks at them in this order: a call that ends meanwhile is
 * written to `calls` before it leaves `calls_open`, so that it may be seen twice, but never not at all.
 */
export function bothTables(select: (table: CallTable) => Sql): Sql {
  return sql`${select('calls_open')}
  UNION ALL ${select('calls')}`
}

/** A column `whole`: of two rows of a call with the same `ver`, the one that has its end goes before the running one. */
const WHOLE: Record<CallTable, Sql> = { calls: sql`1 AS whole`, calls_open: sql`0 AS whole` }

/** The newest row of a call first; over the columns `ver` and `whole`. */
const NEWEST = sql`ver DESC, whole DESC`

/** The same over the columns `ver` and `ended_at`, which only a whole row has set. */
export const NEWEST_BY_END = sql`ver DESC, ended_at DESC`

/**
 * `columns` of the rows of both tables that are to be seen, for sums and counts. A start that was sent twice is there
 * twice until it is settled; the newest counts.
 */
export function rowsOfBoth(columns: Sql, projectId: string, conditions: readonly Sql[]): Sql {
  return bothTables((table) => sql`SELECT ${columns} ${single(table, projectId, conditions)}`)
}

/** {@link visible}, each open call once. */
export function single(
  table: CallTable,
  projectId: string,
  conditions: readonly Sql[],
  early: readonly Sql[] = [],
): Sql {
  const rows = visible(table, projectId, conditions, early)
  return table === 'calls' ? rows : sql`FROM (SELECT * ${rows} ORDER BY ver DESC LIMIT 1 BY id)`
}

/** The rows of a page whose plan is `sort`. */
export function pageStatement(page: Page, line: LineOptions): Sql {
  const { sorted, columns: sortColumns } = terms(page)
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), ...sortColumns, ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, page.projectId, page.conditions, page.early, columns)}`
  })
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(page.projectId, line, [])}${orderBy([...sorted, NEWEST])} LIMIT 1 BY id ${limits(page.limit, page.offset)}`
}

/** The rows of a page in order, as {@link Found} says: columns `started`, `width`, `running`, `id`. */
export function keysStatement(page: Page, line: LineOptions): Sql {
  const { sorted, columns: sortColumns } = terms(page)
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), lineWidth(line), ...sortColumns], sql`, `)
    const most = page.limit === undefined ? sql`` : sql`${orderBy(sorted)} LIMIT ${count(enough(page))}`
    return sql`SELECT * FROM (SELECT ${columns} ${visible(table, page.projectId, page.conditions, page.early, columns)} ${most})`
  })
  return sql`SELECT ${FOUND} FROM (
  ${rows}) AS seen
  ${orderBy([...sorted, NEWEST])} LIMIT 1 BY id ${limits(page.limit, page.offset)}`
}

const FOUND = sql`toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id`

/** The same of the next `most` rows along the key, behind `after`. */
export function nextKeysStatement(
  page: Page,
  line: LineOptions,
  most: number,
  offset: number,
  after?: Key,
): Sql {
  const { sorted } = terms(page)
  const behind = after ? [beyond(after, page)] : []
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), lineWidth(line)], sql`, `)
    // In each table as many as may be needed, so that none before the last one is left out.
    return sql`SELECT * FROM (SELECT ${columns} ${visible(table, page.projectId, [...behind, ...lightConditions(page)])} ${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id LIMIT ${bind.uint(offset + most)})`
  })
  return sql`SELECT ${FOUND} FROM (
  ${rows}) AS seen
  ${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id ${limits(most, offset)}`
}

/**
 * The rows of `page` from the first to the last of a slice, which stand in its order. A list that is
 * one slice is one statement, which sees a call that is moved meanwhile once.
 */
export function rangeStatement(page: Page, line: LineOptions, slice: Slice): Sql {
  const { sorted } = terms(page)
  const here = within(slice, page)
  const early = page.early.length > 0 ? [...here, ...page.early] : []
  // A call that has ended since then is among the whole ones.
  const tables = slice.rows.some(({ isRunning }) => isRunning)
    ? bothTables
    : (select: (table: CallTable) => Sql) => select('calls')
  const rows = tables((table) => {
    const columns = join([...baseColumns(table), ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, page.projectId, [...here, ...page.conditions], early, columns)}`
  })
  const roots = bothTables(
    (table) => sql`SELECT trace_id ${visible(table, page.projectId, [...here, sql`parent_id = ''`])}`,
  )
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(page.projectId, line, [sql`trace_id IN (${roots})`])}${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id`
}

/** The rows with these keys, in their order. */
export function rowsStatement(projectId: string, keys: readonly Key[], line: LineOptions): Sql {
  const ids = sql`${bind.strings(keys.map(({ id }) => id))}`
  const places = sql`SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (SELECT arrayJoin(arrayZip(${bind.ints(keys.map(({ started }) => started))}, ${ids})) AS key)`
  const rows = bothTables((table) => {
    const these = table === 'calls' ? sql`(started_at, id) IN (${places})` : sql`id IN ${ids}`
    const columns = join([...baseColumns(table), ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, projectId, [these])}`
  })
  // Replaced since their keys were found, by rows with others.
  const moved = sql`id IN (${unsettledIds(projectId, 'whole')} AND id IN ${ids})`
  const columns = join([...baseColumns('calls'), ...lineColumns(line)], sql`, `)
  return sql`${selection(line)} FROM (
  ${rows}
  UNION ALL SELECT ${columns} ${visible('calls', projectId, [moved])}) AS seen
  ${traceSizes(projectId, line, [sql`trace_id IN (${tracesOf(projectId, ids)})`])}ORDER BY indexOf(${ids}, id), ${NEWEST} LIMIT 1 BY id`
}

/**
 * Those of these calls that are a page's, wherever they are by now.
 * @param conditions what they have to fulfil
 */
export function callsStatement(
  projectId: string,
  ids: readonly string[],
  conditions: readonly Sql[],
  line: LineOptions,
): Sql {
  const these = sql`id IN ${bind.strings(ids)}`
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, projectId, [these, ...conditions], [], columns)}`
  })
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(projectId, line, [sql`trace_id IN (${tracesOf(projectId, sql`${bind.strings(ids)}`)})`])}ORDER BY ${NEWEST} LIMIT 1 BY id`
}

/** The newest row of a call. */
export function oneStatement(projectId: string, id: string, line: LineOptions): Sql {
  const ofCall = sql`id = ${bind.string(id)}`
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, projectId, [ofCall])}`
  })
  const ofTrace = sql`trace_id IN (${bothTables((table) => sql`SELECT trace_id ${visible(table, projectId, [ofCall])}`)})`
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(projectId, line, [ofTrace])}ORDER BY ${NEWEST} LIMIT 1`
}

/** What the rows of a page weigh: `widest` and `total`. */
export function weightStatement(page: Page, line: LineOptions): Sql {
  const conditions = lightConditions(page)
  const rows = bothTables(
    (table) => sql`SELECT ${lineWidth(line)} ${visible(table, page.projectId, conditions)}`,
  )
  return sql`SELECT toUInt64(max(width)) AS widest, toUInt64(sum(width)) AS total FROM (${rows})`
}

/** What every list reads. */
const baseColumns = (table: CallTable) => [sql`started_at, id, ver, trace_id, op_name`, WHOLE[table]]

/** The terms to sort by, and the columns that carry those which are none of the table's. */
function terms({ order }: Page): { sorted: Sql[]; columns: Sql[] } {
  if (order.kind === 'key')
    return { sorted: order.terms.map(({ value, direction }) => sql`${value} ${WAY[direction]}`), columns: [] }
  const names = order.terms.map((_, i) => NAMES[i]!)
  return {
    sorted: order.terms.map(({ direction }, i) => sql`${names[i]!} ${WAY[direction]}`),
    columns: order.terms.map(({ value }, i) => sql`${value} AS ${names[i]!}`),
  }
}

/** Names of the columns that rows are sorted by; sixty-four are more than twenty fields can need. */
const NAMES = Array.from({ length: 64 }, (_, i) => ident(`sort_${i}`))

const orderBy = (sorted: readonly Sql[]) => sql`ORDER BY ${join(sorted, sql`, `)}`
const count = (rows: number) => bind.uint(rows)

/** Some rows more than the page ends at, since a table can have a call twice for a moment. */
export function enough({ limit = 0, offset }: Page): number {
  const end = offset + limit
  return end + 16 + (end >> 3)
}

function limits(limit: number | undefined, offset: number): Sql {
  if (limit === undefined && offset === 0) return sql``
  // After LIMIT BY an OFFSET can't stand alone.
  const most = sql`LIMIT ${limit === undefined ? bind.uint('9223372036854775807') : bind.uint(limit)}`
  return offset === 0 ? most : sql`${most} OFFSET ${bind.uint(offset)}`
}

/** Names of users, from a map that is made once a query. */
const USERNAMES = sql`(SELECT CAST((groupArray(user_id), groupArray(name)), 'Map(String, String)') FROM (SELECT user_id, argMax(username, ver) AS name FROM api_keys GROUP BY user_id)) AS usernames`

/** What is selected of rows, as `row.ts` reads them. */
function selection(line: LineOptions): Sql {
  const names = line.usernames ? sql`WITH ${USERNAMES} ` : sql``
  return sql`${names}SELECT ${wholeRow('calls', rowColumns(line))}`
}

/** Joins what whole traces hold to their calls, where the line wants it; `among` narrows down which traces. */
function traceSizes(projectId: string, { traceSize }: LineOptions, among: readonly Sql[]): Sql {
  if (!traceSize) return sql``
  const sizes = rowsOfBoth(sql`trace_id, bytes`, projectId, among)
  return sql`LEFT ANY JOIN (SELECT trace_id, sum(bytes) AS trace_bytes FROM (${sizes}) GROUP BY trace_id) AS traces USING (trace_id) `
}

function tracesOf(projectId: string, ids: Sql): Sql {
  return bothTables(
    (table) => sql`SELECT trace_id ${visible(table, projectId, [sql`id IN ${ids}`, sql`parent_id = ''`])}`,
  )
}
