/**
 * JSON objects as the texts of their members, to add, replace or remove a member while the others stay byte for byte
 * the same, however large.
 */
import { rawFields } from './fields.js'

/**
 * The members of the object `text`, by name, as texts; none if it is another value, or ''.
 * @throws JsonError if it isn't JSON
 */
export function membersOf(text: string): Map<string, string> {
  if (text === '') return new Map()
  const buf = Buffer.from(text)
  const fields = rawFields(buf) ?? new Map<string, never>()
  return new Map([...fields].map(([name, { from, to }]) => [name, buf.toString('utf8', from, to)]))
}

/** The text of an object with these members. */
export function objectText(members: ReadonlyMap<string, string>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}
