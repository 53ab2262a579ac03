/** How the text of a filter may go on: fields, and behind a field its values. Pure. */
import { FIELDS, fieldNamed, pathOf } from '../../../../domain/calls/listed-fields'
import type { Call } from '../../api/client'
import { pathsIn, preview, valueAt } from './columns'
import { type Operator, printCondition } from './language'

const MOST = 50
const READ = 200
/** A condition that is longer is not completed: to find its beginning would take time. */
const LONGEST = 500

/** Fields by the names that are offered, with what they are. */
const NAMED = FIELDS.flatMap(({ names: [name], title, path }) => (path ? [{ name, title }] : []))

export const fieldsIn = (calls: readonly Call[]): string[] => [
  ...NAMED.map(({ name }) => name),
  ...pathsIn(calls),
]

/** Texts are worth a list, or what nothing is known of; of numbers and times hardly two are the same. */
export const hasValues = (field: string): boolean => ['text', undefined].includes(fieldNamed(field)?.type)

/** The values that a field can have, or has in these calls. */
export function valuesIn(calls: readonly Call[], field: string): string[] {
  const { values } = fieldNamed(field) ?? {}
  if (values) return [...values]
  if (!hasValues(field)) return []
  const path = pathOf(field)
  if (path === undefined) return []
  const found = calls.slice(0, READ).map((call) => preview(valueAt(call, path), 100))
  return [...new Set(found)].filter(Boolean).slice(0, MOST)
}

/** Where somebody types: a field, or the value of one. `from` is where what is typed of it begins. */
export type Place =
  | { kind: 'field'; from: number; begun: string }
  | { kind: 'value'; from: number; begun: string; field: string; operator: Operator }

/** @param before the text up to the cursor; undefined: inside a text that is searched for */
export function placeAt(before: string): Place | undefined {
  const end = before.slice(-LONGEST)
  const value = /([^\s()":!=~<>]+)(!=|!~|>=|<=|[:=~<>])("(?:[^"\\]|\\.)*|[^\s()"]*)$/.exec(end)
  if (value !== null && isOutside(before.slice(0, before.length - end.length + value.index))) {
    const [, field = '', operator = '', begun = ''] = value
    return {
      ...{ kind: 'value', from: before.length - begun.length, begun: begun.replace(/^"/, '') },
      ...{ field: field.replace(/^-/, ''), operator: (operator === '=' ? ':' : operator) as Operator },
    }
  }
  if (!isOutside(before)) return undefined
  const [begun = ''] = /[^\s()":!=~<>-][^\s()":!=~<>]*$/.exec(end) ?? []
  return { kind: 'field', from: before.length - begun.length, begun }
}

/** Whether no quotation mark is open at the end. */
const isOutside = (text: string): boolean => text.replaceAll(/\\./gs, '').split('"').length % 2 === 1

export interface Completion {
  /** what is put in the place of what was begun */
  text: string
  label: string
  /** what it is */
  about?: string
}

const has = (one: string, part: string) => one.toLowerCase().includes(part.toLowerCase())

/** Fields that may be meant: those of the list, and paths into the calls. */
export function fieldCompletions(begun: string, calls: readonly Call[]): Completion[] {
  const named = NAMED.filter(({ name, title }) => has(name, begun) || has(title, begun)).map(
    ({ name, title }) => ({ text: `${name}:`, label: name, about: title }),
  )
  const paths = pathsIn(calls)
    .filter((path) => has(path, begun))
    .map((path) => ({ text: `${path}:`, label: path }))
  return [...named, ...paths].slice(0, MOST)
}

/** Values that may be meant. @param counted how many calls have which, if that is known */
export function valueCompletions(
  { begun, operator }: Extract<Place, { kind: 'value' }>,
  values: readonly string[],
  counted: ReadonlyMap<string, number> = new Map(),
): Completion[] {
  return [...new Set([...counted.keys(), ...values])]
    .filter((one) => has(one, begun))
    .slice(0, MOST)
    .map((one) => {
      const count = counted.get(one)
      return {
        ...{ text: printCondition('', operator, one).slice(operator.length), label: one },
        ...(count !== undefined && { about: String(count) }),
      }
    })
}
