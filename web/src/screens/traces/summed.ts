/** An order by what whole traces used. Pure. */
import type { Usage } from '../../api/calls'
import type { Call } from '../../api/client'
import { SUMMED } from './columns'
import type { TracesSearch } from './search'

/** How many of the newest traces are read to be sorted: their usage is summed up a page at a time. */
export const MOST_SUMMED = 1_000

export const isSummed = ({ sort = '' }: TracesSearch): boolean => SUMMED.has(sort.replace(/^-/, ''))

/** Sorted as the address says; those of which nothing is known come last. */
export function bySum(
  calls: readonly Call[],
  usage: ReadonlyMap<string, Usage>,
  { sort = '' }: TracesSearch,
): readonly Call[] {
  const isDown = sort.startsWith('-')
  const field = sort.endsWith('cost') ? 'cost' : 'tokens'
  const last = isDown ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const of = ({ id }: Call) => usage.get(id)?.[field] ?? last
  return calls.toSorted((a, b) => {
    const [left, right] = isDown ? [of(b), of(a)] : [of(a), of(b)]
    return left === right ? 0 : left - right
  })
}
