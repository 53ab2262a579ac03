/**
 * Serves bound routes as unary gRPC methods on a port of its own, with the same keys, rights, admission and limits as
 * over HTTP; the message's bytes are the body.
 *
 * Uses node:http2 instead of a gRPC library: a library collects and inflates whole messages itself, so their memory
 * could not be counted, nor could they be refused early.
 */
import {
  createServer,
  constants as http2,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '../errors/catalog.js'
import { asCaller } from '../fairness/caller.js'
import { activeAccounts } from '../fairness/recent-accounts.js'
import type { AppOptions } from '../http/app.js'
import type { BodyBudget } from '../http/budget.js'
import { type ClientOf, clientFinder } from '../http/client-address.js'
import type { Principal } from '../http/principal.js'
import type { Bound, Reply } from '../http/request.js'
import { requestIdOf } from '../http/request-head.js'
import { errorReply, replyOf } from '../http/respond.js'
import { checkBeforeBody } from '../http/rights.js'
import { bodyLimit } from '../http/route.js'
import { type Message, readMessage, STALL_MS } from './message.js'
import { CODE, codeOf, trailersOf } from './status.js'

export interface GrpcOptions extends Pick<AppOptions, 'authenticate' | 'finished' | 'limit' | 'clientOf'> {
  /** holds the memory of messages */
  budget: BodyBudget
  /** ms between checks of connections; default: 20 s */
  sweepMs?: number
  /** for one more, the oldest that has shown no valid key is closed, or else the new one; default: 2,000 */
  mostConnections?: number
  /** called for each connection that is closed because its peer is gone, shows no key, or is one too many */
  dropped?: () => void
}

const CONNECTIONS = 2000
/** Concurrent calls per connection. */
const STREAMS = 100
/** How far ahead a connection may send, before and after it has shown a valid key. */
const WINDOW = 65_535
const TRUSTED_WINDOW = 1 << 20
const SWEEP_MS = 20_000
/** How long a stop waits for written data to be sent. */
const GOODBYE_MS = 1000
const ENCODINGS = 'identity,gzip,deflate,zstd'

/** The state of a connection. */
interface Connection {
  /** it has shown a valid key */
  trusted: boolean
  /** it existed at the last check */
  old: boolean
  /** it answered the last ping; a vanished peer doesn't */
  answered: boolean
}

/** A gRPC server, listening or about to. */
export class GrpcServer {
  private readonly server = createServer({
    settings: { maxConcurrentStreams: STREAMS, initialWindowSize: WINDOW },
    maxHeaderListPairs: 128,
  })
  private readonly connections = new Map<ServerHttp2Session, Connection>()
  /** connections that have shown no valid key, by their peers, the oldest first */
  private readonly strangers = new Map<string, Socket>()
  private readonly most: number
  private readonly clientOf: ClientOf
  private sockets = 0
  private readonly timer: NodeJS.Timeout
  private inFlight = 0
  private stopping = false
  private idle: (() => void) | undefined

  /** @param methods by their paths: `/package.Service/Method` */
  constructor(
    private readonly methods: ReadonlyMap<string, Bound>,
    private readonly options: GrpcOptions,
  ) {
    this.most = options.mostConnections ?? CONNECTIONS
    this.clientOf = options.clientOf ?? clientFinder()
    this.server.on('connection', (socket) => this.arrived(socket))
    this.server.on('session', (session) => this.connected(session))
    this.server.on('stream', (stream, headers) => void this.exchange(stream, headers))
    this.timer = setInterval(() => this.sweep(), options.sweepMs ?? SWEEP_MS).unref()
  }

  /** The number of connections and of calls in progress. */
  get open(): { connections: number; calls: number } {
    return { connections: this.connections.size, calls: this.inFlight }
  }

  /** Listens on `host`:`port` (0: any free port) and returns the port; rejects if it is taken. */
  listen(port: number, host = '127.0.0.1'): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ port, host, exclusive: true }, () => {
        this.server.off('error', reject)
        resolve((this.server.address() as AddressInfo).port)
      })
    })
  }

  /** Refuses new calls, finishes those in progress, for at most `graceMs`, and closes every connection. */
  async stop(graceMs = 20_000): Promise<void> {
    this.stopping = true
    clearInterval(this.timer)
    const closed = new Promise((resolve) => this.server.close(resolve))
    for (const session of this.connections.keys()) session.close()
    const within = (ms: number) => sleep(ms, undefined, { ref: false })
    if (this.inFlight > 0)
      await Promise.race([within(graceMs), new Promise<void>((resolve) => (this.idle = resolve))])
    // Let written data be sent first.
    await Promise.race([within(GOODBYE_MS), closed])
    for (const session of this.connections.keys()) session.destroy()
    await closed
  }

  /** Whoever holds connections without a key can't keep callers with one away: the oldest of them makes room. */
  private arrived(socket: Socket): void {
    const peer = peerOf(socket)
    this.strangers.set(peer, socket)
    this.sockets++
    socket.once('close', () => {
      this.strangers.delete(peer)
      this.sockets--
    })
    if (this.sockets <= this.most) return
    // It is there itself, at least.
    const [oldest, first] = this.strangers.entries().next().value!
    this.strangers.delete(oldest)
    first.destroy()
    this.options.dropped?.()
  }

  private connected(session: ServerHttp2Session): void {
    this.connections.set(session, { trusted: false, old: false, answered: true })
    session.on('error', () => session.destroy())
    session.once('close', () => this.connections.delete(session))
  }

  /** Closes connections whose peer is gone, or that have not shown a valid key between two checks. */
  private sweep(): void {
    for (const [session, connection] of this.connections) {
      if (session.destroyed) continue
      if (!connection.answered || (connection.old && !connection.trusted)) {
        session.destroy()
        this.options.dropped?.()
        continue
      }
      connection.old = true
      connection.answered = false
      session.ping(() => {
        connection.answered = true
      })
    }
  }

  /** Handles one call from its headers to its trailers. Never rejects. */
  private async exchange(stream: ServerHttp2Stream, incoming: IncomingHttpHeaders): Promise<void> {
    const began = performance.now()
    stream.on('error', () => undefined)
    const bound = this.methods.get(incoming[':path'] ?? '')
    if (!/^application\/grpc\b/.test(incoming['content-type'] ?? '')) {
      stream.respond({ ':status': 415 }, { endStream: true })
      return
    }
    if (bound === undefined) {
      refuse(stream, CODE.UNIMPLEMENTED, 'Unknown method.')
      return
    }
    this.inFlight++
    const headers = headersOf(incoming)
    const client = this.clientOf(addressOf(stream), headers.get('x-forwarded-for'))
    const requestId = requestIdOf(headers)
    const undo: (() => void)[] = []
    let [message, reply, error]: [Message?, Reply?, unknown?] = []
    try {
      const { spec } = bound
      if (this.stopping) throw errors.stopping()
      // Until it is read, at most a window of the message is in memory.
      const principal = await this.options.authenticate(headers, spec, () => client)
      this.trust(stream)
      checkBeforeBody(spec, principal, { params: undefined, query: undefined, rawParams: {}, headers })
      if (bound.admit) undo.push(bound.admit(headers, principal, -1, {}, () => client))
      else if (this.options.limit) undo.push(this.options.limit.acquire(spec, principal))
      message = readMessage(stream, bodyLimit(spec), this.options.budget)
      reply = await answered(bound, stream, headers, principal, message, client)
    } catch (thrown) {
      error = thrown
      reply = errorReply(thrown, requestId)
    }
    const gone = stream.closed || stream.destroyed
    if (!gone) send(stream, reply)
    message?.release()
    for (const one of undo) one()
    this.options.finished?.({
      ...{ spec: bound.spec, status: gone ? 499 : reply.status, requestId, error },
      seconds: (performance.now() - began) / 1000,
      bytesIn: message?.size() ?? 0,
      bytesOut: reply.body instanceof Uint8Array ? reply.body.length : 0,
    })
    if (--this.inFlight === 0) this.idle?.()
  }

  /** The connection's key is valid: it may send further ahead. */
  private trust({ session }: ServerHttp2Stream): void {
    const connection = session && this.connections.get(session as ServerHttp2Session)
    if (!connection || connection.trusted || session.destroyed) return
    connection.trusted = true
    this.strangers.delete(peerOf((session as ServerHttp2Session).socket))
    session.settings({ initialWindowSize: TRUSTED_WINDOW })
    ;(session as ServerHttp2Session).setLocalWindowSize(TRUSTED_WINDOW)
  }
}

