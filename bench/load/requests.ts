/** Sends requests over a few connections; each sends the next request when the previous one is answered. */
import { Client } from 'undici'
import type { Server } from '../../test/support/server.js'
import { authorization } from '../subject.js'

export interface Request {
  path: string
  /** absent: a GET */
  body?: Buffer | string
  headers?: Record<string, string>
}

/** A connection to the server, kept alive; answers may take minutes. */
export function connect(server: Server): Client {
  return new Client(server.url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
}

/** What one request answers. @throws Error where it is not 200 */
export async function send(
  client: Client,
  server: Server,
  { path, body, headers }: Request,
): Promise<string> {
  const answer = await client.request({
    method: body === undefined ? 'GET' : 'POST',
    path,
    body: body ?? null,
    headers: { ...authorization(server), 'content-type': 'application/json', ...headers },
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`)
  return text
}

export interface Load {
  connections: number
  /** how many requests, or for how long */
  count?: number
  seconds?: number
  /** the next request; on this connection the last one was answered */
  make: (n: number, connection: number) => Request
  take?: (text: string, n: number) => void
}

/** Sends them all. @returns ms of each request @throws Error where an answer is not 200 */
export async function sendAll(server: Server, load: Load): Promise<number[]> {
  const { connections, count = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = load
  const ms: number[] = []
  const until = performance.now() + seconds * 1000
  let next = 0
  const one = async (connection: number) => {
    const client = connect(server)
    try {
      for (let n = next++; n < count && performance.now() < until; n = next++) {
        const request = load.make(n, connection)
        const from = performance.now()
        const text = await send(client, server, request)
        ms.push(performance.now() - from)
        load.take?.(text, n)
      }
    } finally {
      await client.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)))
  return ms
}
