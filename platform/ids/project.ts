/**
 * A project's two names: `entity/project` on the wire, and the opaque internal id that leads every sorting key.
 * The internal id is derived, so no process has to ask another for it. Knows nothing of storage.
 */
import { createHash } from 'node:crypto'
import { Lru } from '../lru/lru.js'

/**
 * The source of a pattern for an entity, or a project within it: words with single spaces between them, without slashes.
 * @param without what else may not be in them, as it is written in a class of characters
 */
export function namePattern(without = ''): string {
  const word = `[^/\\s${without}]+`
  return `${word}(?: ${word})*`
}

// Half a surrogate pair has no UTF-8, so two names with one would have the same internal id.
const PART = namePattern('\\p{Cc}\\p{Cs}')
const NAME = new RegExp(`^${PART}/${PART}$`, 'u')
const cache = new Lru<string>(100_000)

/**
 * True if `name` is `entity/project`: exactly one slash, nothing empty, no control character, no white space but single spaces
 * between words, at most 256 characters.
 */
export function isProjectName(name: string): boolean {
  return name.length <= 256 && NAME.test(name)
}

/**
 * The internal id of the project called `name` (`entity/project`): 24 hex characters, stable for ever.
 * It has no slash, so it can stand in an internal ref.
 */
export function projectIdOf(name: string): string {
  let id = cache.get(name)
  if (id === undefined) {
    id = createHash('sha256').update('heddle project ').update(name).digest('hex').slice(0, 24)
    cache.set(name, id)
  }
  return id
}
