/**
 * Mounts bound routes on a port of an HTTP server. Reads bodies under limits, checks keys and rights, validates against
 * the route's schemas, writes answers.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type PartialRead, readingPartly } from '../clickhouse/partial-read.js'
import { errors } from '../errors/catalog.js'
import { asCaller } from '../fairness/caller.js'
import { activeAccounts } from '../fairness/recent-accounts.js'
import { Turns } from '../fairness/turns.js'
import { failureCode, type Span, tracer, within } from '../telemetry/tracing.js'
import { endRequest, requestSpan } from '../telemetry/tracing-spans.js'
import { takesOnlyJson } from './accept.js'
import { type Auditor, auditEventOf, audited, isRefusal, resultOf } from './audit.js'
import { type BodyThreads, bodyOf } from './body-threads.js'
import { BodyBudget } from './budget.js'
import { chosenServer } from './chosen-server.js'
import { type ClientOf, clientFinder } from './client-address.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import { corsHeaders, type Origins } from './cors.js'
import { encodingOf } from './inflate.js'
import { validate } from './json-body.js'
import { holdNext, nextTurn } from './next-request.js'
import { decoded, queryOf } from './path.js'
import type { Principal } from './principal.js'
import { refuse } from './refuse.js'
import type { Bound, Reply, Request } from './request.js'
import { RequestBody } from './request-body.js'
import { headOf, type RequestHead } from './request-head.js'
import { Exchange, errorReply, redirectReply, replyOf } from './respond.js'
import { checkBeforeBody, checkWithBody } from './rights.js'
import {
  type Authenticate,
  bodyLimit,
  type ErrorBody,
  type Method,
  pathsOf,
  type RouteSpec,
} from './route.js'
import type { HttpServer, Incoming, Outgoing } from './server.js'

/** How often a stop checks whether it is done. */
const POLL_MS = 10
/** While stopping, connections that were asked to close and have been idle this long are closed. */
const QUIET_MS = 500
/** How long a stop waits for callers that keep sending requests. */
const UNQUIET_MS = 2000

/** One finished exchange, for logs and metrics. */
export interface Finished {
  spec: RouteSpec
  status: number
  seconds: number
  bytesIn: number
  bytesOut: number
  /** the caller's `x-request-id`, or a generated one; every error answer carries it */
  requestId: string
  error: unknown
}

export interface AppOptions {
  /** identifies the caller; throws `NO_KEY` or `BAD_KEY`. Synchronous when the key is in memory. */
  authenticate: Authenticate
  /** most bytes of bodies in memory over all requests */
  heldBytes: number
  finished?: (exchange: Finished) => void
  /** bounds concurrent requests; several apps may share one; default: unlimited */
  limit?: ConcurrencyLimit
  /** shares the main thread among accounts; several apps may share one; default: one of its own */
  turns?: Turns
  /** reads large bodies off the main thread; default: all are read on it */
  bodies?: BodyThreads
  /** hint for callers of an unknown path; default: see /docs */
  here?: string
  /** what a browser is shown at an unknown path; default: the error, as for any other caller */
  page?: () => Reply
  /** says who the client is; default: whoever connects */
  clientOf?: ClientOf
  /** whose pages may call; default: nobody's */
  origins?: Origins
  /** the body of error answers; default: `{reason, code}` */
  errorBody?: ErrorBody
  /** keeps the audit log; default: there is none */
  auditor?: Auditor
}

/** A request whose answer has not ended. */
interface UnderWay {
  exchange: Exchange
  head: RequestHead
  /** the client's address; empty once it has left */
  client: () => string
  body?: RequestBody
  span?: Span | undefined
  began: number
  /** releases what the request acquired, when it ends */
  undo: (() => void)[]
  /** of audited routes: what is known of the request so far */
  known?: Partial<Request>
  /** its use is in the audit log */
  isAudited?: true
}

/** What is known of a request before its body. */
type Entered = Pick<Request, 'principal' | 'params' | 'query'>

/** An HTTP server, listening or about to. */
export class App {
  readonly budget: BodyBudget
  /** its part for callers whose key is still being looked up: the first packets of a body arrive anyway */
  private readonly unauthenticated: BodyBudget
  private readonly turns: Turns
  private readonly clientOf: ClientOf
  private readonly server: HttpServer
  private inFlight = 0
  private stopping = false
  /** when the last request came */
  private lastAsked = 0

