/**
 * Converts refs in values: on the wire they name a project (`weave:///entity/project/…`), stored and hashed they
 * contain its internal id (`weave-trace-internal:///<id>/…`). Only strings that are entirely a ref change. Does not
 * check that a ref's target exists.
 */

import { projectPart } from '../../contract/ref.js'
import { isProjectName, projectIdOf } from '../../platform/ids/project.js'
import { type JsonTree, mapStrings } from '../../platform/json/tree.js'

const EXTERNAL = 'weave:///'
const INTERNAL = 'weave-trace-internal:///'

/**
 * The same value with every ref in its internal form; strings that only look like a ref stay unchanged.
 * @param seen called with the `entity/project` of each ref, so that the caller can store it
 */
export function refsToInternal(value: JsonTree, seen?: (project: string) => void): JsonTree {
  return mapStrings(value, (text) => refToInternal(text, seen))
}

/**
 * The same value with every ref in its wire form.
 * @param nameOf `entity/project` of an internal id; undefined (unknown, or not for this caller) keeps the ref
 */
export function refsToExternal(value: JsonTree, nameOf: (id: string) => string | undefined): JsonTree {
  return mapStrings(value, (text) => refToExternal(text, nameOf))
}

/** The internal form of a ref to a project; other strings unchanged. */
export function refToInternal(text: string, seen?: (project: string) => void): string {
  if (!text.startsWith(EXTERNAL)) return text
  const slash = text.indexOf('/', EXTERNAL.length)
  const rest = slash < 0 ? -1 : text.indexOf('/', slash + 1)
  if (rest < 0 || rest === text.length - 1) return text
  const project = decodedName(text.slice(EXTERNAL.length, rest))
  if (!isProjectName(project)) return text
  seen?.(project)
  return `${INTERNAL}${projectIdOf(project)}${text.slice(rest)}`
}

/** The wire form of an internal ref whose project `nameOf` knows; other strings unchanged. */
export function refToExternal(text: string, nameOf: (id: string) => string | undefined): string {
  if (!text.startsWith(INTERNAL)) return text
  const rest = text.indexOf('/', INTERNAL.length)
  if (rest < 0) return text
  const project = nameOf(text.slice(INTERNAL.length, rest))
  return project === undefined ? text : `${EXTERNAL}${projectPart(project)}${text.slice(rest)}`
}

/** `entity/project` with each part percent-decoded; unchanged if that fails. */
function decodedName(name: string): string {
  if (!name.includes('%')) return name
  try {
    const parts = name.split('/').map(decodeURIComponent)
    return parts.some((part) => part.includes('/')) ? name : parts.join('/')
  } catch {
    return name
  }
}