/** A session gives its socket by a proxy, so the two can't be compared. */
const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`

const addressOf = ({ session }: ServerHttp2Stream): string => session?.socket.remoteAddress ?? ''

/** Calls the method with the message. */
async function answered(
  bound: Bound,
  stream: ServerHttp2Stream,
  headers: Map<string, string>,
  principal: Principal,
  message: Message,
  remoteAddress: string,
): Promise<Reply> {
  const bytes = await message.bytes
  headers.set('content-type', 'application/x-protobuf')
  headers.set('content-encoding', message.isCompressed() ? (headers.get('grpc-encoding') ?? '') : '')
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  const request = { params: {}, query: {}, body: undefined, bytes, headers, principal, remoteAddress }
  const handle = () => bound.handle({ ...request, signal: gone.signal })
  activeAccounts.note(principal.account)
  const value = await (bound.admit ? handle() : asCaller(principal.caller, handle))
  return replyOf(value, 'application/x-protobuf')
}

function headersOf(incoming: IncomingHttpHeaders): Map<string, string> {
  const headers = Object.entries(incoming).filter(([name, value]) => !name.startsWith(':') && value)
  return new Map(headers.map(([name, value]) => [name, String(value)]))
}

/** Sends an HTTP reply as gRPC. */
function send(stream: ServerHttp2Stream, { status, body, headers }: Reply): void {
  if (status >= 300) {
    const { reason } = typeof body === 'string' ? (JSON.parse(body) as { reason?: string }) : {}
    refuse(stream, codeOf(status), reason, headers['retry-after'])
    return
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array)
  const message = Buffer.alloc(5 + bytes.length)
  message.writeUInt32BE(bytes.length, 1)
  message.set(bytes, 5)
  // Don't wait for a client that opens no window for the answer.
  stream.setTimeout(STALL_MS, () => stream.close(http2.NGHTTP2_CANCEL))
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc+proto', 'grpc-accept-encoding': ENCODINGS },
    { waitForTrailers: true },
  )
  stream.once('wantTrailers', () => {
    if (!stream.closed && !stream.destroyed) stream.sendTrailers(trailersOf(CODE.OK))
  })
  stream.end(message)
}

/** Ends a call without reading the rest of its message. */
function refuse(stream: ServerHttp2Stream, code: number, message?: string, retryAfter?: string): void {
  if (stream.closed || stream.destroyed) return
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-accept-encoding': ENCODINGS,
      ...trailersOf(code, message, retryAfter),
    },
    { endStream: true },
  )
  stream.close(http2.NGHTTP2_NO_ERROR)
}
