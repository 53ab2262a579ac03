/** Copies a request's head in the tick in which it arrives; the library discards it afterwards. */
import { uuid7 } from '../ids/uuid7.js'
import { type Framed, framed } from './framing.js'
import type { Incoming } from './server.js'

export interface RequestHead extends Framed {
  /** the caller's `x-request-id`, or a generated one */
  requestId: string
  /** the named segments of the path, as sent */
  pathParts: readonly (readonly [name: string, part: string])[]
  query: string
}

/** @param names names of the route's path parameters, in order */
export function headOf(names: readonly string[], req: Incoming): RequestHead {
  const framing = framed(req)
  return {
    ...framing,
    requestId: requestIdOf(framing.headers),
    pathParts: names.map((name, i) => [name, req.getParameter(i) ?? '']),
    query: req.getQuery(),
  }
}

/** Theirs, if it is fit for a log line. */
export function requestIdOf(headers: ReadonlyMap<string, string>): string {
  const given = headers.get('x-request-id')
  return given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : uuid7()
}
