/**
 * What this folder needs of an HTTP server: uWebSockets.js, whose objects are of these types as they are, or `node:http`
 * behind `node-server.ts`. A request can be read in the tick of its handler alone, which also says who wants its body.
 */

import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { createRequire } from 'node:module'
import { nodeServer } from './node-server.js'

/** A request's first line and headers. */
export interface Incoming {
  /** in lower case */
  getMethod(): string
  /** the path as it was sent */
  getUrl(): string
  /** what is behind the question mark; empty: nothing */
  getQuery(): string
  /** '' if it was not sent; of names in lower case */
  getHeader(name: string): string
  forEach(see: (name: string, value: string) => void): void
  /** the named segment at this place of the pattern, as sent */
  getParameter(index: number): string | undefined
}

/** A request's body and its answer. Nothing but what `onAborted` was given is called once the caller has left. */
export interface Outgoing {
  onAborted(act: () => void): unknown
  /** @param take gets pieces that are valid until it returns */
  onData(take: (piece: ArrayBuffer | Uint8Array, last: boolean) => void): unknown
  /** stops reading from the connection */
  pause(): void
  resume(): void
  /** sends what `write` writes in as few packets as possible */
  cork(write: () => void): unknown
  writeStatus(line: string): unknown
  writeHeader(name: string, value: string): unknown
  /** @returns false: wait for `onWritable` */
  write(chunk: string | Uint8Array): boolean
  onWritable(act: () => boolean): unknown
  /** @param close ends the connection with the answer */
  end(body?: string | Uint8Array, close?: boolean): unknown
  /** @param length what the body of an answer to GET would have; undefined: not known */
  endWithoutBody(length?: number, close?: boolean): unknown
  /** ends the connection now */
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer | Uint8Array
}

export type Handler = (res: Outgoing, req: Incoming) => void
const HANDLED = ['get', 'head', 'post', 'put', 'patch', 'del', 'any'] as const

export interface HttpServer
  extends Record<(typeof HANDLED)[number], (pattern: string, handle: Handler) => void> {
  /** Open connections. */
  readonly connections: number
  /** @returns the port; undefined if it is taken */
  listen(host: string, port: number): Promise<number | undefined>
  /** Ends all connections. */
  close(): void
}

/** Most bytes of a request's head. The 4 KiB of uWebSockets.js are too few for a proxy's cookies or a tracer's baggage. */
const HEAD_BYTES = 32 << 10
/** A connection that sends nothing where it should, or no further request, is closed after this. */
const IDLE_MS = 10_000

/** What `HEDDLE_HTTP_SERVER` names. It is read here, since every process has apps, before and without its other settings. */
export function chosenServer(): HttpServer {
  if (process.env.HEDDLE_HTTP_SERVER !== 'node') return uwsServer()
  return nodeServer({ headBytes: HEAD_BYTES, idleMs: IDLE_MS })
}

/** Without it, two processes on one port would silently share its requests. */
const EXCLUSIVE_PORT = 1
/** The binding takes host and options together; its type declarations don't say so. */
type Listen = (
  host: string,
  port: number,
  options: number,
  then: (socket: us_listen_socket | false) => void,
) => void

function uwsServer(): HttpServer {
  // It reads this from the environment when it is loaded, which fails where it has no binary.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(HEAD_BYTES)
  const uws = createRequire(import.meta.url)('uWebSockets.js') as typeof import('uWebSockets.js')
  const app = uws.App()
  let listening: us_listen_socket | undefined
  let connections = 0
  const counted = (_: unknown, change: number) => {
    connections += change
  }
  // The type declares the object that wraps a number.
  app.filter(counted as Parameters<TemplatedApp['filter']>[0])
  const on = (name: (typeof HANDLED)[number]) => (pattern: string, handle: Handler) =>
    void app[name](pattern, handle)
  return {
    ...(Object.fromEntries(HANDLED.map((name) => [name, on(name)])) as Pick<
      HttpServer,
      (typeof HANDLED)[number]
    >),
    get connections() {
      return connections
    },
    listen: (host, port) =>
      new Promise((resolve) => {
        ;(app.listen.bind(app) as unknown as Listen)(host, port, EXCLUSIVE_PORT, (socket) => {
          if (!socket) return resolve(undefined)
          listening = socket
          resolve(uws.us_socket_local_port(socket))
        })
      }),
    close: () => {
      if (listening) uws.us_listen_socket_close(listening)
      app.close()
    },
  }
}
