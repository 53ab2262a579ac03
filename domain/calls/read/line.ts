/** What a line of a call has, and the columns of the tables that it is made of. Pure. */
import { bind, ident, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { CALL_COLUMNS, type CallColumn } from '../schema.js'
import type { Column } from './columns.js'

export interface LineOptions {
  /** `entity/project` */
  project: string
  columns: ReadonlySet<Column>
  /** columns whose values come whatever their size */
  whole: ReadonlySet<Column> | 'all'
  storageSize: boolean
  usernames: boolean
  /** the size of a root's trace */
  traceSize: boolean
  /** what calls cost, in `summary.weave` */
  costs: boolean
}

/** Larger values stay out of lists unless their column is asked for. */
export const LARGE_BYTES = 1 << 20

/** Columns of the tables that lines are made of. */
export type ColumnName = Exclude<CallColumn, 'project_id' | 'leaves' | 'kind'>

/** What every line is made of: names, times, and what `summary.weave` says. */
const ALWAYS: readonly CallColumn[] = ['display_name', 'ended_at', 'exception', 'descendant_errors']
const OF_SPAN: readonly CallColumn[] = [
  'parent_id',
  'inputs',
  'output',
  'otel_span',
  'otel_shape',
  'otel_origin',
]

/** The columns of the tables that lines are made of. */
export function lineColumnNames({ columns, storageSize, usernames, traceSize }: LineOptions): ColumnName[] {
  const needed = new Set<CallColumn>(ALWAYS)
  for (const { name, field } of CALL_COLUMNS) if (field && columns.has(field)) needed.add(name)
  if (columns.has('attributes')) for (const name of OF_SPAN) needed.add(name)
  if (traceSize) needed.add('parent_id')
  if (usernames) needed.add('user_id')
  if (storageSize) needed.add('bytes')
  needed.delete('project_id')
  return CALL_COLUMNS.map(({ name }) => name as ColumnName).filter((name) => needed.has(name))
}

/** What every list reads, whatever its lines are made of. */
const BASE: readonly CallColumn[] = ['started_at', 'id', 'trace_id', 'op_name']

/** The same as SQL, without what every list reads. */
export function lineColumns(options: LineOptions): Sql[] {
  return lineColumnNames(options)
    .filter((name) => !BASE.includes(name))
    .map(ident)
}

/** A column `width`: about the bytes of a line, or more. The engine reads the lengths of texts alone for it. */
export function lineWidth(options: LineOptions): Sql {
  const names: readonly CallColumn[] = lineColumnNames(options)
  const widths = CALL_COLUMNS.flatMap(({ name, wide }) =>
    wide && names.includes(name) ? [sql`${bind.uint(wide)} * length(${ident(name)})`] : [],
  )
  return sql`${join([sql`1000`, ...widths], sql` + `)} AS width`
}
