/** What an annotation's specification asks, as a field of a form. Pure. */
import { isFields } from '../../ui/parsed'

export type Field = { ref: string; name: string; title: string; about: string } & (
  | { kind: 'choice'; options: readonly (string | number | boolean)[] }
  | { kind: 'number'; isInteger: boolean; min: number | undefined; max: number | undefined }
  | { kind: 'text' }
)

/** Few whole numbers are chosen rather than typed. */
const MOST_CHOICES = 10

/** @param value of the specification's object; undefined: it is none that a form can ask */
export function fieldOf(ref: string, value: unknown): Field | undefined {
  const name = /\/object\/([^/:]+):/.exec(ref)?.[1]
  if (name === undefined || !isFields(value)) return undefined
  const schema = isFields(value.field_schema) ? value.field_schema : {}
  const text = (given: unknown) => (typeof given === 'string' ? given : '')
  const base = {
    ref,
    name: decodeURIComponent(name),
    title: text(value.name) || decodeURIComponent(name),
    about: text(value.description),
  }
  const { type } = schema
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
    return { ...base, kind: 'choice', options: options as string[] }
  }
  if (type === 'boolean') return { ...base, kind: 'choice', options: [true, false] }
  if (type === 'integer' || type === 'number') {
    const bound = (given: unknown) => (typeof given === 'number' ? given : undefined)
    const [min, max] = [bound(schema.minimum), bound(schema.maximum)]
    if (type === 'integer' && min !== undefined && max !== undefined && max - min < MOST_CHOICES)
      return { ...base, kind: 'choice', options: Array.from({ length: max - min + 1 }, (_, i) => min + i) }
    return { ...base, kind: 'number', isInteger: type === 'integer', min, max }
  }
  return { ...base, kind: 'text' }
}

export const optionText = (option: string | number | boolean): string =>
  option === true ? 'Yes' : option === false ? 'No' : String(option)

/** Kinds of questions that the page can make. */
export const QUESTIONS = {
  'yes or no': () => ({ type: 'boolean' }),
  '1 to 5': () => ({ type: 'integer', minimum: 1, maximum: 5 }),
  text: () => ({ type: 'string', maxLength: 10_000 }),
  'one of': (options: readonly string[]) => ({ type: 'string', enum: options }),
} as const
export type Question = keyof typeof QUESTIONS

/** The place of the next item that nobody is done with, after `at` and around the end; undefined: there is none. */
export function nextOpen(states: readonly string[], at: number): number | undefined {
  const order = states.map((_, i) => (at + 1 + i) % states.length)
  return order.find((i) => !['completed', 'skipped'].includes(states[i]!))
}
