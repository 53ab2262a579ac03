/** HTTP figures by autocannon: the bare route, and a page under several readers at once. */
import autocannon from 'autocannon'
import type { Server } from '../test/support/server.js'
import { authorization } from './subject.js'

export interface HttpFigures {
  name: string
  connections: number
  requestsPerSecond: number
  p50: number
  p99: number
  notOk: number
}

/** Measures `GET /version`. */
export async function measureHttp(server: Server, seconds: number): Promise<HttpFigures[]> {
  const found: HttpFigures[] = []
  for (const connections of [1, 32])
    found.push(await cannon('GET /version', { url: `${server.url}/version`, connections, duration: seconds }))
  return found
}

/** Measures the latest 100 calls of a project. */
export async function measurePages(server: Server, project: string, seconds: number): Promise<HttpFigures[]> {
  const body = JSON.stringify({
    project_id: project,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 100,
  })
  const found: HttpFigures[] = []
  for (const connections of [1, 8])
    found.push(
      await cannon('latest 100', {
        ...posting(server, '/calls/stream_query'),
        body,
        connections,
        duration: seconds,
      }),
    )
  return found
}

/** Options of a load that posts JSON. */
export function posting(server: Server, path: string): autocannon.Options {
  const headers = { ...authorization(server), 'content-type': 'application/json' }
  return { url: `${server.url}${path}`, method: 'POST', headers }
}

/** Runs a load; answers other than 2xx, broken connections and bodies that `verifyBody` refuses are not ok. */
export async function cannon(name: string, options: autocannon.Options): Promise<HttpFigures> {
  const from = performance.now()
  let last = from
  const { latency, non2xx, errors, mismatches, ...found } = await new Promise<autocannon.Result>(
    (done, fail) => {
      const run = autocannon(options, (error: Error | null, result) => (error ? fail(error) : done(result)))
      // It looks only once a second whether all is answered, and takes that moment for the end.
      run.on('response', () => {
        last = performance.now()
      })
    },
  )
  const connections = options.connections ?? 1
  return {
    name,
    connections,
    requestsPerSecond: (found['2xx'] / (last - from)) * 1000,
    p50: latency.p50,
    p99: latency.p99,
    notOk: non2xx + errors + mismatches,
  }
}
