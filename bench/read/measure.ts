/** Runs read scenarios one request at a time over one kept-alive connection, and checks the answers. */
import type { Server } from '../../test/support/server.js'
import { budget, type Row, spread } from '../figures.js'
import { connect, send } from '../load/requests.js'
import { Chance } from '../load/text.js'
import { authorization } from '../subject.js'
import type { Scenario } from './scenario.js'

export interface ReadLimits {
  /** Requests a scenario, at most. */
  requests: number
  /** Seconds a scenario, at most; ten requests are made in any case. */
  seconds: number
}

/** A row a scenario. @param seed of what is drawn for requests @throws Error where an answer isn't what it must be */
export async function measureReads(
  server: Server,
  list: readonly Scenario[],
  limits: ReadLimits,
  seed = 1,
): Promise<Row[]> {
  const client = connect(server)
  try {
    const rows: Row[] = []
    for (const scenario of list) {
      const chance = new Chance(scenario.name.length * 7919 + seed)
      const took: number[] = []
      let bytes = 0
      const until = performance.now() + limits.seconds * 1000
      // The first two are for caches that any second reader finds warm.
      for (let n = -2; n < limits.requests && (n < 10 || performance.now() < until); n++) {
        await scenario.prepare?.()
        const body = JSON.stringify(scenario.body(chance))
        const from = performance.now()
        const text = await send(client, server, { path: scenario.path, body })
        const ms = performance.now() - from
        check(scenario, text)
        if (n < 0) continue
        took.push(ms)
        bytes = Math.max(bytes, text.length)
      }
      const ms = spread(took)
      const target = budget('≤', scenario.target, ms['ms p50'])
      rows.push({ read: scenario.name, ...ms, target, requests: took.length, kB: bytes / 1000 })
    }
    return rows
  } finally {
    await client.close()
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

/** Reads what a stream route answers, as fast as it comes, and counts lines. */
export async function measureExport(server: Server, path: string, asked: object) {
  const client = connect(server)
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
