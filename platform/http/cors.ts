/**
 * Which pages of other origins may call, and how browsers learn it. Keys are sent in headers and never as
 * cookies, so a page has only what it was given.
 */
import { Reply } from './request.js'

/** Seconds that a browser remembers a preflight's answer. */
const REMEMBERED = '600'
const METHODS = 'GET, POST, PUT, PATCH, DELETE'
/** Headers of answers that pages may read beside the ordinary ones. */
const EXPOSED = 'retry-after, x-request-id'
const HEADER_NAMES = /^[\w-]+(\s*,\s*[\w-]+)*$/
const MAX_NAMES = 2000

/** The allowed origins; `*`: all. */
export type Origins = readonly string[]

/** What an answer to a page of `origin` says; nothing for one that is not allowed. */
export function corsHeaders(origins: Origins, origin: string | undefined): Record<string, string> {
  if (origins.length === 0) return {}
  const allowed = originAllowed(origins, origin)
  return {
    vary: 'origin',
    ...(allowed !== undefined && {
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': EXPOSED,
    }),
  }
}

/** The answer to a preflight; undefined: it is none, or of a page that is not allowed. */
export function preflight(origins: Origins, headers: ReadonlyMap<string, string>): Reply | undefined {
  const wanted = headers.get('access-control-request-method')
  if (wanted === undefined || originAllowed(origins, headers.get('origin')) === undefined) return undefined
  const names = headers.get('access-control-request-headers') ?? ''
  return new Reply(204, '', '', {
    'access-control-allow-methods': METHODS,
    'access-control-max-age': REMEMBERED,
    ...(names.length <= MAX_NAMES && HEADER_NAMES.test(names) && { 'access-control-allow-headers': names }),
  })
}

function originAllowed(origins: Origins, origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  if (origins.includes('*')) return '*'
  return origins.includes(origin) ? origin : undefined
}
