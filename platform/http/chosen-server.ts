/** The server that an app listens by: uWebSockets.js, or `node:http` where the setting says so. */

import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { createRequire } from 'node:module'
import { nodeServer } from './node-server.js'
import { HANDLED, type Handler, type HttpServer } from './server.js'

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
