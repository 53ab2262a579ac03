/**
 * Reads short lists along the key as rows: one statement for whole calls with all columns and the keys of running
 * calls, then one for those running calls that are on the page, if any. Leaves long or heavy lists to the statements of
 * `page.ts`.
 */
import { Bytes } from '../../../platform/bytes/bytes.js'
import { bind, commaList, ident, instant, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Prices } from '../../costs/pricing.js'
import type { Direction } from '../../expr/order.js'
import { type FromLog, newestCallsOf, onlyIf } from '../calls-of.js'
import type { CallTable } from '../schema.js'
import type { LineOptions } from './line.js'
import { WAY } from './order.js'
import { enough, NEAR, type Page } from './page.js'
import type { PageBound, PageBoundCache } from './page-bound-cache.js'
import { keyOfRow, type RowColumn, RowCursor, rowColumns, wholeRow } from './row.js'
import { bothTables, everyRow } from './visible.js'
import { LineWriter } from './write-line.js'

/** µs since the epoch: the first that the store has. */
export const LONG_AGO = -2_208_988_800_000_000

/** Most memory for the rows of a page; beyond it, the engine writes the lines. */
const MOST_BYTES = 8 << 20

/** Runs a statement in RowBinary. */
export type Read = (statement: Sql) => Promise<AsyncIterable<Uint8Array>>

/** True if `page` qualifies. One that may be long must have a filter that keeps it short. */
export function isShortPage(page: Page, line: LineOptions): boolean {
  const { order, offset, conditions, narrow } = page
  if (order.kind !== 'key' || line.usernames || line.traceSize) return false
  if (mayBeLong(page) && (offset > 0 || !narrow)) return false
  return join(conditions, sql` `).joins.length === 0
}

const mayBeLong = ({ limit, offset }: Page): boolean => limit === undefined || offset + limit > NEAR

/**
 * The page's lines, or undefined if it must be read otherwise: it is too heavy, running calls ended meanwhile, or costs
 * are hard to compute.
 * @param prices set if costs are requested; loaded while rows are read
 */
export async function shortPageLines(
  page: Page,
  line: LineOptions,
  read: Read,
  prices: Promise<Prices> | undefined,
  bounds: PageBoundCache<PageBound>,
): Promise<Uint8Array | undefined> {
  const [rows, known] = await Promise.all([rowsOfPage(page, line, read, bounds), prices])
  return rows && linesOfRows(rows, line, known)
}

/** The lines of rows in memory. */
export function linesOfRows(
  rows: readonly FoundRow[],
  line: LineOptions,
  prices: Prices | undefined,
): Uint8Array {
  const out = new Bytes(1 << 16)
  const cursor = new RowCursor(rowColumns(line))
  const writer = new LineWriter(cursor, line, prices)
  for (const { bytes, at } of rows) {
    cursor.open(bytes)
    cursor.read(at)
    writer.write(out)
  }
  return out.buf.subarray(0, out.pos)
}

/** The rows of the page with all their columns, in order. */
async function rowsOfPage(
  page: Page,
  line: LineOptions,
  read: Read,
  bounds: PageBoundCache<PageBound>,
): Promise<FoundRow[] | undefined> {
  const key = bounds.keyOf(page)
  const bound = bounds.get(key)
  const before = bound && (await chosenRows(page, line, read, bound))
  const isFull = before !== undefined && before.length === page.limit
  const chosen = isFull ? before : await chosenRows(page, line, read)
  const last = chosen?.length === page.limit ? chosen?.at(-1) : undefined
  const hasRunning = chosen?.some(({ isRunning }) => isRunning) ?? false
  bounds.set(key, last && { started: last.started, hasRunning })
  return chosen && withRunning(chosen, page, line, read)
}

/** The page's rows; for running calls possibly only the keys. With a bound, only rows not past it. */
async function chosenRows(
  page: Page,
  line: LineOptions,
  read: Read,
  bound?: PageBound,
  fromLog = isFromLog(page),
): Promise<FoundRow[] | undefined> {
  const found = await rowsOf(
    read,
    shortPageStatement(page, rowColumns(line), bound, fromLog),
    rowColumns(line),
  )
  if (!found || (mayBeLong(page) && found.length > NEAR)) return undefined
  // Running calls are unordered here: if some were left out, it may have been any of them.
  if (bound && found.filter(({ isRunning }) => isRunning).length >= enough(page)) return undefined
  const each = newestOnce(found, page)
  // As many as were asked of the log, of fewer calls: the table was not asked for those behind them.
  if (fromLog && found.length >= enough(page) && each.length < page.offset + page.limit!)
    return chosenRows(page, line, read, bound, false)
  return each.slice(page.offset, page.limit && page.offset + page.limit)
}

/** True if the newest rows need not be in the table yet: the log of an embedded engine can tell which they are. */
export function isFromLog({ plain, limit, order }: Page): boolean {
  return plain !== undefined && limit !== undefined && order.terms[0]!.direction === 'desc'
}

