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

/** Measures `GET /version` and, where a project is given, its latest 100 calls. */
export async function measureHttp(
  server: Server,
  project: string | undefined,
  seconds: number,
): Promise<HttpFigures[]> {
  const found: HttpFigures[] = []
  for (const connections of [1, 32])
    found.push(await cannon('GET /version', { url: `${server.url}/version`, connections, duration: seconds }))
  if (project === undefined) return found
  const body = JSON.stringify({
    project_id: project,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 100,
  })
  const headers = { ...authorization(server), 'content-type': 'application/json' }
  for (const connections of [1, 8]) {
    const options = {
      url: `${server.url}/calls/stream_query`,
      method: 'POST' as const,
      body,
      headers,
      connections,
      duration: seconds,
    }
    found.push(await cannon('latest 100', options))
  }
  return found
}

async function cannon(name: string, options: autocannon.Options): Promise<HttpFigures> {
  const { requests, latency, non2xx, errors } = await autocannon(options)
  const connections = options.connections ?? 1
  return {
    name,
    connections,
    requestsPerSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    notOk: non2xx + errors,
  }
}
