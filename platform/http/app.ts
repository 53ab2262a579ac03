/**
 * The one adapter over uWebSockets.js: mounts bound routes on a port. Reads bodies under limits, checks keys and
 * rights, validates by the route's schemas, writes answers. Knows nothing of what the routes do.
 */
// First: it speaks to the next one as that is loaded.
import './header-room.js'
import uws, {
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
} from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '../errors/catalog.js'
import { asCaller } from '../fairness/caller.js'
import { failureCode, type Span, tracer, within } from '../telemetry/tracing.js'
import { endRequest, requestSpan } from '../telemetry/tracing-spans.js'
import { type BodyThreads, bodyOf } from './body-threads.js'
import { BodyBudget } from './budget.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import { encodingOf } from './inflate.js'
import { validate } from './json-body.js'
import { holdNext, nextTurn } from './next-request.js'
import { decoded, queryOf } from './path.js'
import type { Principal } from './principal.js'
import { refuse } from './refuse.js'
import type { Bound, Request } from './request.js'
import { RequestBody } from './request-body.js'
import { headOf, type RequestHead } from './request-head.js'
import { type ErrorBody, Exchange, errorReply, replyOf } from './respond.js'
import { checkBeforeBody, checkWithBody } from './rights.js'
import { bodyLimit, type Method, pathsOf, type RouteSpec } from './route.js'

/** A stop looks this often whether it is done. */
const POLL_MS = 10
/** Connections that nothing came on for so long, while their callers were told to close them, are closed. */
const QUIET_MS = 200
/** So long a stop waits for callers that go on asking. */
const UNQUIET_MS = 2000

/** Without it two processes on one port would each get a part of the requests, unseen. */
const EXCLUSIVE_PORT = 1
type Listen = (
  host: string,
  port: number,
  options: number,
  cb: (socket: us_listen_socket | false) => void,
) => void

/** One finished exchange, for logs and metrics. */
export interface Finished {
  spec: RouteSpec
  status: number
  seconds: number
  bytesIn: number
  bytesOut: number
  /** the caller's `x-request-id`, or one made here; every error's answer carries it */
  requestId: string
  error: unknown
}

export interface AppOptions {
  /** who asks; throws `NO_KEY` or `BAD_KEY`. At once when the key is in memory. */
  authenticate: (headers: ReadonlyMap<string, string>, spec: RouteSpec) => Principal | Promise<Principal>
  /** most bytes of bodies held over all requests */
  heldBytes: number
  finished?: (exchange: Finished) => void
  /** how many requests are under way at once; several apps may have one; default: any number */
  limit?: ConcurrencyLimit
  /** reads large bodies off the main thread; default: all are read here */
  bodies?: BodyThreads
  /** what a caller of an unknown path is told; default: see /docs */
  here?: string
  /** how errors are written; default: `{reason, code}` */
  errorBody?: ErrorBody
}

/** A request whose answer has not ended. */
interface UnderWay {
  exchange: Exchange
  head: RequestHead
  body?: RequestBody
  span?: Span | undefined
  began: number
  /** what was taken for it, to be given back when it ends */
  undo: (() => void)[]
}

/** Who asks, and what for, as far as it is known without the body. */
type Entered = Pick<Request, 'principal' | 'params' | 'query'>

