/** How names of a request become ids of objects, and what an op is called. Pure. */

/** What an object id may hold. */
const NOT_ALLOWED = /[^\p{L}\p{N}_.-]/gu

/**
 * The id of the object called `name`: lower case, `_` for white space and `/`, without what no id may have.
 * @param fallback where there is no name, or nothing of it is left
 */
export function objectIdOf(name: string | null, fallback: string): string {
  const id = (name ?? '').toLowerCase().replace(/[\s/]/g, '_').replace(NOT_ALLOWED, '')
  return id === '' ? fallback : id
}

/** The name in the ref of an op or object, decoded; a plain name is itself. */
export function shortName(op: string): string {
  if (!op.startsWith('weave:///')) return op
  const name = /\/(?:op|object)\/([^/:]+):/.exec(op)?.[1]
  if (name === undefined) return op
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
