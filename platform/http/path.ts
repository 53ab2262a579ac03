/** Parses the parts of a request's first line, and writes them. */
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

/** What a request of a declared path goes to: with its parameters and query in place. */
export function targetOf(path: string, params: unknown, query: unknown): string {
  const given = (params ?? {}) as Record<string, string>
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) asked.set(name, String(value))
  return asked.size === 0 ? filled : `${filled}?${asked}`
}
