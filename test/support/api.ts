/** A thin HTTP client for tests: any method, any bytes, the answer as it came. It judges nothing. */
import { request } from 'undici'
import { retryingWhenBusy } from './retry-after.js'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Row = { [key: string]: Json }

type Body = string | Uint8Array | object

export class Api {
  /** `key` is sent as the password of Basic credentials; null sends none. */
  constructor(
    readonly url: string,
    readonly key: string | null,
    private readonly extra: Record<string, string> = {},
    private readonly user = 'api',
  ) {}

  /** The same server with other credentials. */
  as(key: string | null, extra: Record<string, string> = {}): Api {
    return new Api(this.url, key, extra)
  }

  /** The same, with a user name that says something. */
  asUser(user: string): Api {
    return new Api(this.url, this.key, this.extra, user)
  }

  /** Basic authentication with the key, by a user name that says something. */
  authorizationAs(user: string): string {
    return `Basic ${Buffer.from(`${user}:${this.key}`).toString('base64')}`
  }

  get authorization(): Record<string, string> {
    return this.key === null ? {} : { authorization: this.authorizationAs(this.user) }
  }

  /** Sends a request; an object body goes as JSON, bytes and text as they are. */
  async send(
    method: string,
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const answer = await request(this.url + path, {
      method: method as 'POST',
      headers: {
        ...this.authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.extra,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString('utf8') }
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body: Body, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  /** Posts and returns the JSON of a 200; any other status fails the test with the answer's text. */
  async ok(path: string, body: Body, headers?: Record<string, string>): Promise<Row> {
    return JSON.parse(await this.successOf(path, body, headers)) as Row
  }

  /** Posts and returns the JSON lines of a 200. */
  async lines(path: string, body: Body, headers?: Record<string, string>): Promise<Row[]> {
    return jsonLines(await this.successOf(path, body, headers))
  }

  /** The text of a 200; any other status fails the test with the answer's text. */
  private async successOf(path: string, body: Body, headers?: Record<string, string>): Promise<string> {
    const { status, text } = await retryingWhenBusy(() => this.post(path, body, headers))
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${text.slice(0, 2_000)}`)
    return text
  }

  /** Calls of a project, by a query as in the specification. */
  calls(project: string, query: object = {}): Promise<Row[]> {
    return this.lines('/calls/stream_query', { project_id: project, ...query })
  }

  /** How many calls a query finds. */
  async count(project: string, query: object = {}): Promise<number> {
    const { count } = await this.ok('/calls/query_stats', { project_id: project, ...query })
    return Number(count)
  }
}

/** Parses JSON lines; every line must end with a newline. */
export function jsonLines(text: string): Row[] {
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error('the last line is not ended')
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** What lies at a path of keys; undefined where it breaks off. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[key] : undefined,
    value,
  )
}
