/**
 * What the service adds to a model node: the same streamed completion of the demo model asked for at the node itself
 * and at each interface of the service, in turns, and what CPU time each process has for an answer.
 * `node dist/bench/chat.js`; BENCH_SECONDS: of each turn (default 4); BENCH_CALLERS: how many at once (default 1,8,32);
 * BENCH_ROUNDS (default 3); BENCH_INTERFACES (default chat,messages,responses).
 */
import { freePorts } from '../test/support/ports.js'
import { Server } from '../test/support/server.js'
import { until } from '../test/support/until.js'
import { type Ask, direct, type Interface, loop, service, type Times } from './chat/callers.js'
import { Costs } from './chat/costs.js'
import { startNode } from './chat/node.js'
import { percentile, type Row, table } from './figures.js'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const turns = Number(process.env.BENCH_ROUNDS ?? 3)
const callerCounts = (process.env.BENCH_CALLERS ?? '1,8,32').split(',').map(Number)

const names = (process.env.BENCH_INTERFACES ?? 'chat,messages,responses').split(',') as Interface[]

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
const atNode = direct(node.address)
const atService = names.map((name) => ({ name, ...service(`http://127.0.0.1:${port}`, server.key, name) }))
try {
  for (const { name, ask } of atService) await until(`${name} to answer`, async () => (await ask()).whole > 0)
  const costs = new Costs(server.pid, node.pid)
  const rows: Row[] = []
  for (const callers of callerCounts) rows.push(...(await compare(callers, costs)))
  process.stdout.write(`${table(rows)}\n`)
} finally {
  for (const { close } of [atNode, ...atService]) close()
  await server.dispose()
  await node.stop()
}

/** Alternates, so that all see the same machine. */
async function compare(callers: number, costs: Costs): Promise<Row[]> {
  const ways = [{ name: 'the node', ask: atNode.ask }, ...atService].map(({ name, ask }) => {
    const into: Measured = { times: [], cpu: costs.none }
    return { name, ask, into }
  })
  for (let turn = 0; turn < turns; turn++)
    for (const { ask, into } of ways) await measure(into, ask, callers, costs)
  const [bare, ...rows] = ways.map(({ name, into }) => row(callers, name, into, costs))
  const added = (one: Columns, column: keyof Columns) => one[column] - bare![column]
  return [
    bare!,
    ...rows.flatMap((one) => [
      one,
      {
        ...{ 'at once': callers, 'asked at': `${one['asked at']} adds` },
        ...{ 'first token ms p50': added(one, 'first token ms p50') },
        ...{ 'whole ms p50': added(one, 'whole ms p50') },
      },
    ]),
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
