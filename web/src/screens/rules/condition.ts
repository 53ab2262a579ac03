/** Which calls a rule is about, as a text: in the language of the traces, or as JSON. Pure. */
import { indented } from '../../ui/parsed'
import { compile } from '../traces/language'
import { print } from '../traces/language-print'
import type { Query, Where } from './draft'

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
export function queryOf({ query, where }: Pick<Where, 'query' | 'where'>): Query | null {
  if (where === whereOf(query)) return query
  if (where.trimStart().startsWith('{')) {
    const found = JSON.parse(where) as Partial<Query>
    if (found.$expr === undefined) throw new Error('A condition as JSON has one member: $expr.')
    return found as Query
  }
  const $expr = compile(where)
  return $expr === undefined ? null : { $expr }
}
