/**
 * Refs inside values: on the wire they name a project (`weave:///entity/project/…`), stored and hashed they hold its
 * internal id (`weave-trace-internal:///<id>/…`). Only strings that are a ref as a whole change. Whether what a ref
 * points at exists is nobody's business here.
 */

import { projectPart } from '../../contract/ref.js'
import { isProjectName, projectIdOf } from '../../platform/ids/project.js'
import { type JsonTree, mapStrings } from '../../platform/json/tree.js'

const EXTERNAL = 'weave:///'
const INTERNAL = 'weave-trace-internal:///'

/**
 * The same value with every ref in its internal form; what only looks like a ref stays as it is.
 * @param seen told the `entity/project` of each ref, which has to be stored for the way back
 */
export function refsToInternal(value: JsonTree, seen?: (project: string) => void): JsonTree {
  return mapStrings(value, (text) => refToInternal(text, seen))
}

/**
 * The same value with every ref in its wire form.
 * @param nameOf `entity/project` of an internal id, or undefined (unknown, or not for this caller): the ref stays
 */
export function refsToExternal(value: JsonTree, nameOf: (id: string) => string | undefined): JsonTree {
  return mapStrings(value, (text) => refToExternal(text, nameOf))
}

/** One string: its internal form if it is a ref of a project, else the string itself. */
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

/** One string: its wire form if it is an internal ref whose project `nameOf` knows, else the string itself. */
export function refToExternal(text: string, nameOf: (id: string) => string | undefined): string {
  if (!text.startsWith(INTERNAL)) return text
  const rest = text.indexOf('/', INTERNAL.length)
  if (rest < 0) return text
  const project = nameOf(text.slice(INTERNAL.length, rest))
  return project === undefined ? text : `${EXTERNAL}${projectPart(project)}${text.slice(rest)}`
}

/** `entity/project` with the percent escapes of each part read; as it is if they can't be. */
function decodedName(name: string): string {
  if (!name.includes('%')) return name
  try {
    const parts = name.split('/').map(decodeURIComponent)
    return parts.some((part) => part.includes('/')) ? name : parts.join('/')
  } catch {
    return name
  }
}
