/** Requests a second of the bare route, by autocannon. */
import autocannon from 'autocannon'
import type { Server } from '../test/support/server.js'
import type { Figures, Row } from './figures.js'

const SECONDS = 5

/** Measures `GET /version`. @throws Error where an answer is not 200 */
export async function measureHttp(server: Server): Promise<Figures> {
  const rows: Row[] = []
  for (const connections of [1, 32]) {
    const found = await autocannon({ url: `${server.url}/version`, connections, duration: SECONDS })
    const notOk = found.non2xx + found.errors
    if (notOk > 0) throw new Error(`GET /version: ${notOk} answers are not 200`)
    rows.push({
      request: 'GET /version',
      connections,
      'requests/s': found.requests.average,
      'ms p50': found.latency.p50,
      'ms p99': found.latency.p99,
    })
  }
  return ['## HTTP (autocannon)', rows]
}
