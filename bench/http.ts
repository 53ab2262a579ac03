/** Requests a second of the bare route. */
import type { Server } from '../test/support/server.js'
import { type Figures, type Row, spread } from './figures.js'
import { Connection, requestHead } from './load/connection.js'

const SECONDS = 5
const NOTHING = Buffer.alloc(0)

/** Measures `GET /version`. */
export async function measureHttp(server: Server): Promise<Figures> {
  const head = requestHead('GET', '/version', 0, {})
  const rows: Row[] = []
  for (const connections of [1, 32]) {
    const ms: number[] = []
    const until = performance.now() + SECONDS * 1000
    const one = async () => {
      const connection = new Connection(server.ports[0])
      for (let from = performance.now(); from < until; from = performance.now()) {
        const { status } = await connection.send(head, NOTHING)
        if (status !== 200) throw new Error(`GET /version answers ${status}`)
        ms.push(performance.now() - from)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: connections }, one))
    rows.push({ request: 'GET /version', connections, 'requests/s': ms.length / SECONDS, ...spread(ms) })
  }
  return ['## HTTP', rows]
}
