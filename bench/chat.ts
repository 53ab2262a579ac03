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
import { percentile, type Row, table } from './figures.js'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const turns = Number(process.env.BENCH_ROUNDS ?? 3)
const callerCounts = (process.env.BENCH_CALLERS ?? '1,8,32').split(',').map(Number)

const node = await startNode()
if (!node) throw new Error('run scripts/model-server.sh first')
const [port = 0] = await freePorts(1)
const server = await Server.start({
  env: {
    HEDDLE_LOG_LEVEL: 'warn',
    HEDDLE_CHAT: 'true',
    HEDDLE_TRAINING_PORT: String(port),
    HEDDLE_NODES: node.address,
  },
})
const ways = { direct: direct(node.address), service: service(`http://127.0.0.1:${port}`, server.key) }
try {
  await until('the service to answer', async () => (await ways.service.ask()).whole > 0)
  const costs = new Costs(server.pid, node.pid)
  const rows: Row[] = []
  for (const callers of callerCounts) rows.push(...(await compare(callers, costs)))
  process.stdout.write(`${table(rows)}\n`)
} finally {
  ways.direct.close()
  ways.service.close()
  await server.dispose()
  await node.stop()
}

/** Alternates, so that both see the same machine. */
async function compare(callers: number, costs: Costs): Promise<Row[]> {
  const atNode: Measured = { times: [], cpu: costs.none }
  const atService: Measured = { times: [], cpu: costs.none }
  for (let turn = 0; turn < turns; turn++) {
    await measure(atNode, ways.direct.ask, callers, costs)
    await measure(atService, ways.service.ask, callers, costs)
  }
  const rows = [row(callers, 'the node', atNode, costs), row(callers, 'the service', atService, costs)]
  const added = (column: keyof Columns) => rows[1]![column] - rows[0]![column]
  return [
    ...rows,
    {
      ...{ 'at once': callers, 'asked at': 'added' },
      ...{ 'first token ms p50': added('first token ms p50'), 'whole ms p50': added('whole ms p50') },
    },
  ]
}

interface Measured {
  times: Times[]
  /** CPU seconds of each process */
  cpu: number[]
}

async function measure(into: Measured, ask: Ask, callers: number, costs: Costs): Promise<void> {
  // The first half second is left out.
  await loop(ask, callers, 0.5)
  const before = costs.now()
  into.times.push(...(await loop(ask, callers, seconds)))
  into.cpu = costs.now().map((value, i) => into.cpu[i]! + value - before[i]!)
}

interface Columns {
  'first token ms p50': number
  'whole ms p50': number
}

function row(callers: number, name: string, { times, cpu }: Measured, costs: Costs): Row & Columns {
  const at = (what: keyof Times, part: number) =>
    percentile(
      times.map((one) => one[what]),
      part,
    )
  return {
    ...{ 'at once': callers, 'asked at': name },
    ...{ 'first token ms p50': at('first', 0.5), 'first token ms p99': at('first', 0.99) },
    ...{ 'whole ms p50': at('whole', 0.5), 'whole ms p99': at('whole', 0.99) },
    'answers/s': times.length / (turns * seconds),
    ...Object.fromEntries(costs.names.map((cost, i) => [cost, (cpu[i]! / times.length) * 1000])),
  }
}
