/** How the text of a filter may go on: fields, and behind a field the values that the calls at hand have. Pure. */
import type { Call } from '../../api/client'
import { pathsIn, preview, valueAt } from './columns'
import { ALIASES, LABELS, type Operator, printCondition } from './language'

const MOST = 50
const READ = 200
const STATUSES = ['error', 'running', 'success', 'descendant_error']

export const fieldsIn = (calls: readonly Call[]): string[] => [
  ...Object.keys(ALIASES),
  ...LABELS,
  ...pathsIn(calls),
]

export function valuesIn(calls: readonly Call[], field: string): string[] {
  if (field === 'status') return STATUSES
  const path = ALIASES[field] ?? field
  const found = calls.slice(0, READ).map((call) => preview(valueAt(call, path), 100))
  return [...new Set(found)].filter(Boolean).slice(0, MOST)
}

/** Whole texts, each with one more field or value. */
export function completionsOf(text: string, calls: readonly Call[]): string[] {
  // Inside quotation marks nothing is known.
  if (text.split('"').length % 2 === 0) return []
  const [, before = '', word = ''] = /^(.*?)([^\s()"]*)$/s.exec(text) ?? []
  const [, field, operator = '', begun = ''] = /^-?([^:!=~<>]+)(!=|!~|>=|<=|[:=~<>])(.*)$/.exec(word) ?? []
  const has = (one: string, part: string) => one.toLowerCase().includes(part.toLowerCase())
  const ends =
    field === undefined
      ? fieldsIn(calls)
          .filter((one) => has(one, word))
          .map((one) => `${one}:`)
      : valuesIn(calls, field)
          .filter((one) => has(one, begun))
          .map((one) => printCondition(field, operator as Operator, one))
  return ends.slice(0, MOST).map((end) => before + end)
}
