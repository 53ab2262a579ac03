/** What the address of the traces table says, and the request that it makes. Pure. */
import type { Schemas } from '../../api/client'
import { textsOf } from '../../app/search-text'
import { RANGES } from '../../ui/ranges'
import { DEFAULT_COLUMNS, SUMMED } from './columns'
import { compile, type Expr } from './language'

export interface TracesSearch {
  /** the query language */
  q?: string
  /** a length of time until now, as in `RANGES`; or none, with `from` and `to` */
  range?: string
  from?: string
  to?: string
  /** `field` or `-field` */
  sort?: string
  /** by commas */
  cols?: string
  /** the name of a view to be shown, instead of all others */
  view?: string
  /** every call, not only those that begin a trace */
  all?: boolean
  live?: boolean
  /** what is counted beside the list: the ids of the fields that are open, by commas; absent: the panel is closed */
  facets?: string
}

const TEXTS = ['q', 'from', 'to', 'sort', 'cols', 'view', 'facets'] as const

/** Takes what is known from an address. */
export function readSearch({ range, ...search }: Record<string, unknown>): TracesSearch {
  return {
    ...textsOf(search, TEXTS),
    ...(typeof range === 'string' && Object.hasOwn(RANGES, range) && { range }),
    ...(search.all === true && { all: true }),
    ...(search.live === true && { live: true }),
  }
}

/** Open when the panel is. */
export const USUAL_FACETS = ['status', 'model', 'op', 'wb_user_id', 'environment'] as const

export const facetIdsOf = ({ facets }: TracesSearch): readonly string[] =>
  facets === undefined ? [] : facets.split(',')

export const columnIdsOf = ({ cols }: TracesSearch): string[] => cols?.split(',') ?? DEFAULT_COLUMNS

export interface Span {
  /** ms since the epoch */
  from: number | undefined
  to: number | undefined
}

export function spanOf({ range, from, to }: TracesSearch, now: number): Span {
  const length = RANGES[range ?? '']
  if (length !== undefined) return { from: now - length, to: undefined }
  const time = (given: string | undefined) =>
    given === undefined || Number.isNaN(Date.parse(given)) ? undefined : Date.parse(given)
  return { from: time(from), to: time(to) }
}

export type Condition = Pick<Schemas['CallsQueryReq'], 'filter' | 'query'>

/** What selects the calls. @throws LanguageError */
export function conditionOf(search: TracesSearch, now: number): Condition {
  const { from, to = now } = spanOf(search, now)
  // What comes later would move the pages that are read one after another.
  return selected(search, { from, to })
}

/** What selects the calls at any time: a length of time until now is left out. @throws LanguageError */
export const definitionOf = ({ range: _, ...search }: TracesSearch): Condition =>
  selected(search, spanOf(search, 0))

function selected(search: TracesSearch, { from, to }: Span): Condition {
  const at = (ms: number) => ({ $literal: new Date(ms).toISOString() })
  const field = { $getField: 'started_at' }
  const conditions: Expr[] = []
  if (from !== undefined) conditions.push({ $gte: [field, at(from)] })
  if (to !== undefined) conditions.push({ $lte: [field, at(to)] })
  const asked = compile(search.q ?? '')
  if (asked !== undefined) conditions.push(asked)
  const query = conditions.length === 0 ? {} : { query: { $expr: { $and: conditions } } }
  return { filter: { trace_roots_only: search.all !== true }, ...query }
}

export function sortOf({ sort = '-started_at' }: TracesSearch): Schemas['SortBy'][] {
  const field = sort.replace(/^-/, '')
  // The page sorts the newest of them.
  if (SUMMED.has(field)) return [{ field: 'started_at', direction: 'desc' }]
  return [{ field, direction: sort.startsWith('-') ? 'desc' : 'asc' }]
}
