/**
 * What the service adds to a model node: the same streamed completion of the demo model asked for at the node itself
 * and at the service, in turns, and what CPU time each process has for an answer. `node dist/bench/chat.js`;
 * BENCH_SECONDS: of each turn (default 4); BENCH_CALLERS: how many at once (default 1,8,32); BENCH_ROUNDS (default 3).
 */
import { freePorts } from '../test/support/ports.js'
import { Server } from '../test/support/server.js'
import { until } from '../test/support/until.js'
import { type Ask, direct, loop, service, type Times } from './chat/callers.js'
import { Costs } from './chat/costs.js'
import { startNode } from './chat/node.js'
import { table } from './figures.js'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const turns = Number(process.env.BENCH_ROUNDS ?? 3)
const callerCounts = (process.env.BENCH_CALLERS ?? '1,8,32').split(',').map(Number)

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
    const costs = new Costs(server.pid, node.pid)
    const rows: string[][] = []
    for (const callers of callerCounts)
      rows.push(...(await compare(ways.direct.ask, ways.service.ask, callers, costs)))
    const head = [
      'at once',
      'asked at',
      'first token ms p50 / p99',
      'whole ms p50 / p99',
      'answers/s',
      ...costs.names,
    ]
    process.stdout.write(`${table(head, rows)}\n`)
  } finally {
    ways.direct.close()
    ways.service.close()
    await server.dispose()
    await node.stop()
  }
}

/** Turns about, so that both see the same machine. */
async function compare(atNode: Ask, atService: Ask, callers: number, costs: Costs): Promise<string[][]> {
  const node: Measured = { times: [], cpu: costs.none }
  const served: Measured = { times: [], cpu: costs.none }
  for (let turn = 0; turn < turns; turn++) {
    await measure(node, atNode, callers, costs)
    await measure(served, atService, callers, costs)
  }
  const added = ['first', 'whole'].map((what) =>
    (at(served.times, what as keyof Times, 0.5) - at(node.times, what as keyof Times, 0.5)).toFixed(2),
  )
  return [
    row(callers, 'the node', node),
    row(callers, 'the service', served),
    [String(callers), 'added', added[0]!, added[1]!, '', ...costs.names.map(() => '')],
  ]
}

interface Measured {
  times: Times[]
  /** CPU seconds of each process */
  cpu: number[]
}

async function measure(into: Measured, ask: Ask, callers: number, costs: Costs): Promise<void> {
  // What the first half second brings is left out.
  await loop(ask, callers, 0.5)
  const before = costs.now()
  into.times.push(...(await loop(ask, callers, seconds)))
  into.cpu = costs.now().map((value, i) => into.cpu[i]! + value - before[i]!)
}

function row(callers: number, name: string, { times, cpu }: Measured): string[] {
  const cell = (what: keyof Times) =>
    `${at(times, what, 0.5).toFixed(2)} / ${at(times, what, 0.99).toFixed(2)}`
  const perSecond = times.length / (turns * seconds)
  const costs = cpu.map((value) => ((value / times.length) * 1000).toFixed(2))
  return [String(callers), name, cell('first'), cell('whole'), perSecond.toFixed(0), ...costs]
}

/** The quantile of one time. */
function at(times: readonly Times[], what: keyof Times, part: number): number {
  const sorted = times.map((one) => one[what]).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

await main()
