/** Answers requests that match no route. Knows nothing of routes. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { errors } from '../errors/catalog.js'
import type { HeddleError } from '../errors/error.js'
import { corsHeaders, type Origins, preflight } from './cors.js'
import { framed } from './framing.js'
import { nextTurn } from './next-request.js'
import { type ErrorBody, Exchange, errorReply } from './respond.js'

/** Sends `error` without reading the body; answers a preflight of a page of `origins`. */
export async function refuse(
  res: HttpResponse,
  req: HttpRequest,
  error: HeddleError,
  bodyOf?: ErrorBody,
  origins: Origins = [],
): Promise<void> {
  const exchange = new Exchange(res, req.getMethod() === 'head')
  res.onAborted(() => exchange.abort())
  const { headers, fault } = framed(req)
  exchange.common = corsHeaders(origins, headers.get('origin'))
  const asked = req.getMethod() === 'options' ? preflight(origins, headers) : undefined
  if (fault !== undefined) {
    exchange.after = 'closed'
    await nextTurn()
  }
  if (fault === undefined && asked) return exchange.send(asked)
  await exchange.send(errorReply(fault === undefined ? error : errors.badFraming(fault), '', bodyOf))
}