/** `rows`, with all columns for those that had only the key. */
async function withRunning(
  rows: FoundRow[],
  page: Page,
  line: LineOptions,
  read: Read,
): Promise<FoundRow[] | undefined> {
  const keys = rows.filter(({ isKey }) => isKey)
  if (keys.length === 0) return rows
  const statement = runningStatement(page.projectId, keys.map(textOf), line)
  const found = await rowsOf(read, statement, rowColumns(line))
  const running = new Map(newestOnce(found ?? [], page).map((row) => [textOf(row), row]))
  const whole = rows.flatMap((row) => (row.isKey ? (running.get(textOf(row)) ?? []) : row))
  return whole.length === rows.length ? whole : undefined
}

/**
 * Whole calls, and running ones or their keys. A page that may be long is unordered: sorting a few rows in the engine
 * costs more than reading them.
 */
export function shortPageStatement(
  page: Page,
  columns: readonly RowColumn[],
  bound?: PageBound,
  fromLog = false,
): Sql {
  const { terms } = page.order
  const sorted = sql`ORDER BY ${commaList(
    terms.map(({ value, direction }) => sql`${value} ${WAY[direction]}`),
  )}`
  const conditions = bound ? [...page.conditions, upTo(bound.started, terms[0]!.direction)] : page.conditions
  // One more than allowed shows that there are more.
  const most = mayBeLong(page) ? NEAR + 1 : enough(page)
  const { values = [], since: first = LONG_AGO, until } = page.plain ?? {}
  const since = Math.max(first, bound?.started ?? LONG_AGO)
  const statement = bothTables((table) => {
    const isWhole = table === 'calls' || bound?.hasRunning
    const selected = isWhole ? wholeRow(table, columns) : keyOfRow(columns)
    const inOrder = !mayBeLong(page) && (table === 'calls' || !bound)
    const rows =
      fromLog && table === 'calls'
        ? alsoOfLog(page, { columns: selected, where: values, since, until, limit: most })
        : everyRow(table, page.projectId, conditions, page.early, selected)
    return sql`(SELECT ${selected} ${rows} ${inOrder ? sorted : sql``} LIMIT ${bind.uint(most)})`
  })
  return fromLog ? sql`${statement} ${onlyIf(anySince(page.projectId, since))}` : statement
}

/** FROM and WHERE of whole calls, of which the newest come from the log. */
function alsoOfLog({ projectId, conditions }: Page, asked: FromLog): Sql {
  const { columns, since } = asked
  const from = newestCallsOf(projectId, asked)
  return everyRow('calls', projectId, [...conditions, upTo(since, 'desc')], [], columns, from)
}

/** Rows if any call of the project has started since, as far as the tables tell. */
function anySince(projectId: string, since: number): Sql {
  const rows = (table: CallTable) =>
    everyRow(table, projectId, [upTo(since, 'desc')], [], sql``, ident(table))
  return bothTables((table) => sql`SELECT 1 ${rows(table)} LIMIT 1`)
}

function upTo(started: number, direction: Direction): Sql {
  return sql`started_at ${direction === 'desc' ? sql`>=` : sql`<=`} ${instant(started)}`
}

/** Running calls by their ids. */
export function runningStatement(projectId: string, ids: readonly string[], line: LineOptions): Sql {
  const these = sql`id IN ${bind.strings(ids)}`
  return sql`SELECT ${wholeRow('calls_open', rowColumns(line))} ${everyRow('calls_open', projectId, [these])}`
}

/** A row of a page: its key, and the location of its data. */
export interface FoundRow {
  started: number
  id: Buffer
  ver: number
  isRunning: boolean
  isKey: boolean
  bytes: Buffer
  at: number
}

/** The rows of a statement, in memory; undefined: they are too heavy for that. */
export async function rowsOf(
  read: Read,
  statement: Sql,
  columns: readonly RowColumn[],
): Promise<FoundRow[] | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of await read(statement)) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return rowsIn(Buffer.concat(chunks, size), new RowCursor(columns))
}

function rowsIn(bytes: Buffer, cursor: RowCursor): FoundRow[] {
  const [started, id, ver] = [cursor.indexOf('started_at'), cursor.indexOf('id'), cursor.indexOf('ver')]
  return Array.from(cursor.rows(bytes), (at) => {
    const { isRunning, isKey } = cursor
    const key = { started: cursor.whole(started), id: cursor.text(id), ver: cursor.whole(ver) }
    return { ...key, isRunning, isKey, bytes, at }
  })
}

export const textOf = ({ id }: FoundRow) => id.toString()

/** The rows in the page's order, each id once: the first, and for equal keys the newest, whole before running. */
function newestOnce(rows: FoundRow[], { order }: Page): FoundRow[] {
  const way = order.terms[0]?.direction === 'desc' ? -1 : 1
  const byKey = (a: FoundRow, b: FoundRow) =>
    way * (a.started - b.started || Buffer.compare(a.id, b.id)) ||
    b.ver - a.ver ||
    Number(a.isRunning) - Number(b.isRunning)
  const seen = new Set<string>()
  return rows.sort(byKey).filter((row) => {
    const id = textOf(row)
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}
