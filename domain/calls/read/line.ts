/** The content of a call's line, and the table columns that it needs. Pure. */
import { bind, ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { SPAN_COLUMNS } from '../otel-span.js'
import { CALL_COLUMNS, type CallColumn } from '../schema.js'
import type { Column } from './columns.js'

export interface LineOptions {
  project: string
  columns: ReadonlySet<Column>
  /** columns whose values are included whatever their size */
  whole: ReadonlySet<Column> | 'all'
  /** longer texts within values are cut after so many bytes; undefined: none is */
  textBytes?: number | undefined
  /** columns that were not selected are left out, rather than null */
  isSparse?: boolean
  storageSize: boolean
  usernames: boolean
  /** the size of a root's trace */
  traceSize: boolean
  /** costs, in `summary.weave` */
  costs: boolean
}

/** Larger values are omitted from lists unless their column is selected. */
export const LARGE_BYTES = 1 << 20

/** With their texts cut, values that are still larger are omitted. */
export const LARGE_CUT_BYTES = 1 << 16

/** Table columns that lines use. */
export type ColumnName = Exclude<CallColumn, 'project_id' | 'leaves' | 'kind'>

/** Columns that every line needs: names, times, and the inputs of `summary.weave`. */
const ALWAYS: readonly CallColumn[] = [
  'display_name',
  'ended_at',
  'exception',
  'descendant_errors',
  'first_token',
]

/** The table columns that the lines need. */
export function lineColumnNames({ columns, storageSize, usernames, traceSize }: LineOptions): ColumnName[] {
  const needed = new Set<CallColumn>(ALWAYS)
  for (const { name, field } of CALL_COLUMNS) if (field && columns.has(field)) needed.add(name)
  if (columns.has('attributes')) for (const name of SPAN_COLUMNS) needed.add(name)
  if (traceSize) needed.add('parent_id')
  if (usernames) needed.add('user_id')
  if (columns.has('span_name')) needed.add('otel_span')
  if (storageSize) needed.add('bytes')
  needed.delete('project_id')
  return CALL_COLUMNS.map(({ name }) => name as ColumnName).filter((name) => needed.has(name))
}

/** Columns that every list reads, whatever its lines contain. */
const BASE: readonly CallColumn[] = ['started_at', 'id', 'trace_id', 'op_name']

/** The same as SQL, without those that every list reads. */
export function lineColumns(options: LineOptions): Sql[] {
  return lineColumnNames(options)
    .filter((name) => !BASE.includes(name))
    .map(ident)
}

/** A column `width`: an estimate of a line's bytes, or more. The engine only reads the lengths of texts for it. */
export function lineWidth(options: LineOptions): Sql {
  const names: readonly CallColumn[] = lineColumnNames(options)
  const widths = CALL_COLUMNS.flatMap(({ name, wide }) =>
    wide && names.includes(name) ? [sql`${bind.uint(wide)} * length(${ident(name)})`] : [],
  )
  return sql`${join([sql`1000`, ...widths], sql` + `)} AS width`
}
