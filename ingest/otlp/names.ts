/** Names of calls, cut to what may be stored. Lengths are in characters. */
import { DISPLAY_NAME_LIMIT } from '../../contract/limits.js'

/** A display name: one of 1024 characters or more ends in `...`. */
export function displayNameOf(name: string): string {
  if (name.length < DISPLAY_NAME_LIMIT) return name
  const characters = [...name]
  return characters.length < DISPLAY_NAME_LIMIT
    ? name
    : `${characters.slice(0, DISPLAY_NAME_LIMIT - 3).join('')}...`
}