  /** Unfinished requests, including streams. */
  get open(): number {
    return this.inFlight
  }

  constructor(
    routes: readonly Bound[],
    private readonly options: AppOptions,
  ) {
    this.budget = new BodyBudget(options.heldBytes)
    this.unauthenticated = new BodyBudget(options.heldBytes / 8, this.budget)
    this.turns = options.turns ?? new Turns()
    this.clientOf = options.clientOf ?? clientFinder()
    this.server = chosenServer()
    for (const bound of routes) this.mount(bound)
    for (const [path, methods] of methodsByPath(routes)) {
      const wrongMethod = (res: Outgoing, req: Incoming) =>
        refuse(
          res,
          req,
          errors.noMethod(req.getMethod().toUpperCase(), methods),
          options.errorBody,
          options.origins,
        )
      this.server.any(patternOf(path), wrongMethod)
      // A page's pattern of names, such as /{entity}/{project}, comes before `any`.
      if (!methods.includes('GET')) {
        this.server.get(patternOf(path), wrongMethod)
        this.server.head(patternOf(path), wrongMethod)
      }
    }
    this.server.any('/*', (res, req) => this.unknown(res, req))
  }

  /** Listens on `host`:`port` (0: any free port) and returns the port; rejects if it is taken. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    const found = await this.server.listen(host, port)
    if (found === undefined)
      throw new Error(`port ${port} on ${host} is taken; set HEDDLE_PORT to another one`)
    return found
  }

  /**
   * Finishes requests in progress, for at most `graceMs`, and refuses new ones. Closes connections once they are quiet,
   * so that no request is cut off.
   */
  async stop(graceMs = 20_000): Promise<void> {
    this.stopping = true
    const began = performance.now()
    while (this.inFlight > 0 && performance.now() - began < graceMs) await sleep(POLL_MS)
    const answered = performance.now()
    while (
      this.server.connections > 0 &&
      performance.now() - Math.max(this.lastAsked, answered) < QUIET_MS &&
      performance.now() - answered < UNQUIET_MS
    )
      await sleep(POLL_MS)
    this.server.close()
  }

  private unknown(res: Outgoing, req: Incoming): void {
    const { errorBody, origins, page, here } = this.options
    const error = errors.noRoute(req.getMethod().toUpperCase(), req.getUrl(), here)
    void refuse(res, req, error, errorBody, origins, page)
  }

  private mount(bound: Bound): void {
    const { method, produces, params } = bound.spec
    // A page's pattern of names, such as /{entity}/{project}, takes in what other programs look for at the wrong port.
    const isAnyPage = produces === 'text/html' && params !== undefined
    for (const path of pathsOf(bound.spec)) {
      const pattern = patternOf(path)
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
      const serve = (res: Outgoing, req: Incoming) =>
        isAnyPage && takesOnlyJson(req.getHeader('accept'))
          ? this.unknown(res, req)
          : void this.exchange(bound, names, res, req)
      if (method === 'GET') {
        this.server.get(pattern, serve)
        this.server.head(pattern, serve)
      } else if (method === 'POST') this.server.post(pattern, serve)
      else if (method === 'PUT') this.server.put(pattern, serve)
      else if (method === 'PATCH') this.server.patch(pattern, serve)
      else this.server.del(pattern, serve)
    }
  }

