/** Runs read scenarios one request at a time over one kept-alive connection and keeps how long each took. */
import { Client } from 'undici'
import type { Server } from '../../test/support/server.js'
import { percentile } from '../figures.js'
import { Chance } from '../load/text.js'
import { authorization } from '../subject.js'
import type { Scenario } from './scenario.js'

export interface ReadFigures {
  name: string
  /** Budget, p50 in ms. */
  target?: number
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
    await scenario.prepare?.()
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
    ...(scenario.target === undefined ? {} : { target: scenario.target }),
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    requests: took.length,
    bytes,
  }
}

function check({ name, path, expects, problem }: Scenario, text: string): void {
  const wrong = problem?.(text)
  if (wrong !== undefined) throw new Error(`${name}: ${wrong}: ${text.slice(0, 500)}`)
  if (expects === undefined) return
  const found =
    path === '/calls/query_stats'
      ? Number((JSON.parse(text) as { count: number }).count)
      : text.split('\n').length - 1
  if (expects === 'some' ? found === 0 : found !== expects)
    throw new Error(`${name}: ${found} came back and not ${expects}`)
}

export interface ExportFigures {
  lines: number
  seconds: number
  bytes: number
  firstByteMs: number
}

/** Reads what a stream route answers, as fast as it comes, and counts lines. */
export async function measureExport(server: Server, path: string, asked: object): Promise<ExportFigures> {
  const client = new Client(server.url, { headersTimeout: 300_000, bodyTimeout: 300_000 })
  const headers = { ...authorization(server), 'content-type': 'application/json' }
  const from = performance.now()
  const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify(asked) })
  let firstByteMs = 0
  let bytes = 0
  let lines = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - from
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  }
  const seconds = (performance.now() - from) / 1000
  await client.close()
  return { lines, seconds, bytes, firstByteMs }
}
