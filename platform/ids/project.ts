/**
 * A project's two names: `entity/project` on the wire, and the opaque internal id that leads every sorting key. The
 * internal id is derived from the name, so no process needs another to look it up. What is called `project` in the code is
 * the name unless it says otherwise, and `projectId` the id.
 */
import { createHash } from 'node:crypto'
import { Lru } from '../lru/lru.js'

/**
 * The source of a regular expression for an entity or a project in it: words with single spaces between, no slashes.
 * @param without more characters to exclude, in character-class syntax
 */
export function namePattern(without = ''): string {
  const word = `[^/\\s${without}]+`
  return `${word}(?: ${word})*`
}

// A lone surrogate has no UTF-8 form, so two names with one could share an internal id.
const PART = namePattern('\\p{Cc}\\p{Cs}')
const NAME = new RegExp(`^${PART}/${PART}$`, 'u')
const cache = new Lru<string>(100_000)
const nameOf = new Lru<string>(100_000)

/**
 * True if `name` is `entity/project`: exactly one slash, no empty part, no control characters, no white space but
 * single spaces between words, at most 256 characters.
 */
export function isProjectName(name: string): boolean {
  return name.length <= 256 && NAME.test(name)
}

/**
 * The internal id of the project called `name` (`entity/project`): 24 hex characters, stable for ever. It has no slash,
 * so it can be part of an internal ref.
 */
export function projectIdOf(name: string): string {
  let id = cache.get(name)
  if (id === undefined) {
    id = createHash('sha256').update('heddle project ').update(name).digest('hex').slice(0, 24)
    cache.set(name, id)
    nameOf.set(id, name)
  }
  return id
}

/** The name of the project with this internal id, if this process has come across the name; see `ProjectRegister`. */
export function projectNameOf(id: string): string | undefined {
  return nameOf.get(id)
}
