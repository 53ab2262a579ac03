import type { z } from 'zod'
import type { Principal } from './principal.js'
import type { RouteSpec } from './route.js'

export interface Request<Params = unknown, Query = unknown, Body = unknown> {
  params: Params
  query: Query
  /** the parsed body; undefined on raw and streamed routes */
  body: Body
  /** the body as received, in an ArrayBuffer of its own (which may be larger), so it may be transferred to a thread */
  bytes: Uint8Array
  /** the body as a stream, on streamed routes */
  chunks?: AsyncIterable<Uint8Array>
  /** lower-case names */
  headers: ReadonlyMap<string, string>
  /** the caller; may be anonymous on public routes */
  principal: Principal
  /** aborted when the caller leaves */
  signal: AbortSignal
  /** of the client, as far as trusted proxies say; empty once it has left */
  remoteAddress: string
  /** on audited routes: adds to the line that is written when the handler is done */
  note?: (facts: Noted) => void
}

/** What only a handler knows of what it does. */
export interface Noted {
  /** who it is, on routes without a key */
  principal?: Principal
  project?: string
  entity?: string
  /** names of what it is done to; never secrets, keys, addresses or texts of users */
  target?: Readonly<Record<string, unknown>>
}

/** An answer that is not plain JSON with status 200. */
export class Reply {
  constructor(
    readonly status: number,
    readonly contentType: string,
    /** bytes, text, or a stream, which is sent with backpressure */
    readonly body: string | Uint8Array | AsyncIterable<Uint8Array>,
    readonly headers: Record<string, string> = {},
  ) {}

  /** JSON with another status, or finished JSON text. */
  static json(value: unknown, status = 200): Reply {
    return new Reply(status, 'application/json', JSON.stringify(value))
  }
}

export type Handler<Params = unknown, Query = unknown, Body = unknown> = (
  request: Request<Params, Query, Body>,
) => unknown | Promise<unknown>

/** A route declaration with its handler. */
export interface Bound {
  spec: RouteSpec
  handle: Handler
  /**
   * Called with the headers before the body is read; throws to refuse early. `address` tells where the request comes from,
   * as far as the connection shows. The returned function is called when the
   * answer has been sent or the caller has left.
   */
  admit?: (
    headers: ReadonlyMap<string, string>,
    principal: Principal,
    contentLength: number,
    params: Readonly<Record<string, string>>,
    address: () => string,
  ) => () => void
  /** Called before the body is read, beside the caller's rights: what the address itself is good for. Rejects to refuse. */
  check?: (params: unknown, query: unknown, contentLength: number) => Promise<void>
}

/** Binds a handler to a declaration, typed by its schemas. */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  spec: RouteSpec<P, Q, B, A>,
  handle: (request: Request<z.output<P>, z.output<Q>, z.output<B>>) => unknown | Promise<unknown>,
  admit?: Bound['admit'],
): Bound {
  const bound = { spec: spec as unknown as RouteSpec, handle: handle as Handler }
  return admit ? { ...bound, admit } : bound
}
