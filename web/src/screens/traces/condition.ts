/** Which calls a rule or a monitor is about, as a form holds it: in the language of the traces, or as JSON. Pure. */
import type { Schemas } from '../../api/client'
import { indented } from '../../ui/parsed'
import { compile } from './language'
import { print } from './language-print'

export type Query = Schemas['Query']

/** Which of the calls. */
export interface Where {
  /** as it was saved */
  query: Query | null
  /** in the language of the traces, or as JSON, where that has no words for it; empty: all */
  where: string
  percent: number | null
}

interface Which {
  query: Query | null
  sampling_rate: number
}

/** What is saved, as the form holds it. */
export const whereIn = ({ query, sampling_rate: rate }: Which): Where => ({
  ...{ query, where: whereOf(query) },
  percent: Number((rate * 100).toPrecision(12)),
})

/** What the form holds, as it is saved; undefined: the share is missing, or the text is no condition. */
export function savedWhere(draft: Where): Which | undefined {
  if (draft.percent === null) return undefined
  try {
    return { query: queryOf(draft), sampling_rate: Number((draft.percent / 100).toPrecision(12)) }
  } catch {
    return undefined
  }
}

/** A condition as a text; empty: none. */
export function whereOf(query: Query | null): string {
  if (query === null) return ''
  try {
    return print(query.$expr)
  } catch {
    return indented(query)
  }
}

/** What is wrong with a condition; undefined: nothing. */
export function whereProblem(where: string): string | undefined {
  try {
    queryOf({ query: null, where })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** @throws Error for a text that is no condition */
function queryOf({ query, where }: Pick<Where, 'query' | 'where'>): Query | null {
  if (where === whereOf(query)) return query
  if (where.trimStart().startsWith('{')) {
    const found = JSON.parse(where) as Partial<Query>
    if (found.$expr === undefined) throw new Error('A condition as JSON has one member: $expr.')
    return found as Query
  }
  const $expr = compile(where)
  return $expr === undefined ? null : { $expr }
}
