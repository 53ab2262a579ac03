/**
 * ClickHouse's HTTP protocol over connections that are kept: one request a statement, its body in one piece. A general
 * client library costs a third of a millisecond of CPU a request, which is most of what a small insert costs here.
 */
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseSettings } from '@clickhouse/client'

export interface HttpClientOptions {
  /** http or https; a user, a password and a database in it come before those given beside it */
  url: string
  username: string
  password: string
  database: string
  /** at once; further requests wait */
  connections: number
  /** sent with each statement that does not set them otherwise */
  settings: ClickHouseSettings
}

export interface Sent {
  query: string
  /** rows of an INSERT; the query is sent in the address then, else in the body */
  blocks?: readonly Uint8Array[]
  settings?: ClickHouseSettings
  headers?: Record<string, string>
  /** ends the request, its answer included */
  signal?: AbortSignal | undefined
}

/** What the server answers, errors included; `stream` must be read or destroyed. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  stream: IncomingMessage
}

/** Nothing was sent or came for so long. */
const SILENCE_MS = 310_000
/** Shorter than servers keep a connection that is not used: what is sent on one that they close would be lost. */
const UNUSED_MS = 2_500

export class HttpClient {
  private readonly address: URL
  readonly database: string
  private readonly authorization: string
  private readonly agent: Agent
  private readonly request: typeof request
  /** when a connection was used last, as `performance.now()` */
  private used = 0

  constructor(private readonly options: HttpClientOptions) {
    this.address = new URL(options.url)
    const { username, password, pathname, protocol } = this.address
    const user = decodeURIComponent(username) || options.username
    const secret = decodeURIComponent(password) || options.password
    this.authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    this.database = decodeURIComponent(pathname.slice(1)) || options.database
    const isTls = protocol === 'https:'
    this.request = isTls ? tlsRequest : request
    const kept = { keepAlive: true, maxSockets: options.connections, timeout: UNUSED_MS }
    this.agent = isTls ? new TlsAgent(kept) : new Agent(kept)
  }

  /** Sends a statement; resolves when the answer begins. @throws errors of the connection, which have a `code` */
  send({ query, blocks, settings, headers, signal }: Sent): Promise<Answer> {
    const address = this.addressOf(settings, blocks && query)
    return this.exchange('POST', `/?${address}`, blocks ?? [Buffer.from(query)], headers, signal)
  }

  /** The query of a statement's address. @param statement of an INSERT whose rows are the body */
  addressOf(settings: ClickHouseSettings | undefined, statement: string | undefined): string {
    const address = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...this.options.settings, ...settings }))
      if (value !== undefined) address.set(name, String(typeof value === 'boolean' ? Number(value) : value))
    if (this.database !== 'default') address.set('database', this.database)
    if (statement !== undefined) address.set('query', statement)
    return address.toString()
  }

  /** True if the server answers to `/ping`. */
  async ping(signal: AbortSignal): Promise<boolean> {
    const { status, stream } = await this.exchange('GET', '/ping', [], undefined, signal)
    stream.resume()
    return status === 200
  }

  close(): void {
    this.agent.destroy()
  }

  private async exchange(
    method: string,
    path: string,
    body: readonly Uint8Array[],
    headers: Record<string, string> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const { hostname, port, protocol } = this.address
    // In a process that has stood still the timers that end unused connections have to come first.
    if (performance.now() - this.used > UNUSED_MS) await sleep(0)
    this.used = performance.now()
    return new Promise((resolve, reject) => {
      const length = body.reduce((sum, block) => sum + block.length, 0)
      const sent = this.request({
        ...{ protocol, method, path, agent: this.agent, timeout: SILENCE_MS },
        // The brackets of an IPv6 address belong to URLs.
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || undefined,
        headers: { ...headers, authorization: this.authorization, 'content-length': length },
      })
      sent.once('response', (stream: IncomingMessage) =>
        resolve({ status: stream.statusCode ?? 0, headers: stream.headers, stream }),
      )
      sent.once('error', reject)
      sent.once('close', () => {
        this.used = performance.now()
      })
      sent.once('timeout', () => sent.destroy(withCode('ETIMEDOUT', 'The store is silent')))
      endWith(sent, signal)
      for (const block of body.slice(0, -1)) sent.write(block)
      sent.end(body.at(-1))
    })
  }
}

/** Ends a request when `signal` aborts, however far it is. */
function endWith(sent: ClientRequest, signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  const end = (): void => void sent.destroy(withCode('ABORT_ERR', 'The request was given up'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  sent.once('close', () => signal.removeEventListener('abort', end))
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
