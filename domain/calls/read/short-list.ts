/**
 * Reads short lists in any order in two statements: the keys of their calls, then these calls' rows. Leaves lists that
 * prove heavy, or of which a call moved meanwhile, to `long-list.ts`.
 */
import { type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Prices } from '../../costs/pricing.js'
import { LATENCY_MS, tookAsFew, tookAtLeast } from './fields.js'
import type { LineOptions } from './line.js'
import { type Found, keysStatement, NEAR, type Page, rowsAtKeys } from './page.js'
import type { PageBoundCache } from './page-bound-cache.js'
import { RowCursor, rowColumns } from './row.js'
import { type FoundRow, linesOfRows, type Read, rowsOf, textOf } from './short-page.js'
import { foundIn } from './slices.js'

/** True if `page` qualifies. */
export function isShortList({ order, limit, offset }: Page, line: LineOptions): boolean {
  if (order.kind !== 'free' || line.usernames || line.traceSize) return false
  return limit !== undefined && offset + limit <= NEAR
}

/**
 * The list's lines, or undefined if it must be read otherwise.
 * @param prices set if costs are requested; loaded while rows are read
 * @param latencies of the last calls of lists of the slowest, in ms
 */
export async function shortListLines(
  page: Page,
  line: LineOptions,
  read: Read,
  prices: Promise<Prices> | undefined,
  latencies: PageBoundCache<number>,
): Promise<Uint8Array | undefined> {
  const [rows, known] = await Promise.all([rowsOfList(page, line, read, latencies), prices])
  return rows && linesOfRows(rows, line, known)
}

async function rowsOfList(
  page: Page,
  line: LineOptions,
  read: Read,
  latencies: PageBoundCache<number>,
): Promise<FoundRow[] | undefined> {
  const name = isOfSlowest(page) ? latencies.keyOf(page) : undefined
  const keys = await keysOf(page, read, slowOf(page, latencies.get(name)))
  const rows =
    keys.length > 0 ? await rowsOf(read, rowsAtKeys(page.projectId, keys, line), rowColumns(line)) : []
  if (!rows) return undefined
  const newest = new Map<string, FoundRow>()
  for (const row of rows) {
    const other = newest.get(textOf(row))
    if (!other || isNewer(row, other)) newest.set(textOf(row), row)
  }
  const inOrder = keys.flatMap(({ id }) => newest.get(id) ?? [])
  if (inOrder.length < keys.length) return undefined
  const last = inOrder.length === page.limit ? inOrder.at(-1) : undefined
  if (name !== undefined) latencies.set(name, last && latencyOf(last, line))
  return inOrder
}

const isOfSlowest = ({ order: { terms } }: Page) =>
  terms[0]!.value === LATENCY_MS && terms[0]!.direction === 'desc'

/**
 * A condition that the slowest calls meet, if there are enough of them: that they took as long as the last of the list did
 * when it was last read, or as a few of the newest. Undefined: the list is of others, or has conditions that few may meet.
 */
function slowOf(page: Page, latency: number | undefined): Sql | undefined {
  if (latency !== undefined) return tookAtLeast(latency)
  return isOfSlowest(page) && page.conditions.length === 0 ? tookAsFew(page.projectId) : undefined
}

/** The list's keys. @param slow a condition: the list is looked for among the calls that meet it, and if it isn't full, among all */
async function keysOf(page: Page, read: Read, slow: Sql | undefined): Promise<Found[]> {
  const slowest = slow && { ...page, conditions: [...page.conditions, slow] }
  for (const narrower of [slowest, numberedOf(page)]) {
    const keys = narrower ? await found(read, narrower) : []
    if (keys.length > 0 && keys.length === page.limit) return keys
  }
  return found(read, page)
}

/** The same page of the calls that have a number to be sorted by. */
function numberedOf({ order: { numbered }, ...page }: Page): Page | undefined {
  if (!numbered) return undefined
  const [number] = numbered
  const conditions = [...page.conditions, sql`${number.value} IS NOT NULL`]
  return { ...page, conditions, order: { kind: 'free', terms: numbered } }
}

async function found(read: Read, page: Page): Promise<Found[]> {
  const keys: Found[] = []
  for await (const some of foundIn(await read(keysStatement(page)))) keys.push(...some)
  return keys
}

/** The latency of a call in ms; undefined: none, or too short to look for. */
function latencyOf({ bytes, at, started }: FoundRow, line: LineOptions): number | undefined {
  const cursor = new RowCursor(rowColumns(line))
  cursor.open(bytes)
  cursor.read(at)
  const latency = Math.floor((cursor.whole(cursor.indexOf('ended_at')) - started) / 1000)
  return latency > 0 ? latency : undefined
}

/** A whole call is newer than its start. */
function isNewer(one: FoundRow, other: FoundRow): boolean {
  return one.isRunning === other.isRunning ? one.ver > other.ver : other.isRunning
}
