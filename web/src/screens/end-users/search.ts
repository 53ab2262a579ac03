/** What the address of the list of end users holds, and the request that it makes. Pure. */
import type { Schemas } from '../../api/client'
import { textsOf } from '../../app/search-text'
import { RANGES } from '../../ui/ranges'

export interface EndUsersSearch {
  q?: string | undefined
  sort?: string | undefined
  /** a length of time until now, as in `RANGES`, or ANY_TIME; absent: the usual one */
  range?: string | undefined
}

export const ANY_TIME = 'any'
/** Who calls are for is read out of their attributes, so those of all time are looked at only if somebody asks. */
export const USUAL_RANGE = '30d'

type Field = NonNullable<Schemas['EndUsersSortBy']['field']>

/** Each with the largest first, but the name. */
export const SORTS: readonly (readonly [Field, string])[] = [
  ['last_seen', 'Last seen'],
  ['first_seen', 'New first'],
  ['thread_count', 'Most threads'],
  ['call_count', 'Most calls'],
  ['error_count', 'Most errors'],
  ['total_tokens', 'Most tokens'],
  ['total_cost', 'Highest cost'],
  ['end_user', 'Name'],
]

export function readEndUsersSearch({ sort, range, ...given }: Record<string, unknown>): EndUsersSearch {
  return {
    ...textsOf(given, ['q']),
    ...(SORTS.some(([field]) => field === sort) && { sort: String(sort) }),
    ...(typeof range === 'string' && (range === ANY_TIME || Object.hasOwn(RANGES, range)) && { range }),
  }
}

/** @param now ms since the epoch */
export function requestOf(
  { q = '', sort = 'last_seen', range }: EndUsersSearch,
  now: number,
): Omit<Schemas['EndUsersQueryReq'], 'project_id'> {
  const length = RANGES[range ?? USUAL_RANGE]
  return {
    text: q.trim(),
    sort_by: [{ field: sort as Field, direction: sort === 'end_user' ? 'asc' : 'desc' }],
    ...(length !== undefined && { started_after: new Date(now - length).toISOString() }),
  }
}
