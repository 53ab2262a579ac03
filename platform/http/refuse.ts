/** Answers requests that match no route. Knows nothing of routes. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { errors } from '../errors/catalog.js'
import type { HeddleError } from '../errors/error.js'
import { framed } from './framing.js'
import { nextTurn } from './next-request.js'
import { Reply } from './request.js'
import { type ErrorBody, Exchange, errorReply } from './respond.js'

/** Sends `error` without reading the body. */
export async function refuse(
  res: HttpResponse,
  req: HttpRequest,
  error: HeddleError,
  bodyOf?: ErrorBody,
): Promise<void> {
  const exchange = new Exchange(res)
  res.onAborted(() => exchange.abort())
  const isHead = req.getMethod() === 'head'
  const { fault } = framed(req)
  if (fault !== undefined) {
    exchange.after = 'closed'
    await nextTurn()
  }
  const reply = errorReply(fault === undefined ? error : errors.badFraming(fault), '', bodyOf)
  await exchange.send(isHead ? new Reply(reply.status, reply.contentType, '', reply.headers) : reply)
}
