/** Views of the traces: the SDKs' `SavedView` objects as addresses of the page, and the page as such an object. Pure. */
import { FIELDS } from '../../../../domain/calls/listed-fields'
import { equals, type Schemas } from '../../api/client'
import { columnOf } from './columns'
import type { Expr } from './language'
import { print } from './language-print'
import { columnIdsOf, definitionOf, readSearch, sortOf, type TracesSearch } from './search'

/** As far as a page needs it. */
export interface View {
  label?: string
  view_type?: string
  /** the address that it was saved at, of views of this page */
  description?: string | null
  definition?: {
    filter?: Schemas['CallsFilterInput'] | null
    query?: { $expr: Expr } | null
    columns?: { path?: (string | number)[] | null }[] | null
    cols?: Record<string, boolean> | null
    sort_by?: Schemas['SortBy'][] | null
  }
}

/** Columns of this page by the paths that SDKs name them with. */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FIELDS.flatMap(({ id, path, reads }) => (path && reads ? [[path, id]] : []))),
  ...{ op_name: 'name', display_name: 'name' },
}

/** Fields by the filters that are lists of their values. */
const FILTERED: Readonly<Record<string, string>> = {
  call_ids: 'id',
  trace_ids: 'trace_id',
  parent_ids: 'parent_id',
  thread_ids: 'thread_id',
  turn_ids: 'turn_id',
  wb_user_ids: 'wb_user_id',
  wb_run_ids: 'wb_run_id',
}

/** Where a view is shown. @throws Error for a condition that the page has no words for */
export function searchOfView({ description, definition = {} }: View): TracesSearch {
  const own = ownSearch(description)
  if (own) return own
  const { filter, query, sort_by: [sort] = [] } = withoutNull(definition)
  const conditions = [...filterExprs(filter ?? {}), ...(query ? [query.$expr] : [])]
  const cols = columnsOf(definition)
  return {
    ...(conditions.length > 0 && { q: conditions.map((one) => print({ $and: [one] })).join(' ') }),
    ...(sort && { sort: sort.direction === 'desc' ? `-${sort.field}` : sort.field }),
    ...(cols.length > 0 && { cols: cols.join(',') }),
    ...(filter?.trace_roots_only !== true && { all: true }),
  }
}

type Definition = NonNullable<View['definition']>

const withoutNull = (definition: Definition) =>
  Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null)) as {
    [Key in keyof Definition]: NonNullable<Definition[Key]>
  }

/** The address in a description; undefined: another program wrote it, for people. */
function ownSearch(description: string | null | undefined): TracesSearch | undefined {
  try {
    const found: unknown = JSON.parse(description ?? '')
    return typeof found === 'object' && found !== null
      ? readSearch(found as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function filterExprs({ op_names: ops, ...filter }: Partial<Schemas['CallsFilterInput']>): Expr[] {
  const lists = Object.entries(filter).flatMap(([name, values]) => {
    const field = FILTERED[name]
    if (field === undefined || !Array.isArray(values) || values.length === 0) return []
    return [oneOf(values.map((value) => equals(field, value)))]
  })
  return ops?.length ? [oneOf(ops.map(opExpr)), ...lists] : lists
}

/** `weave:///acme/one/op/ask:*` is any version of the op. */
const opExpr = (ref: string): Expr =>
  ref.endsWith(':*')
    ? { $contains: { input: { $getField: 'op_name' }, substr: { $literal: ref.slice(0, -1) } } }
    : equals('op_name', ref)

const oneOf = (all: Expr[]): Expr => (all.length === 1 ? all[0]! : { $or: all })

function columnsOf({ columns, cols }: Definition): string[] {
  const paths =
    columns?.map(({ path }) => (path ?? []).join('.')) ??
    Object.entries(cols ?? {}).flatMap(([id, isShown]) => (isShown ? id : []))
  const ids = paths.map((path) => COLUMN_NAMES[path] ?? path)
  return [...new Set(ids)].filter((id) => columnOf(id) !== undefined)
}

/** The object that keeps a view of this page; SDKs read it, too. */
export const viewOf = (label: string, search: TracesSearch) => ({
  view_type: 'traces',
  label,
  description: JSON.stringify(search),
  definition: {
    ...definitionOf(search),
    sort_by: sortOf(search),
    cols: Object.fromEntries(columnIdsOf(search).map((id) => [id, true])),
  },
})