  /** Handles one request from its first line to the last byte of its answer. Never rejects. */
  private async exchange(
    bound: Bound,
    names: readonly string[],
    res: Outgoing,
    req: Incoming,
  ): Promise<void> {
    const exchange = new Exchange(res, req.getMethod() === 'head')
    const head = headOf(names, req)
    const client = () => this.clientOf(exchange.remoteAddress, head.headers.get('x-forwarded-for'))
    const underWay: UnderWay = { exchange, head, client, began: performance.now(), undo: [] }
    if (this.options.origins) {
      exchange.common = corsHeaders(this.options.origins, underWay.head.headers.get('origin'))
    }
    let failure: unknown
    res.onAborted(() => {
      exchange.abort()
      underWay.body?.stop('the caller went away')
    })
    this.inFlight++
    try {
      const { fault } = underWay.head
      if (fault !== undefined) {
        exchange.after = 'closed'
        // Until the answer is sent, the library closes the connection if it reads anything more here.
        await nextTurn()
        throw errors.badFraming(fault)
      }
      const entered = await this.enter(bound, underWay)
      await this.answer(bound, underWay, await this.read(bound.spec, underWay, entered))
    } catch (error) {
      failure = error
      const noted = this.refusal(bound.spec, underWay, error)
      await this.refuse(bound.spec, underWay, error)
      await noted?.()
    } finally {
      this.end(bound.spec, underWay, failure)
    }
  }

  /**
   * Checks a request before its body: a caller that may not send it, or not now, is refused before any of it is read.
   * The library wants the body's reader in the tick of the request, so nothing is awaited before that exists.
   */
  private async enter(bound: Bound, underWay: UnderWay): Promise<Entered> {
    const { spec } = bound
    const { exchange, head, client } = underWay
    const { headers, declared } = head
    this.lastAsked = performance.now()
    if (this.stopping) {
      exchange.after = declared === 0 ? 'closed' : 'closing'
      throw errors.stopping()
    }
    if (tracer !== undefined) underWay.span = requestSpan(spec, headers)
    const rawParams = Object.fromEntries(head.pathParts.map(([name, part]) => [name, decoded(part)]))
    if (spec.audit) underWay.known = { params: rawParams }
    const known = this.options.authenticate(headers, spec, client)
    // If something else fails first, nothing awaits the look-up, and it may fail too.
    if (known instanceof Promise) known.catch(() => undefined)
    if (declared > bodyLimit(spec)) throw errors.tooLarge()
    const encoding = spec.encoded ? 'identity' : encodingOf(headers)
    const entered = (principal: Principal): Entered => {
      const params = spec.params ? validate(spec.params, rawParams, 'path') : undefined
      const query = spec.query ? validate(spec.query, queryOf(head.query), 'query') : undefined
      if (spec.audit) underWay.known = { principal, params: params ?? rawParams, query }
      checkBeforeBody(spec, principal, { params, query, rawParams, headers })
      // The inflated length of a compressed body is unknown.
      const length = encoding === 'identity' ? declared : -1
      if (bound.admit) underWay.undo.push(bound.admit(headers, principal, length, rawParams, client))
      else if (this.options.limit) underWay.undo.push(this.options.limit.acquire(spec, principal))
      return { principal, params, query }
    }
    const later = async () => {
      const checked = entered(await known)
      await bound.check?.(checked.params, checked.query, declared)
      return checked
    }
    const atOnce = known instanceof Promise || bound.check ? undefined : entered(known)
    const budget = atOnce ? this.budget : this.unauthenticated
    const body = new RequestBody(spec, exchange, declared, encoding, budget)
    underWay.body = body
    return atOnce ?? body.accepted(later, this.budget)
  }

  /** The complete request, with its body validated if the route declares a schema. */
  private async read(spec: RouteSpec, underWay: UnderWay, entered: Entered): Promise<Request> {
    const { exchange } = underWay
    const { headers } = underWay.head
    const body = underWay.body!
    const sent = await body.collected()
    // A write must not lose its answer because of what the caller sends next.
    if (spec.access === 'write' || spec.access === 'admin') {
      await nextTurn()
      if (exchange.gone) throw new Error('the caller went away')
      // What is paused sends no more of its body either.
      exchange.hold.whenWhole(() => {
        exchange.answering = holdNext(exchange.hold)
      })
    }
    const bytes = await body.plain(sent, this.budget)
    if (bytes !== sent) {
      headers.delete('content-encoding')
      headers.delete('content-length')
    }
    const request: Request = {
      ...entered,
      body:
        spec.body && !spec.raw && !spec.streamed
          ? await this.bodyIn(spec, entered.principal, bytes)
          : undefined,
      bytes,
      ...(body.chunks && { chunks: body.chunks }),
      headers,
      signal: exchange.controller.signal,
      remoteAddress: underWay.client(),
    }
    if (spec.audit) underWay.known = request
    checkWithBody(spec, request)
    return request
  }

