/** What is chosen beside the list, read from the text of the filter and written into it. Pure. */
import { FIELDS, type ListedField } from '../../../../domain/calls/listed-fields'
import { type Conjunct, compile, conjunctsOf, type Expr, type Plain, printTerm } from './language'

/** A value of a call; null: it has none. */
export type FacetValue = string | null

/** What calls must be, any of it, and what they must not be. */
export interface Choice {
  included: readonly FacetValue[]
  excluded: readonly FacetValue[]
}

/** `to` is exclusive. */
export interface Limits {
  from?: number | undefined
  to?: number | undefined
}

export const FACETS: readonly (ListedField & { path: string })[] = FIELDS.flatMap((field) =>
  field.facet && field.path ? { ...field, path: field.path } : [],
)

type Node = Record<string, unknown>

/** The field and the value of a comparison. */
function comparison(expr: Expr, name: string): { path: unknown; value: unknown } | undefined {
  const pair = (expr as Node)[name] as [Node, Node] | undefined
  return pair && { path: pair[0].$getField, value: pair[1].$literal }
}

/** The value that the field must be equal to. */
function equalTo(expr: Expr, path: string): FacetValue | undefined {
  const found = comparison(expr, '$eq')
  if (found?.path !== path) return undefined
  const { value } = found
  return value === null || typeof value === 'string'
    ? value
    : ['number', 'boolean'].includes(typeof value)
      ? String(value)
      : undefined
}

/** What a part of the filter chooses of a field; undefined: it is about something else, or in other words. */
function choiceIn(expr: Expr, path: string): Choice | undefined {
  const node = expr as Node
  const one = equalTo(expr, path)
  if (one !== undefined) return { included: [one], excluded: [] }
  if (node.$or) {
    const all = (node.$or as Expr[]).map((inner) => equalTo(inner, path))
    return all.includes(undefined) ? undefined : { included: all as FacetValue[], excluded: [] }
  }
  if (!node.$not) return undefined
  const not = equalTo((node.$not as [Expr])[0], path)
  return not === undefined ? undefined : { included: [], excluded: [not] }
}

function limitsIn(expr: Expr, path: string): Limits | undefined {
  const [least, most] = [comparison(expr, '$gte'), comparison(expr, '$lt')]
  if (least?.path === path && typeof least.value === 'number') return { from: least.value }
  if (most?.path === path && typeof most.value === 'number') return { to: most.value }
  return undefined
}

const isOf = ({ expr }: Conjunct, path: string) =>
  choiceIn(expr, path) !== undefined || limitsIn(expr, path) !== undefined

/** @throws LanguageError */
export function choiceOf(text: string, path: string): Choice {
  const all = conjunctsOf(text).flatMap(({ expr }) => choiceIn(expr, path) ?? [])
  return {
    included: [...new Set(all.flatMap(({ included }) => included))],
    excluded: [...new Set(all.flatMap(({ excluded }) => excluded))],
  }
}

/** @throws LanguageError */
export function limitsOf(text: string, path: string): Limits {
  const all = conjunctsOf(text).flatMap(({ expr }) => limitsIn(expr, path) ?? [])
  const from = all.flatMap((one) => one.from ?? [])
  const to = all.flatMap((one) => one.to ?? [])
  return {
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(to.length > 0 && { to: Math.min(...to) }),
  }
}

/** The filter without what is chosen of a field. @throws LanguageError */
export const without = (text: string, path: string): string =>
  conjunctsOf(text)
    .filter((one) => !isOf(one, path))
    .map((one) => one.text)
    .join(' ')

/** The condition on the calls that a facet counts. @throws LanguageError */
export const othersOf = (text: string, path: string): Expr | undefined => compile(without(text, path))

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ')

/** The filter with this choice of a field instead of what it said of it. @throws LanguageError */
export function withChoice(text: string, path: string, { included, excluded }: Choice): string {
  const some = included.map((value) => printTerm(path, ':', value))
  const any = some.length > 1 ? `(${some.join(' or ')})` : (some[0] ?? '')
  return joined(without(text, path), any, ...excluded.map((value) => printTerm(path, '!=', value)))
}

/** @throws LanguageError */
export function withLimits(text: string, path: string, { from, to }: Limits): string {
  const term = (operator: '>=' | '<', value: Plain | undefined) =>
    value === undefined ? '' : printTerm(path, operator, value)
  return joined(without(text, path), term('>=', from), term('<', to))
}

/** The filter after a value was chosen, or is no longer. @throws LanguageError */
export function toggled(
  text: string,
  path: string,
  value: FacetValue,
  which: 'included' | 'excluded',
): string {
  const choice = choiceOf(text, path)
  const others = (list: readonly FacetValue[]) => list.filter((one) => one !== value)
  const left = { included: others(choice.included), excluded: others(choice.excluded) }
  if (choice[which].includes(value)) return withChoice(text, path, left)
  return withChoice(text, path, { ...left, [which]: [...left[which], value] })
}
