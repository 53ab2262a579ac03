/**
 * Determines from the headers where a request ends. Refuses what two readers of one connection could interpret
 * differently (RFC 9112, 6). The bytes after such a request can't be attributed, so the connection ends with the
 * answer.
 */
import type { Incoming } from './server.js'

export interface Framed {
  /** lower-case names */
  headers: Map<string, string>
  /** the Content-Length; -1 if the body is chunked */
  declared: number
  /** why the end of this request is ambiguous; undefined if it is not */
  fault: string | undefined
}

/** Reads a request's headers. Only valid in the tick of the request's handler. */
export function framed(req: Incoming): Framed {
  const headers = new Map<string, string>()
  let fault: string | undefined
  req.forEach((name, value) => {
    if (name === 'content-length') {
      if (!/^\d+$/.test(value)) fault = 'Content-Length is not a number'
      else if ((headers.get(name) ?? value) !== value) fault = 'it has two lengths'
    } else if (name === 'transfer-encoding') {
      if (headers.has(name) || value.toLowerCase() !== 'chunked') fault = 'Transfer-Encoding is not "chunked"'
    }
    const before = name === 'x-forwarded-for' ? headers.get(name) : undefined
    // Some proxies add a line of their own.
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  })
  const chunked = headers.has('transfer-encoding')
  if (chunked && headers.has('content-length')) fault = 'it has a length and comes in chunks'
  return { headers, declared: chunked ? -1 : Number(headers.get('content-length') ?? 0), fault }
}
