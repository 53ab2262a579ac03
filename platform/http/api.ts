/**
 * A client of this service's own declared routes, with the rights of one caller: what a tool may do is what the routes
 * that it calls allow. Knows no tool.
 */
import type { z } from 'zod'
import { collect } from '../bytes/collect.js'
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'
import { traceHeaders } from '../telemetry/tracing.js'
import { targetOf } from './path.js'
import type { RouteSpec } from './route.js'

/** Most bytes of an answer: it is parsed on the main thread. */
const MOST_BYTES = 8 * 2 ** 20

/** What a request of a route has. */
interface Asked<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params?: z.input<P>
  query?: z.input<Q>
  body?: z.input<B>
}

interface Refusal {
  code?: string
  reason?: string
  detail?: { loc?: (string | number)[]; msg?: string }[]
  error?: { message?: string; reason?: string }
}

export class Api {
  /**
   * @param url of the tracing interface @param credentials headers that show who the caller is
   * @param signal aborted when the caller leaves
   */
  constructor(
    private readonly url: string,
    private readonly credentials: Readonly<Record<string, string>>,
    private readonly signal?: AbortSignal,
  ) {}

  /** Calls a route; the answer of one that produces JSON lines is their list. @throws HeddleError as the route does */
  async call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    spec: RouteSpec<P, Q, B, A>,
    asked: Asked<P, Q, B> = {},
  ): Promise<z.output<A>> {
    return JSON.parse(await this.text(spec, asked)) as z.output<A>
  }

  /** Calls a route that produces JSON lines. @throws HeddleError as the route does */
  async lines<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    spec: RouteSpec<P, Q, B, A>,
    asked: Asked<P, Q, B> = {},
  ): Promise<z.output<A>[]> {
    const lines = (await this.text(spec, asked)).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as z.output<A>)
  }

  private async text(
    { method, path }: Pick<RouteSpec, 'method' | 'path'>,
    { params, query, body }: { params?: unknown; query?: unknown; body?: unknown },
  ): Promise<string> {
    let answer: Response
    try {
      answer = await fetch(this.url + targetOf(path, params, query), {
        method,
        headers: { ...this.credentials, 'content-type': 'application/json', ...traceHeaders() },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(this.signal && { signal: this.signal }),
      })
    } catch (cause) {
      throw unanswered(this.url, cause)
    }
    const text = await this.read(answer)
    if (answer.ok) return text
    throw refusal(text, answer.status)
  }

  private async read({ body }: Response): Promise<string> {
    try {
      return (await collect(body ?? new ReadableStream<Uint8Array>(), MOST_BYTES)).toString()
    } catch (error) {
      if (!(error instanceof RangeError)) throw unanswered(this.url, error)
      throw new HeddleError('ANSWER_TOO_LARGE', 413, 'That is more than 8 MiB; ask for less at once.')
    }
  }
}

const unanswered = (url: string, cause: unknown) =>
  new HeddleError('NO_ANSWER', 503, `No answer from ${url}; ask again later.`, { cause })

function refusal(text: string, status: number): HeddleError {
  try {
    const { code, reason, detail, error } = JSON.parse(text) as Refusal
    const [violation] = detail ?? []
    if (violation)
      return new HeddleError(
        'INVALID_REQUEST',
        status,
        `${violation.loc?.slice(1).join('.')}: ${violation.msg}`,
      )
    const message = reason ?? error?.message
    if (message !== undefined) return new HeddleError(code ?? error?.reason ?? 'REFUSED', status, message)
  } catch {
    // A proxy's page is no error of ours.
  }
  return errors.internal()
}
