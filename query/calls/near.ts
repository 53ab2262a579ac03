/**
 * Short lists along the key, read as rows and written as lines here: whole calls with all their columns and the keys of
 * running ones by one statement, then those running calls that belong to the page, if any. What turns out to be long or
 * heavy is left to the statements of `page.ts`.
 */
import { Bytes } from '../../common/calls/bytes.js'
import { bind, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import { costsMember, type Prices } from '../costs/pricing.js'
import type { ColumnName, LineOptions } from './line.js'
import { WAY } from './order.js'
import { enough, NEAR, type Page, visible } from './page.js'
import { type CallRow, keyOfRow, readRows, rowColumns, wholeRow } from './row.js'
import { writeLine } from './write-line.js'

/** What rows of a page may take in memory; beyond, the engine writes the lines. */
const MOST_BYTES = 8 << 20

/** Runs a statement in RowBinary. */
export type Read = (statement: Sql) => Promise<AsyncIterable<Uint8Array>>

/** True if `page` may be read so. A page without a limit has to be one that its filter keeps short. */
export function isNear({ order, limit, offset, conditions, narrow }: Page, line: LineOptions): boolean {
  if (order.kind !== 'key' || line.usernames || line.traceSize) return false
  if (limit === undefined ? offset > 0 || !narrow : offset + limit > NEAR) return false
  return join(conditions, sql` `).joins.length === 0
}

/**
 * The page's lines, or undefined where it has to be read otherwise: it is too heavy, running calls ended meanwhile, or
 * costs are hard to tell.
 * @param prices where costs are asked for; they come while rows are read
 */
export async function nearLines(
  page: Page,
  line: LineOptions,
  read: Read,
  prices: Promise<Prices> | undefined,
): Promise<Uint8Array | undefined> {
  const columns = rowColumns(line)
  const [found, known] = await Promise.all([rowsOf(read, nearStatement(page, line), columns), prices])
  const end = page.limit === undefined ? NEAR : page.offset + page.limit
  if (!found || (page.limit === undefined && found.length > NEAR)) return undefined
  const chosen = newestOnce(found, page).slice(page.offset, end)
  const keys = chosen.filter(({ isKey }) => isKey)
  const running = new Map<string, CallRow>()
  if (keys.length > 0) {
    const rows = await rowsOf(read, runningStatement(page.projectId, keys.map(textOf), line), columns)
    if (!rows) return undefined
    for (const row of newestOnce(rows, page)) running.set(textOf(row), row)
  }
  const out = new Bytes(1 << 16)
  for (const row of chosen) {
    const whole = row.isKey ? running.get(textOf(row)) : row
    if (!whole) return undefined
    const costs = known ? costsMember(known, whole.summary, whole.started_at) : ''
    if (costs === undefined) return undefined
    writeLine(out, whole, line, costs)
  }
  return out.buf.subarray(0, out.pos)
}

/** Whole calls, and the keys of running ones. */
export function nearStatement(page: Page, line: LineOptions): Sql {
  const columns = rowColumns(line)
  const sorted = page.order.terms.map(({ value, direction }) => sql`${value} ${WAY[direction]}`)
  // One more than there may be tells that there are more.
  const most = page.limit === undefined ? NEAR + 1 : enough(page)
  const part = (table: 'calls' | 'calls_open', selected: Sql) =>
    sql`SELECT ${selected} ${visible(table, page.projectId, page.conditions, page.early, selected)} ORDER BY ${join(sorted, sql`, `)} LIMIT ${bind.uint(most)}`
  return sql`(${part('calls', wholeRow(columns))})
  UNION ALL (${part('calls_open', keyOfRow(columns))})`
}

/** Running calls by their ids. */
export function runningStatement(projectId: string, ids: readonly string[], line: LineOptions): Sql {
  const these = sql`id IN ${bind.strings(ids)}`
  return sql`SELECT ${wholeRow(rowColumns(line))} ${visible('calls_open', projectId, [these])}`
}

async function rowsOf(
  read: Read,
  statement: Sql,
  columns: readonly ColumnName[],
): Promise<CallRow[] | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of await read(statement)) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return readRows(Buffer.concat(chunks, size), columns)
}

const textOf = ({ id }: CallRow) => id.toString()

/** The rows in the page's order, each id once: what stands first, and of one key the newest. */
function newestOnce(rows: CallRow[], { order }: Page): CallRow[] {
  const way = order.terms[0]?.direction === 'desc' ? -1 : 1
  const byKey = (a: CallRow, b: CallRow) =>
    way * (a.started_at - b.started_at || Buffer.compare(a.id, b.id)) || b.ver - a.ver
  const seen = new Set<string>()
  return rows.sort(byKey).filter((row) => {
    const id = textOf(row)
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}
