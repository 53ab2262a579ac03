/** Posts large bodies over a few connections, each as soon as the one before was answered. */
import { Client } from 'undici'
import type { Server } from '../../test/support/server.js'
import { authorization } from '../subject.js'

export interface Posted {
  path: string
  body: Buffer | string
  headers?: Record<string, string>
}

/**
 * Posts `count` bodies over `connections` connections. `make` gets the number of a body and of its connection, whose
 * last body was answered by then; `take` gets each answer. Fails where an answer is not 200.
 * @returns ms of each request
 */
export async function postAll(
  server: Server,
  connections: number,
  count: number,
  make: (n: number, lane: number) => Posted,
  take: (text: string, n: number) => void,
): Promise<number[]> {
  const latencies: number[] = []
  let next = 0
  const lane = async (which: number) => {
    const client = new Client(server.url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
    try {
      for (let n = next++; n < count; n = next++) {
        const { path, body, headers } = make(n, which)
        const from = performance.now()
        const answer = await client.request({
          method: 'POST',
          path,
          body,
          headers: { ...authorization(server), 'content-type': 'application/json', ...headers },
        })
        const text = await answer.body.text()
        latencies.push(performance.now() - from)
        if (answer.statusCode !== 200)
          throw new Error(`POST ${path}: ${answer.statusCode} ${text.slice(0, 500)}`)
        take(text, n)
      }
    } finally {
      await client.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, which) => lane(which)))
  return latencies
}
