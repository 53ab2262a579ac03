/** Runs read scenarios one request at a time over one kept-alive connection and keeps how long each took. */
import { Client } from 'undici'
import type { Server } from '../../test/support/server.js'
import { percentile } from '../figures.js'
import { Chance } from '../load/text.js'
import { authorization } from '../subject.js'
import type { Scenario } from './scenarios.js'

export interface ReadFigures {
  name: string
  p50: number
  p99: number
  requests: number
  bytes: number
}

export interface ReadLimits {
  /** Requests a scenario, at most. */
  requests: number
  /** Seconds a scenario, at most; ten requests are made in any case. */
  seconds: number
}

/** Measures each scenario; fails where an answer isn't what it must be. */
export async function measureReads(
  server: Server,
  list: readonly Scenario[],
  limits: ReadLimits,
  quiet: boolean,
): Promise<ReadFigures[]> {
  const client = new Client(server.url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
  const figures: ReadFigures[] = []
  try {
    for (const scenario of list) figures.push(await measureOne(client, server, scenario, limits, quiet))
  } finally {
    await client.close()
  }
  return figures
}

async function measureOne(
  client: Client,
  server: Server,
  scenario: Scenario,
  limits: ReadLimits,
  quiet: boolean,
): Promise<ReadFigures> {
  const chance = new Chance(scenario.name.length * 7919 + (quiet ? 1 : 2))
  const headers = { ...authorization(server), 'content-type': 'application/json' }
  const took: number[] = []
  let bytes = 0
  const until = performance.now() + limits.seconds * 1000
  // The first two are for caches that any second reader finds warm.
  for (let n = -2; n < limits.requests && (n < 10 || performance.now() < until); n++) {
    const body = JSON.stringify(scenario.body(chance))
    const from = performance.now()
    const answer = await client.request({ method: 'POST', path: scenario.path, headers, body })
    const text = await answer.body.text()
    const ms = performance.now() - from
    if (answer.statusCode !== 200)
      throw new Error(`${scenario.name}: ${answer.statusCode} ${text.slice(0, 500)}`)
    check(scenario, text)
    if (n < 0) continue
    took.push(ms)
    bytes = Math.max(bytes, text.length)
  }
  took.sort((a, b) => a - b)
  return {
    name: scenario.name,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    requests: took.length,
    bytes,
  }
}

function check({ name, path, expects }: Scenario, text: string): void {
  const found =
    path === '/calls/query_stats'
      ? Number((JSON.parse(text) as { count: number }).count)
      : text.split('\n').length - 1
  if (expects === 'some' ? found === 0 : expects !== undefined && found !== expects)
    throw new Error(`${name}: ${found} came back and not ${expects}`)
}

export interface ExportFigures {
  calls: number
  seconds: number
  bytes: number
  firstByteMs: number
}

/** Streams up to `limit` calls of a project, as fast as they come, and counts lines. */
export async function measureExport(server: Server, project: string, limit: number): Promise<ExportFigures> {
  const client = new Client(server.url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
  const headers = { ...authorization(server), 'content-type': 'application/json' }
  const from = performance.now()
  const body = JSON.stringify({ project_id: project, limit })
  const answer = await client.request({ method: 'POST', path: '/calls/stream_query', headers, body })
  let firstByteMs = 0
  let bytes = 0
  let calls = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - from
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) calls++
  }
  const seconds = (performance.now() - from) / 1000
  await client.close()
  return { calls, seconds, bytes, firstByteMs }
}
