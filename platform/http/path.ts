/** Parses the parts of a request's first line. */
import { errors } from '../errors/catalog.js'

/** Query parameters by name; a list for a repeated name. */
export function queryOf(text: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query.get(name)
    if (Array.isArray(before)) before.push(value)
    else query.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(query)
}

/** Decodes a path segment. @throws `BAD_REQUEST` (400) */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw errors.badRequest('The path has a percent sign that is not followed by two hex digits.')
  }
}
