/** The parts of a request's first line. Knows nothing of routes. */
import { errors } from '../errors/catalog.js'

/** A query's values by name; a list where a name comes again. */
export function queryOf(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** A part of a path as it was before it was written in one. @throws `BAD_REQUEST` (400) */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw errors.badRequest('The path has a percent sign that is not followed by two hex digits.')
  }
}
