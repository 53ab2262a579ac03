/**
 * The statements for lists of calls: rows of `calls` and running ones of `calls_open`, filtered and ordered, in the
 * form that `row.ts` reads. Pure.
 */

import { bind, commaList, ident, instant, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { NEWEST_NAMES } from '../../auth/usernames.js'
import type { StartedWithin } from '../../expr/started-within.js'
import { CALL_COLUMNS, type CallTable } from '../schema.js'
import { unsettledIds } from '../unsettled.js'
import { type LineOptions, lineColumns, lineWidth } from './line.js'
import { type Order, WAY } from './order.js'
import { rowColumns, wholeRow } from './row.js'
import { bothTables, everyRow, NEWEST, rowsOfBoth, visible, visibleRows, WHOLE } from './visible.js'

/** The calls of a list, and their order. */
export interface Page {
  projectId: string
  /** all must hold */
  conditions: readonly Sql[]
  /** implied by the conditions, and evaluated before them */
  early: readonly Sql[]
  order: Order
  /** undefined: all */
  limit: number | undefined
  offset: number
  /** its conditions name ids, so few calls match */
  narrow?: boolean
  /** the conditions, where that is all they are */
  plain?: Plain
}

/** That columns have these values, and that calls start within a time. */
export interface Plain extends StartedWithin {
  values: readonly { column: Sql; value: string }[]
}

/** A row's place: its start in µs since the epoch, and its id. */
export interface Key {
  started: number
  id: string
}

/** A row of a list: its place, and an estimate of its line's bytes. */
export interface Found extends Key {
  width: number
  /** in `calls_open` when it was found */
  isRunning: boolean
}

/** Consecutive rows. */
export interface Slice {
  rows: Found[]
  /** no row precedes these */
  isFirst: boolean
  /** no row follows them */
  isLast: boolean
}

/**
 * `walk`: along the key, slice by slice. `keys`: finds and sorts rows by light columns, then reads them in slices.
 * `sort`: the engine sorts whole rows, if all are narrow.
 */
export type Plan = 'walk' | 'keys' | 'sort'

/** A page along the key that ends before this position is short. */
export const NEAR = 1200
/** Up to this many rows are found by key, whatever their width. */
const KEYS = 10_000

export function planOf(page: Page): Plan {
  // With a join the engine would read the wide columns of every row.
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
/** The length column tells whether a text is empty. */
const WIDE = new RegExp(`\\b(?:${WIDE_JSON})\\b|\\b(?:${WIDE_TEXT})\\b(?! != '')`)

/** True for a condition on columns that may be wide. Values are bound, so its text contains only names. */
export function isWide(condition: Sql): boolean {
  return WIDE.test(condition.render().query)
}

/** The conditions that need no wide columns. */
function lightConditions({ conditions, early }: Page): Sql[] {
  return [...early, ...conditions.filter((condition) => !isWide(condition))]
}

/** Rows after a key in the page's order, which is along the key. */
function beyond({ started, id }: Key, { order }: Page): Sql {
  const place = sql`(${instant(started)}, ${bind.string(id)})`
  return order.terms[0]!.direction === 'desc'
    ? sql`started_at <= ${instant(started)} AND (started_at, id) < ${place}`
    : sql`started_at >= ${instant(started)} AND (started_at, id) > ${place}`
}

/** Rows between two keys, including those before the first slice and after the last one. */
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

/** The rows of a page whose plan is `sort`. */
export function pageStatement(page: Page, line: LineOptions): Sql {
  const { sorted, columns: sortColumns } = terms(page)
  const rows = bothTables((table) => {
    const columns = commaList([...baseColumns(table), ...sortColumns, ...lineColumns(line)])
    return sql`SELECT ${columns} ${visible(table, page.projectId, page.conditions, page.early, columns)}`
  })
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(page.projectId, line, [])}${orderBy([...sorted, NEWEST])} LIMIT 1 BY id ${limits(page.limit, page.offset)}`
}

/**
 * The rows of a page in order, as {@link Found}: columns `started`, `width`, `running`, `id`.
 * @param line undefined: the widths don't matter, and are 0. They are read for all rows that match, not only the page's
 */
export function keysStatement(page: Page, line?: LineOptions): Sql {
  const { sorted, columns: sortColumns } = terms(page)
  const rows = bothTables((table) => {
    const width = line ? lineWidth(line) : sql`0 AS width`
    const columns = commaList([...baseColumns(table), width, ...sortColumns])
    const most = page.limit === undefined ? sql`` : sql`${orderBy(sorted)} LIMIT ${count(enough(page))}`
    return sql`SELECT * FROM (SELECT ${columns} ${visible(table, page.projectId, page.conditions, page.early, columns)} ${most})`
  })
  return sql`SELECT ${FOUND} FROM (
  ${rows}) AS seen
  ${orderBy([...sorted, NEWEST])} LIMIT 1 BY id ${limits(page.limit, page.offset)}`
}

const FOUND = sql`toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id`

/** The same for the next `most` rows along the key after `after`. */
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
    const columns = commaList([...baseColumns(table), lineWidth(line)])
    // Take as many from each table as may be needed, so that none is left out.
    return sql`SELECT * FROM (SELECT ${columns} ${visible(table, page.projectId, [...behind, ...lightConditions(page)])} ${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id LIMIT ${bind.uint(offset + most)})`
  })
  return sql`SELECT ${FOUND} FROM (
  ${rows}) AS seen
  ${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id ${limits(most, offset)}`
}

/**
 * The rows of `page` from the first to the last of a slice, in order. A list of a single slice is one statement, which
 * sees a call that moves meanwhile once.
 */
export function rangeStatement(page: Page, line: LineOptions, slice: Slice): Sql {
  const { sorted } = terms(page)
  const here = within(slice, page)
  const early = page.early.length > 0 ? [...here, ...page.early] : []
  // A running call that has ended since is in `calls`.
  const tables = slice.rows.some(({ isRunning }) => isRunning)
    ? bothTables
    : (select: (table: CallTable) => Sql) => select('calls')
  const rows = tables((table) => {
    const columns = commaList([...baseColumns(table), ...lineColumns(line)])
    return sql`SELECT ${columns} ${visible(table, page.projectId, [...here, ...page.conditions], early, columns)}`
  })
  const roots = visibleRows(sql`trace_id`, page.projectId, [...here, sql`parent_id = ''`])
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(page.projectId, line, [sql`trace_id IN (${roots})`])}${orderBy([...sorted, NEWEST])} LIMIT 1 BY started_at, id`
}

/** The rows with these keys, in order. */
export function rowsStatement(projectId: string, keys: readonly Key[], line: LineOptions): Sql {
  const ids = sql`${bind.strings(keys.map(({ id }) => id))}`
  const rows = bothTables((table) => {
    const these = atKeys(table, keys)
    const columns = commaList([...baseColumns(table), ...lineColumns(line)])
    return sql`SELECT ${columns} ${visible(table, projectId, [these])}`
  })
  // Calls replaced by rows with other keys since theirs were found.
  const moved = sql`id IN (${unsettledIds(projectId, 'whole')} AND id IN ${ids})`
  const columns = commaList([...baseColumns('calls'), ...lineColumns(line)])
  return sql`${selection(line)} FROM (
  ${rows}
  UNION ALL SELECT ${columns} ${visible('calls', projectId, [moved])}) AS seen
  ${traceSizes(projectId, line, [sql`trace_id IN (${tracesOf(projectId, ids)})`])}ORDER BY indexOf(${ids}, id), ${NEWEST} LIMIT 1 BY id`
}

/**
 * Every row with these keys, in no order, with all that `line` needs. Leaves out calls that have other keys by now, and
 * may include rows that were replaced.
 */
export function rowsAtKeys(projectId: string, keys: readonly Found[], line: LineOptions): Sql {
  const select = (table: CallTable) => {
    const columns = wholeRow(table, rowColumns(line))
    return sql`SELECT ${columns} ${everyRow(table, projectId, [atKeys(table, keys)])}`
  }
  // A running call that has ended since is in `calls`.
  return keys.some(({ isRunning }) => isRunning) ? bothTables(select) : select('calls')
}

/** The condition of rows with these keys; of running calls, with these ids. */
function atKeys(table: CallTable, keys: readonly Key[]): Sql {
  const ids = sql`${bind.strings(keys.map(({ id }) => id))}`
  if (table === 'calls_open') return sql`id IN ${ids}`
  const times = bind.ints(keys.map(({ started }) => started))
  return sql`(started_at, id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (SELECT arrayJoin(arrayZip(${times}, ${ids})) AS key))`
}

/** The given calls that match a page, wherever they are by now. @param conditions what they must match */
export function callsStatement(
  projectId: string,
  ids: readonly string[],
  conditions: readonly Sql[],
  line: LineOptions,
): Sql {
  const these = sql`id IN ${bind.strings(ids)}`
  const rows = bothTables((table) => {
    const columns = commaList([...baseColumns(table), ...lineColumns(line)])
    return sql`SELECT ${columns} ${visible(table, projectId, [these, ...conditions], [], columns)}`
  })
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(projectId, line, [sql`trace_id IN (${tracesOf(projectId, sql`${bind.strings(ids)}`)})`])}ORDER BY ${NEWEST} LIMIT 1 BY id`
}

/**
 * The newest row of a call. All its rows are read, whole ones first: planning what leaves out the others, as lists of many
 * calls do, costs more than reading them.
 */
export function oneStatement(projectId: string, id: string, line: LineOptions): Sql {
  const ofCall = sql`id = ${bind.string(id)}`
  const rows = bothTables((table) => {
    const columns = commaList([...baseColumns(table), ...lineColumns(line)])
    return sql`SELECT ${columns} ${everyRow(table, projectId, [ofCall], [], columns)}`
  })
  const ofTrace = sql`trace_id IN (${visibleRows(sql`trace_id`, projectId, [ofCall])})`
  return sql`${selection(line)} FROM (
  ${rows}) AS seen
  ${traceSizes(projectId, line, [ofTrace])}ORDER BY whole DESC, ver DESC LIMIT 1`
}

/** The widths of a page's rows: `widest` and `total`. */
export function weightStatement(page: Page, line: LineOptions): Sql {
  const conditions = lightConditions(page)
  const rows = visibleRows(lineWidth(line), page.projectId, conditions)
  return sql`SELECT toUInt64(max(width)) AS widest, toUInt64(sum(width)) AS total FROM (${rows})`
}

/** The columns that every list reads. */
const baseColumns = (table: CallTable) => [sql`started_at, id, ver, trace_id, op_name`, WHOLE[table]]

/** The sort terms, and columns for terms that are not table columns. */
function terms({ order }: Page): { sorted: Sql[]; columns: Sql[] } {
  if (order.kind === 'key')
    return { sorted: order.terms.map(({ value, direction }) => sql`${value} ${WAY[direction]}`), columns: [] }
  const names = order.terms.map((_, i) => NAMES[i]!)
  return {
    sorted: order.terms.map(({ direction }, i) => sql`${names[i]!} ${WAY[direction]}`),
    columns: order.terms.map(({ value }, i) => sql`${value} AS ${names[i]!}`),
  }
}

/** Names of sort columns; sixty-four exceed what twenty fields can need. */
const NAMES = Array.from({ length: 64 }, (_, i) => ident(`sort_${i}`))

const orderBy = (sorted: readonly Sql[]) => sql`ORDER BY ${commaList(sorted)}`
const count = (rows: number) => bind.uint(rows)

/** A few more rows than the page needs, since a table may briefly have a call twice. */
export function enough({ limit = 0, offset }: Page): number {
  const end = offset + limit
  return end + 16 + (end >> 3)
}

function limits(limit: number | undefined, offset: number): Sql {
  if (limit === undefined && offset === 0) return sql``
  // OFFSET can't follow LIMIT BY alone.
  const most = sql`LIMIT ${limit === undefined ? bind.uint('9223372036854775807') : bind.uint(limit)}`
  return offset === 0 ? most : sql`${most} OFFSET ${bind.uint(offset)}`
}

/** User names, from a map built once per query. */
const USERNAMES = sql`(SELECT CAST((groupArray(user_id), groupArray(name)), 'Map(String, String)') FROM (${NEWEST_NAMES} GROUP BY user_id)) AS usernames`

/** The selected columns, in the form that `row.ts` reads. */
function selection(line: LineOptions): Sql {
  const names = line.usernames ? sql`WITH ${USERNAMES} ` : sql``
  return sql`${names}SELECT ${wholeRow('calls', rowColumns(line))}`
}

/** Joins the sizes of whole traces to their calls, if the line needs them; `among` restricts the traces. */
function traceSizes(projectId: string, { traceSize }: LineOptions, among: readonly Sql[]): Sql {
  if (!traceSize) return sql``
  const sizes = rowsOfBoth(sql`trace_id, bytes`, projectId, among)
  return sql`LEFT ANY JOIN (SELECT trace_id, sum(bytes) AS trace_bytes FROM (${sizes}) GROUP BY trace_id) AS traces USING (trace_id) `
}

function tracesOf(projectId: string, ids: Sql): Sql {
  return visibleRows(sql`trace_id`, projectId, [sql`id IN ${ids}`, sql`parent_id = ''`])
}
