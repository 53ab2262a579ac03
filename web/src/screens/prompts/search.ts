/** What the address of the list of prompts holds, and the order that it asks for. Pure. */
import type { PromptUse } from '../../api/prompts'
import { textOf, textsOf } from '../../app/search-text'

export interface PromptsSearch {
  q?: string | undefined
  sort?: string | undefined
  /** how far back uses are counted */
  days?: number | undefined
}

export const DAYS: readonly number[] = [1, 7, 30]

/** The first is what is shown if nothing is asked for. */
export const SORTS = [
  ['cost', 'Highest cost'],
  ['calls', 'Most calls'],
  ['errors', 'Most errors'],
  ['saved', 'Saved last'],
] as const

export function readPromptsSearch({ sort, days, ...given }: Record<string, unknown>): PromptsSearch {
  const length = Number(textOf(days))
  return {
    ...textsOf(given, ['q']),
    ...(SORTS.some(([one]) => one === sort) && { sort: String(sort) }),
    ...(DAYS.includes(length) && { days: length }),
  }
}

/** Those of which more is known first; else they stay in their order. */
export function sorted<Row extends { use?: PromptUse }>(rows: readonly Row[], sort: string): readonly Row[] {
  if (sort === 'saved') return rows
  const size = ({ use }: Row): number =>
    (sort === 'calls' ? use?.calls : sort === 'errors' ? use?.errors : use?.cost) ?? -1
  return rows.toSorted((a, b) => size(b) - size(a))
}
