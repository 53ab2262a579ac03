/** What the address of a comparison holds. Pure. */
import { textOf, textsOf } from '../../app/search-text'

/** How the runs after the first one changed a row. */
export type Change = 'improved' | 'regressed' | 'same' | 'crashed'

export const CHANGES: Readonly<Record<Change, string>> = {
  improved: 'improved',
  regressed: 'regressed',
  same: 'the same',
  crashed: 'crashed',
}

export interface CompareSearch {
  /** ids of runs; the first is what the others are compared with */
  runs?: string | undefined
  /** the score that rows are sorted by */
  by?: string | undefined
  /** of these scores, less is better */
  lower?: string | undefined
  /** only rows that changed so */
  change?: Change | undefined
  /** the first two runs, row by row */
  pair?: true | undefined
}

export const MOST_RUNS = 8

export function readCompareSearch(given: Record<string, unknown>): CompareSearch {
  return {
    ...(runsIn(given).length > 0 && { runs: runsIn(given).slice(0, MOST_RUNS).join(',') }),
    ...textsOf(given, ['by', 'lower']),
    ...changeIn(given),
    ...((given.pair === true || given.pair === 'true') && { pair: true as const }),
  }
}

/** Also as earlier links name it. */
function changeIn({ change, worse }: Record<string, unknown>): Pick<CompareSearch, 'change'> {
  if (worse === true || worse === 'true') return { change: 'regressed' }
  return typeof change === 'string' && Object.hasOwn(CHANGES, change) ? { change: change as Change } : {}
}

/** Also as the links of other pages name them: a list. */
function runsIn({ runs, evaluationCallIds }: Record<string, unknown>): string[] {
  const found = runs ?? evaluationCallIds
  if (Array.isArray(found)) return found.flatMap((id) => textOf(id) ?? [])
  return (textOf(found) ?? '').split(',').filter((id) => id !== '')
}

/** What the address of the list of runs holds. */
export interface RunsSearch {
  /** the evaluation whose runs are shown, by its name */
  of?: string | undefined
}

export const readRunsSearch = (given: Record<string, unknown>): RunsSearch => textsOf(given, ['of'])
