/** What the address of the list of threads holds, and the request that it makes. Pure. */
import type { Schemas } from '../../api/client'
import { textsOf } from '../../app/search-text'
import { RANGES } from '../../ui/ranges'

export interface ThreadsSearch {
  /** a text that somebody said, or part of an id */
  q?: string | undefined
  sort?: string | undefined
  /** an end user */
  user?: string | undefined
  /** only threads in which a call failed */
  failed?: true | undefined
  /** a length of time until now, as in `RANGES`; absent: any time */
  range?: string | undefined
}

type Field = NonNullable<Schemas['ThreadsSortBy']['field']>

/** Each with the largest first. */
export const SORTS: readonly (readonly [Field, string])[] = [
  ['last_updated', 'Last active'],
  ['start_time', 'Began last'],
  ['turn_count', 'Most turns'],
  ['error_count', 'Most errors'],
  ['total_tokens', 'Most tokens'],
  ['total_cost', 'Highest cost'],
  ['p99_turn_duration_ms', 'Slowest'],
  ['end_user', 'End user'],
]

export function readThreadsSearch({ sort, failed, range, ...given }: Record<string, unknown>): ThreadsSearch {
  return {
    ...(SORTS.some(([field]) => field === sort) && { sort: String(sort) }),
    ...textsOf(given, ['q', 'user']),
    ...(failed === true && { failed }),
    ...(typeof range === 'string' && Object.hasOwn(RANGES, range) && { range }),
  }
}

type Query = Schemas['Query']

const field = (name: string) => ({ $getField: name })
const contains = (name: string, text: string) => ({
  $contains: { input: field(name), substr: { $literal: text }, case_insensitive: true },
})
const equals = (name: string, text: string) => ({ $eq: [field(name), { $literal: text }] })

/** @param now ms since the epoch */
export function requestOf(
  { q = '', sort = 'last_updated', user, failed, range }: ThreadsSearch,
  now: number,
): Omit<Schemas['ThreadsListReq'], 'project_id'> {
  const said = q.trim()
  const met: object[] = [
    ...(said === '' ? [] : [{ $or: ['inputs', 'output', 'thread_id'].map((name) => contains(name, said)) }]),
    ...(user === undefined ? [] : [equals('end_user', user)]),
    ...(failed ? [{ $not: [equals('exception', '')] }] : []),
  ]
  const length = RANGES[range ?? '']
  return {
    with_calls: met.map(($expr) => ({ $expr }) as Query),
    sort_by: [{ field: sort as Field, direction: sort === 'end_user' ? 'asc' : 'desc' }],
    ...(length !== undefined && { started_after: new Date(now - length).toISOString() }),
  }
}
