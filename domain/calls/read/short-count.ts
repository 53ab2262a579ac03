/**
 * Counts up to a few calls as a short page lists them: by the keys of the newest, which an embedded engine's log may still
 * hold. A count in the engine would wait until they are in the table.
 */
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { SPAN_ID_LENGTH } from '../unsettled.js'
import { enough, NEAR, type Page } from './page.js'
import { type RowColumn, RowCursor } from './row.js'
import {
  type FoundRow,
  isFromLog,
  LONG_AGO,
  type Read,
  rowsOf,
  shortPageStatement,
  textOf,
} from './short-page.js'

/** With the key, what tells calls apart. */
const COLUMNS: readonly RowColumn[] = ['started_at', 'id', 'ver', 'trace_id']
/** No end, and whole rows of running calls. */
const ALL = { started: LONG_AGO, hasRunning: true }

/** True if the calls of `page`, which goes along the key, can be counted so. */
export function isShortCount(page: Page): boolean {
  return isFromLog(page) && page.offset + page.limit! <= NEAR
}

/** The keys of the page's calls. */
export const shortCountStatement = (page: Page): Sql => shortPageStatement(page, COLUMNS, ALL, true)

/** How many calls the page has; undefined: too many rows are of the same calls, so they must be counted otherwise. */
export async function shortCount(page: Page, read: Read): Promise<number | undefined> {
  const rows = await rowsOf(read, shortCountStatement(page), COLUMNS)
  if (!rows) return undefined
  const cursor = new RowCursor(COLUMNS)
  const count = new Set(rows.map((row) => identityOf(row, cursor))).size
  if (count < page.limit! && rows.length >= enough(page)) return undefined
  return Math.min(count, page.limit!)
}

/** As {@link IDENTITY} has it. */
function identityOf(row: FoundRow, cursor: RowCursor): string {
  if (row.id.length !== SPAN_ID_LENGTH) return textOf(row)
  cursor.open(row.bytes)
  cursor.read(row.at)
  return `${textOf(row)} ${row.started} ${cursor.text(cursor.indexOf('trace_id')).toString()}`
}