/** A listening (or about to listen) HTTP server. */
export class App {
  readonly budget: BodyBudget
  /** of it, what those hold whose key is still looked up: the first packets of a body come whatever is done */
  private readonly unauthenticated: BodyBudget
  private readonly app: TemplatedApp = uws.App()
  private listening: us_listen_socket | undefined
  private inFlight = 0
  private stopping = false
  private connections = 0
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
    const counted = (_: HttpResponse, change: number) => {
      this.connections += change
    }
    // Declared with the object that wraps a number.
    this.app.filter(counted as Parameters<TemplatedApp['filter']>[0])
    for (const bound of routes) this.mount(bound)
    for (const [path, methods] of methodsByPath(routes))
      this.app.any(patternOf(path), (res, req) =>
        refuse(res, req, errors.noMethod(req.getMethod().toUpperCase(), methods), options.errorBody),
      )
    this.app.any('/*', (res, req) =>
      refuse(
        res,
        req,
        errors.noRoute(req.getMethod().toUpperCase(), req.getUrl(), options.here),
        options.errorBody,
      ),
    )
  }

  /** Listens on `host`:`port` (0: any free port) and returns the port; rejects if it is taken. */
  listen(port: number, host = '127.0.0.1'): Promise<number> {
    // The binding takes host and options together, its type declarations do not say so.
    const listen = this.app.listen.bind(this.app) as unknown as Listen
    return new Promise((resolve, reject) => {
      listen(host, port, EXCLUSIVE_PORT, (socket) => {
        if (!socket)
          return reject(new Error(`port ${port} on ${host} is taken; set HEDDLE_PORT to another one`))
        this.listening = socket
        resolve(uws.us_socket_local_port(socket))
      })
    })
  }

  /**
   * Answers what was taken, at most for `graceMs`, refuses what still comes, and closes every connection: when no more
   * comes, so that nobody's request is cut off.
   */
  async stop(graceMs = 20_000): Promise<void> {
    this.stopping = true
    const began = performance.now()
    while (this.inFlight > 0 && performance.now() - began < graceMs) await sleep(POLL_MS)
    const answered = performance.now()
    while (
      this.connections > 0 &&
      performance.now() - Math.max(this.lastAsked, answered) < QUIET_MS &&
      performance.now() - answered < UNQUIET_MS
    )
      await sleep(POLL_MS)
    if (this.listening) uws.us_listen_socket_close(this.listening)
    this.app.close()
  }

  private mount(bound: Bound): void {
    const { method } = bound.spec
    for (const path of pathsOf(bound.spec)) {
      const pattern = patternOf(path)
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
      const serve = (res: HttpResponse, req: HttpRequest) => void this.exchange(bound, names, res, req)
      if (method === 'GET') this.app.get(pattern, serve)
      else if (method === 'POST') this.app.post(pattern, serve)
      else if (method === 'PUT') this.app.put(pattern, serve)
      else this.app.del(pattern, serve)
    }
  }

  /** One request from its first line to the last byte of its answer. Never rejects. */
  private async exchange(
    bound: Bound,
    names: readonly string[],
    res: HttpResponse,
    req: HttpRequest,
  ): Promise<void> {
    const exchange = new Exchange(res)
    const underWay: UnderWay = { exchange, head: headOf(names, req), began: performance.now(), undo: [] }
    let failure: unknown
    res.onAborted(() => {
      exchange.abort()
      underWay.body?.stop(new Error('the caller went away'))
    })
    this.inFlight++
    try {
      const { fault } = underWay.head
      if (fault !== undefined) {
        exchange.after = 'closed'
        // Until it is answered, the library takes whatever else it reads here for a reason to close the connection.
        await nextTurn()
        throw errors.badFraming(fault)
      }
      const entered = await this.enter(bound, underWay)
      await this.answer(bound, underWay, await this.read(bound.spec, underWay, entered))
    } catch (error) {
      failure = error
      await this.refuse(underWay, error)
    } finally {
      this.end(bound.spec, underWay, failure)
    }
  }

  /**
   * What comes before the body: a caller who may not send it, or not now, is refused before any of it is read. The library
   * wants the body's reader in the tick of the request, so nothing is awaited before that is there.
   */
  private async enter(bound: Bound, underWay: UnderWay): Promise<Entered> {
    const { spec } = bound
    const { exchange, head } = underWay
    const { headers, declared } = head
    this.lastAsked = performance.now()
    if (this.stopping) {
      exchange.after = declared === 0 ? 'closed' : 'told'
      throw errors.stopping()
    }
    if (tracer !== undefined) underWay.span = requestSpan(spec, headers)
    const rawParams = Object.fromEntries(head.pathParts.map(([name, part]) => [name, decoded(part)]))
    const known = this.options.authenticate(headers, spec)
    // Where something else fails first, nobody waits for the look-up any more, which may fail as well.
    if (known instanceof Promise) known.catch(() => undefined)
    if (declared > bodyLimit(spec)) throw errors.tooLarge()
    const encoding = spec.encoded ? 'identity' : encodingOf(headers)
    const entered = (principal: Principal): Entered => {
      const params = spec.params ? validate(spec.params, rawParams, 'path') : undefined
      const query = spec.query ? validate(spec.query, queryOf(head.query), 'query') : undefined
      checkBeforeBody(spec, principal, { params, query, rawParams, headers })
      // How long a compressed body is, nobody has told.
      const told = encoding === 'identity' ? declared : -1
      if (bound.admit) underWay.undo.push(bound.admit(headers, principal, told, rawParams))
      else if (this.options.limit) underWay.undo.push(this.options.limit.acquire(spec, principal))
      return { principal, params, query }
    }
    const atOnce = known instanceof Promise ? undefined : entered(known)
    const budget = atOnce ? this.budget : this.unauthenticated
    const body = new RequestBody(spec, exchange, declared, encoding, budget)
    underWay.body = body
    return atOnce ?? body.accepted(async () => entered(await known), this.budget)
  }

  /** The whole request, its body validated where the route's declaration says how. */
  private async read(spec: RouteSpec, underWay: UnderWay, entered: Entered): Promise<Request> {
    const { exchange } = underWay
    const { headers } = underWay.head
    const body = underWay.body!
    const sent = await body.collected()
    // What a route stores must not be lost to its caller by what the caller sends next.
    if (spec.access === 'write' || spec.access === 'admin') {
      await nextTurn()
      if (exchange.gone) throw new Error('the caller went away')
      exchange.answering = holdNext(exchange.hold)
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
          ? await (this.options.bodies?.read(spec, bytes) ?? bodyOf(spec, bytes))
          : undefined,
      bytes,
      ...(body.chunks && { chunks: body.chunks }),
      headers,
      signal: exchange.controller.signal,
      remoteAddress: exchange.gone ? '' : Buffer.from(exchange.res.getRemoteAddressAsText()).toString(),
    }
    checkWithBody(spec, request)
    return request
  }

  private async answer(bound: Bound, { exchange, span, body }: UnderWay, request: Request): Promise<void> {
    /** Whatever it begins is traced as a part of the request, and charged to who asks. */
    const onBehalf = <T>(work: () => T): T => {
      const traced = span ? () => within(span, work) : work
      return bound.admit ? traced() : asCaller(request.principal.caller, traced)
    }
    const value = await onBehalf(() => bound.handle(request))
    body?.stopStream(new Error('answered'))
    if (exchange.gone) return
    if (this.stopping) exchange.after = 'closed'
    const reply = replyOf(value, bound.spec.produces ?? 'application/json')
    await onBehalf(() => exchange.send(reply))
  }

  private async refuse({ exchange, head, body }: UnderWay, error: unknown): Promise<void> {
    // While it is held back, the sender would not read the answer.
    body?.stopStream(new Error('refused'))
    if (this.stopping && exchange.after === 'kept') exchange.after = 'told'
    if (exchange.gone || exchange.status !== 0) return
    await exchange.send(errorReply(error, head.requestId, this.options.errorBody)).catch(() => undefined)
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
    const status = exchange.gone ? 499 : exchange.status
    const { requestId } = head
    if (span) endRequest(span, status, requestId, failure === undefined ? undefined : failureCode(failure))
    const bytesIn = body?.size ?? 0
    const { bytesOut } = exchange
    this.options.finished?.({ spec, status, seconds, bytesIn, bytesOut, requestId, error: failure })
  }
}

/** A path of a declaration as uWebSockets.js writes it. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function methodsByPath(routes: readonly Bound[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>()
  for (const { spec } of routes)
    for (const path of pathsOf(spec)) methods.set(path, [...(methods.get(path) ?? []), spec.method])
  return methods
}
