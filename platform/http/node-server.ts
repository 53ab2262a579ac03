/**
 * `node:http` as an {@link HttpServer}: for systems that uWebSockets.js has no binary for, at twice the CPU a request. It
 * refuses by itself what its parser can't read, and reads requests that were sent before the last one's answer, whose
 * answers it sends in order.
 */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { errors } from '../errors/catalog.js'
import type { Handler, HttpServer, Incoming, Outgoing } from './server.js'

/** How often connections are looked for that send no head. */
const CHECKED_MS = 1000

/** Routes of one method by segments. */
interface Branch {
  /** segments as they are written */
  literal: Map<string, Branch>
  /** a parameter, which any segment matches */
  parameter?: Branch
  handle?: Handler
  /** of everything below */
  rest?: Handler
}

export function nodeServer({ headBytes, idleMs }: { headBytes: number; idleMs: number }): HttpServer {
  const routes = new Map<string, Branch>()
  const on = (method: string) => (pattern: string, handle: Handler) => {
    if (!routes.has(method)) routes.set(method, { literal: new Map() })
    mount(routes.get(method)!, pattern, handle)
  }
  const server = createServer({
    maxHeaderSize: headBytes,
    headersTimeout: idleMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: CHECKED_MS,
    // A body may take as long as it likes, so long as it comes.
    requestTimeout: 0,
  })
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    socket.on('close', () => connections--)
  })
  server.on('request', (message, response) => {
    const [path = '', ...query] = (message.url ?? '').split('?')
    const found = routeOf(routes, (message.method ?? '').toLowerCase(), path)
    if (!found) return void response.writeHead(404).end()
    const res = new NodeOutgoing(message, response, idleMs)
    found.handle(res, new NodeIncoming(message, path, query.join('?'), found.parameters))
  })
  server.on('clientError', refuseUnreadable)
  return {
    get: on('get'),
    head: on('head'),
    post: on('post'),
    put: on('put'),
    patch: on('patch'),
    del: on('delete'),
    any: on('any'),
    get connections() {
      return connections
    },
    listen: (host, port) =>
      new Promise((resolve) => {
        server.once('error', () => resolve(undefined))
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function mount(branch: Branch, pattern: string, handle: Handler): void {
  let at = branch
  for (const part of pattern.split('/').slice(1)) {
    if (part === '*') {
      at.rest ??= handle
      return
    }
    if (part.startsWith(':')) at = at.parameter ??= { literal: new Map() }
    else {
      if (!at.literal.has(part)) at.literal.set(part, { literal: new Map() })
      at = at.literal.get(part)!
    }
  }
  at.handle ??= handle
}

interface Found {
  handle: Handler
  /** the segments that are parameters, in order */
  parameters: readonly string[]
}

/** A route of the method, else one of any method. */
function routeOf(routes: ReadonlyMap<string, Branch>, method: string, path: string): Found | undefined {
  const parts = path.split('/').slice(1)
  for (const which of [method, 'any']) {
    const branch = routes.get(which)
    const found = branch && foundIn(branch, parts, 0, [])
    if (found) return found
  }
  return undefined
}

/** Segments as they are written come before parameters, and those before what takes everything. */
function foundIn(
  branch: Branch,
  parts: readonly string[],
  at: number,
  parameters: readonly string[],
): Found | undefined {
  const part = parts[at]
  if (part === undefined) return branch.handle && { handle: branch.handle, parameters }
  const next = branch.literal.get(part)
  return (
    (next && foundIn(next, parts, at + 1, parameters)) ??
    (branch.parameter && foundIn(branch.parameter, parts, at + 1, [...parameters, part])) ??
    (branch.rest && { handle: branch.rest, parameters })
  )
}

class NodeIncoming implements Incoming {
  constructor(
    private readonly message: IncomingMessage,
    private readonly path: string,
    private readonly query: string,
    private readonly parameters: readonly string[],
  ) {}

  getMethod() {
    return (this.message.method ?? '').toLowerCase()
  }
  getUrl() {
    return this.path
  }
  getQuery() {
    return this.query
  }
  getHeader(name: string) {
    const value = this.message.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  forEach(see: (name: string, value: string) => void) {
    const { rawHeaders } = this.message
    for (let i = 0; i < rawHeaders.length; i += 2) see(rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!)
  }
  getParameter(index: number) {
    return this.parameters[index]
  }
}

class NodeOutgoing implements Outgoing {
  /** The caller waits for its answer: its silence is no fault. */
  private isWhole: boolean

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly idleMs: number,
  ) {
    this.isWhole =
      message.complete || !('content-length' in message.headers || 'transfer-encoding' in message.headers)
    // The other server says nothing of a connection that is kept.
    response.removeHeader('connection')
    this.watch()
    message.on('end', () => {
      this.isWhole = true
      this.watch()
    })
    response.on('error', () => undefined)
    message.on('error', () => undefined)
  }

  /** Ends a connection whose body stops coming. */
  private watch(): void {
    const { socket } = this.message
    const most = this.isWhole || this.message.isPaused() ? 0 : this.idleMs
    socket.setTimeout(most, most === 0 ? undefined : () => socket.destroy())
  }

  onAborted(act: () => void) {
    this.response.on('close', () => {
      if (!this.response.writableFinished) act()
    })
  }
  onData(take: (piece: Uint8Array, last: boolean) => void) {
    this.message.on('data', (piece: Buffer) => take(piece, false))
    this.message.on('end', () => take(new Uint8Array(0), true))
  }
  pause() {
    if (this.isWhole) return
    this.message.pause()
    this.watch()
  }
  resume() {
    if (this.isWhole) return
    this.message.resume()
    this.watch()
  }
  cork(write: () => void) {
    this.response.cork()
    try {
      write()
    } finally {
      this.response.uncork()
    }
  }
  writeStatus(line: string) {
    this.response.statusCode = Number(line.slice(0, 3))
    this.response.statusMessage = line.slice(4)
  }
  writeHeader(name: string, value: string) {
    this.response.appendHeader(name, value)
  }
  write(chunk: string | Uint8Array) {
    return this.response.write(chunk)
  }
  onWritable(act: () => boolean) {
    this.response.on('drain', act)
  }
  end(body?: string | Uint8Array, close = false) {
    if (close) this.response.setHeader('connection', 'close')
    this.response.end(body)
    // What is left of the body is nobody's.
    this.message.resume()
  }
  /** It holds what the caller does not take, for as long as that lasts. */
  tryEnd(rest: Uint8Array, length: number) {
    this.response.setHeader('content-length', length)
    this.end(rest)
    return [true, true] as const
  }
  getWriteOffset() {
    return 0
  }
  endWithoutBody(length?: number, close = false) {
    if (length !== undefined) this.response.setHeader('content-length', length)
    this.end(undefined, close)
  }
  close() {
    this.message.socket.destroy()
  }
  getRemoteAddressAsText() {
    return Buffer.from(this.message.socket.remoteAddress ?? '')
  }
}

const FAULTS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what the parser can't read: the bytes behind it belong to nobody, so the connection ends. */
function refuseUnreadable(error: Error & { code?: string; reason?: string }, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0 || error.code === 'ECONNRESET') return void socket.destroy()
  const status = FAULTS[error.code ?? ''] ?? 400
  const body = status === 400 ? JSON.stringify(errors.badFraming(error.reason ?? error.message).body()) : ''
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(body === '' ? [] : ['content-type: application/json']),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
