/** Stored calls, read whole and written again with other values in some columns. Knows the columns, not why. */
import type { CallBlock } from '../../domain/calls/block.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { type CallColumn, type SentColumn, sentColumns } from '../../domain/calls/schema.js'
import { UNSET_INTEGER_SQL } from '../../domain/calls/unset.js'
import { commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** By column; the span's text is in one piece. */
export type WholeRow = Readonly<Record<SentColumn, string | number | readonly number[]>>

const COLUMNS = sentColumns('calls')

function selected(name: CallColumn, kind: string): Sql {
  const column = ident(name)
  if (name === 'otel_span') return OTEL_SPAN
  if (kind === 'sharedText') return sql`''`
  if (kind === 'time' || kind === 'timeOrUnset') return sql`toUnixTimestamp64Micro(${column})`
  if (kind === 'integerOrUnset') return sql`if(${column} = ${UNSET_INTEGER_SQL}, '', toString(${column}))`
  return column
}

/** SELECT of the rows of `calls` for which `where` holds. */
export function wholeRows(where: Sql): Sql {
  const values = COLUMNS.map(({ name, kind }) => sql`${selected(name, kind)} AS ${ident(`the_${name}`)}`)
  const named = COLUMNS.map(({ name }) => sql`${ident(`the_${name}`)} AS ${ident(name)}`)
  return sql`SELECT ${commaList(named)} FROM (SELECT ${commaList(values)} FROM calls WHERE ${where})`
}

/** Sets the columns of the current row of `block`, all but `others`, without ending it. */
export function copyRow(block: CallBlock, row: WholeRow, others: readonly SentColumn[]): void {
  for (const { name, kind } of COLUMNS) {
    const value = row[name]
    if (others.includes(name) || value === '') continue
    const column = block[name] as {
      text?(value: string): void
      number?(value: number): void
      int?(value: number): void
    }
    if (kind === 'hashes') for (const hash of value as readonly number[]) block.leaves.add(hash)
    else if (column.text) column.text(String(value))
    else if (column.int) column.int(Number(value))
    else column.number!(Number(value))
  }
}
