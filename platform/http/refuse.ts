/** Answers requests that match no route. */
import { errors } from '../errors/catalog.js'
import type { HeddleError } from '../errors/error.js'
import { acceptsPages } from './accept.js'
import { corsHeaders, type Origins, preflight } from './cors.js'
import { framed } from './framing.js'
import { nextTurn } from './next-request.js'
import { Reply } from './request.js'
import { Exchange, errorReply } from './respond.js'
import type { ErrorBody } from './route.js'
import type { Incoming, Outgoing } from './server.js'

/**
 * Sends `error` without reading the body; answers a preflight of a page of `origins`.
 * @param page what a browser that opens the address is shown instead
 */
export async function refuse(
  res: Outgoing,
  req: Incoming,
  error: HeddleError,
  bodyOf?: ErrorBody,
  origins: Origins = [],
  page?: () => Reply,
): Promise<void> {
  const exchange = new Exchange(res, req.getMethod() === 'head')
  res.onAborted(() => exchange.abort())
  const { headers, fault } = framed(req)
  exchange.common = corsHeaders(origins, headers.get('origin'))
  const isOpened = ['get', 'head'].includes(req.getMethod()) && acceptsPages(headers.get('accept'))
  const asked = req.getMethod() === 'options' ? preflight(origins, headers) : undefined
  if (fault !== undefined) {
    exchange.after = 'closed'
    await nextTurn()
  }
  if (fault === undefined && asked) return exchange.send(asked)
  if (fault === undefined && isOpened && page) {
    const { contentType, body, headers: more } = page()
    return exchange.send(new Reply(error.status, contentType, body, more))
  }
  await exchange.send(errorReply(fault === undefined ? error : errors.badFraming(fault), '', bodyOf))
}
