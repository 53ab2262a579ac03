/**
 * What the service adds to a model node: the same streamed completion of the demo model asked for at the node itself
 * and at the service, in turns. `node dist/bench/chat.js`; BENCH_SECONDS: of each turn (default 4).
 */
import { freePorts } from '../test/support/ports.js'
import { Server } from '../test/support/server.js'
import { until } from '../test/support/until.js'
import { type Ask, direct, loop, service, type Times } from './chat/callers.js'
import { startNode } from './chat/node.js'
import { table } from './figures.js'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const TURNS = 3

async function main(): Promise<void> {
  const node = await startNode()
  if (!node) throw new Error('run scripts/model-server.sh first')
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const server = await Server.start({
    env: {
      HEDDLE_LOG_LEVEL: 'warn',
      HEDDLE_CHAT: 'true',
      HEDDLE_TRAINING_PORT: String(port),
      HEDDLE_NODES: node.address,
    },
  })
  const ways = { direct: direct(node.address), service: service(url, server.key) }
  try {
    await until('the service to answer', async () => (await ways.service.ask()).whole > 0)
    const rows: string[][] = []
    for (const callers of [1, 8, 32])
      rows.push(...(await compare(ways.direct.ask, ways.service.ask, callers)))
    const head = ['at once', 'asked at', 'first token ms p50 / p99', 'whole ms p50 / p99', 'answers/s']
    process.stdout.write(`${table(head, rows)}\n`)
  } finally {
    ways.direct.close()
    ways.service.close()
    await server.dispose()
    await node.stop()
  }
}

/** Turns about, so that both see the same machine. */
async function compare(atNode: Ask, atService: Ask, callers: number): Promise<string[][]> {
  const node: Times[] = []
  const served: Times[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    node.push(...(await loop(atNode, callers, seconds)))
    served.push(...(await loop(atService, callers, seconds)))
  }
  const added = ['first', 'whole'].map((what) =>
    (at(served, what as keyof Times, 0.5) - at(node, what as keyof Times, 0.5)).toFixed(2),
  )
  return [
    row(callers, 'the node', node),
    row(callers, 'the service', served),
    [String(callers), 'added', added[0]!, added[1]!, ''],
  ]
}

function row(callers: number, name: string, times: readonly Times[]): string[] {
  const cell = (what: keyof Times) =>
    `${at(times, what, 0.5).toFixed(2)} / ${at(times, what, 0.99).toFixed(2)}`
  const perSecond = times.length / (TURNS * seconds)
  return [String(callers), name, cell('first'), cell('whole'), perSecond.toFixed(0)]
}

/** The quantile of one time. */
function at(times: readonly Times[], what: keyof Times, part: number): number {
  const sorted = times.map((one) => one[what]).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

await main()
