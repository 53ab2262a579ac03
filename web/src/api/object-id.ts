/** The name of an object that a person named by any text. Pure. */

/** The longest that pages make; the service takes a few more. */
const MOST = 100

/** The pattern of a field for such a text: a letter or a digit of any script, or `_`. */
export const NAME_PATTERN = '.*[\\p{L}\\p{N}_].*'

/** Letters and digits of any script, `_` and `.`, with `-` between; empty where `name` has none. */
export function objectIdOf(name: string): string {
  const id = name.replaceAll(/[^\p{L}\p{N}_.]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return [...id].slice(0, MOST).join('')
}

/**
 * The id of a new object. @param what it is, such as "dashboard" @param there those of its kind
 * @throws Error that says to choose another name
 */
export function newObjectId(what: string, name: string, there: readonly { object_id: string }[]): string {
  const id = objectIdOf(name)
  if (id === '') throw new Error('Choose a name with a letter or a digit.')
  if (there.some(({ object_id: other }) => other === id))
    throw new Error(`A ${what} of this name, or nearly so, is there already. Choose another name.`)
  return id
}