  private bodyIn(spec: RouteSpec, { account }: Principal, bytes: Uint8Array): unknown {
    const { bodies } = this.options
    if (bodies?.takes(bytes)) return bodies.read(spec, bytes, account)
    return this.turns.run(account, spec.id, () => bodyOf(spec, bytes))
  }

  private async answer(bound: Bound, underWay: UnderWay, request: Request): Promise<void> {
    const { exchange, span, body, head } = underWay
    const { spec } = bound
    const { auditor } = this.options
    /** Traces everything that `work` starts as part of the request, and charges it to the caller. */
    const partial: PartialRead = {}
    exchange.partial = partial
    const onBehalf = <T>(own: () => T): T => {
      const work = bound.spec.access === 'read' ? () => readingPartly(partial, own) : own
      const traced = span ? () => within(span, work) : work
      return bound.admit ? traced() : asCaller(request.principal.caller, traced)
    }
    const { account } = request.principal
    activeAccounts.note(account)
    const handled = () => this.turns.run(account, spec.id, () => onBehalf(() => bound.handle(request)))
    const replied = async () => replyOf(await handled(), spec.produces ?? 'application/json')
    if (spec.audit && auditor) underWay.isAudited = true
    const reply = underWay.isAudited
      ? await audited(auditor!, spec, request, head, replied)
      : replyOf(await handled(), spec.produces ?? 'application/json')
    body?.stopStream('answered')
    if (exchange.gone) return
    if (this.stopping) exchange.after = 'closed'
    await onBehalf(() => exchange.send(reply))
  }

  /** Writes to the audit log that an audited route was refused to somebody, if it was; call it after the answer. */
  private refusal(spec: RouteSpec, underWay: UnderWay, error: unknown): (() => Promise<void>) | undefined {
    const { auditor } = this.options
    if (spec.audit === undefined || auditor === undefined || underWay.isAudited) return undefined
    if (!isRefusal(error) || error.status === 429) return undefined
    const event = auditEventOf(spec, { ...underWay.known, remoteAddress: underWay.client() }, underWay.head)
    return () => auditor.refused(event, resultOf(error))
  }

  private async refuse(spec: RouteSpec, { exchange, head, body }: UnderWay, error: unknown): Promise<void> {
    // A sender that is held back would not read the answer.
    body?.stopStream('refused')
    if (this.stopping && exchange.after === 'kept') exchange.after = 'closing'
    if (exchange.gone || exchange.status !== 0) return
    const bodyOf = spec.errorBody ?? this.options.errorBody
    const reply = errorReply(error, head.requestId, bodyOf)
    const shown =
      spec.errorPage === undefined ? reply : redirectReply(spec.errorPage(resultOf(error).errorCode))
    await exchange.send(shown).catch(() => undefined)
  }

  private end(
    spec: RouteSpec,
    { exchange, head, body, span, undo, began }: UnderWay,
    failure: unknown,
  ): void {
    body?.release()
    exchange.hold.end()
    for (const one of undo) one()
    this.inFlight--
    const seconds = (performance.now() - began) / 1000
    const sent = exchange.gone ? 499 : exchange.status
    // An answer that is cut has begun with another status.
    const status = exchange.isCut ? resultOf(failure).status : sent
    const { requestId } = head
    if (span) endRequest(span, status, requestId, failure === undefined ? undefined : failureCode(failure))
    const bytesIn = body?.size ?? 0
    const { bytesOut } = exchange
    this.options.finished?.({ spec, status, seconds, bytesIn, bytesOut, requestId, error: failure })
  }
}

/** A declared path as a pattern of {@link HttpServer}. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** What each path takes; HEAD is answered wherever GET is. */
function methodsByPath(routes: readonly Bound[]): Map<string, (Method | 'HEAD')[]> {
  const methods = new Map<string, (Method | 'HEAD')[]>()
  for (const { spec } of routes)
    for (const path of pathsOf(spec)) {
      const more: (Method | 'HEAD')[] = spec.method === 'GET' ? ['GET', 'HEAD'] : [spec.method]
      methods.set(path, [...(methods.get(path) ?? []), ...more])
    }
  return methods
}
