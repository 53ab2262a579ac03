/** Write scenarios: acknowledged spans per second, CPU, latency, and a check that all spans are stored. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../test/support/root.js'
import type { Server } from '../test/support/server.js'
import { measureDecode } from './baseline/decode.js'
import { type Figures, type Row, same, spread } from './figures.js'
import type { Order, Outcome } from './load/order.js'
import { runLoad } from './load/run-load.js'
import { cpuSeconds, family, watchMemory } from './processes.js'
import { authorization, say } from './subject.js'

/** Spans per request, and the number of connections. */
const SIZES = [
  [1_000, 64],
  [100, 256],
] as const
const WARM_SECONDS = 3
const BASELINE_SECONDS = 4

/** Full rate for each size and encoding, then a tenth of the rate that each size reached. */
export async function measureIngest(server: Server, seconds: number): Promise<Figures> {
  const rows: Row[] = []
  let firstSerial = 0
  const run = async (spans: number, encoding: Order['encoding'], connections: number, rate?: number) => {
    const name = `${spans} spans, ${encoding}${rate === undefined ? '' : ', a tenth of the rate'}`
    const project = `bench/${name.replaceAll(/[^a-z0-9]+/g, '-')}`
    const pids = family(server.pid)
    const stopWatching = watchMemory(pids)
    const order = {
      ...{ ...target(server, project), spans, encoding, connections, warmSeconds: WARM_SECONDS, seconds },
      ...{ ...(rate !== undefined && { rate }), firstSerial, seed: 1 },
    }
    const { outcome, ...rates } = await costOf(order, pids)
    const { latencies, bytesPerSpan, generatorMicros, refused, allAcknowledgedSpans, nextSerial } = outcome
    const { 'spans/s': reached, 'CPU µs/span': cpu } = rates
    rows.push({
      ...{ scenario: name, connections, 'spans/s': reached, 'server CPU µs/span': cpu },
      ...{ 'load CPU µs/span': generatorMicros, 'bytes/span': bytesPerSpan },
      ...{
        ...spread(latencies),
        'ms max': latencies.at(-1) ?? Number.NaN,
        'peak RSS MB': stopWatching() / 1e6,
      },
      ...{ acknowledged: allAcknowledgedSpans },
      stored: same(await server.api.count(project), allAcknowledgedSpans),
      refused:
        Object.entries(refused)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', ') || 'none',
    })
    firstSerial = nextSerial
    say(`${name}: ${Math.round(reached)} spans/s`)
    return reached
  }
  for (const [spans, connections] of SIZES) {
    const reached = await run(spans, 'identity', connections)
    await run(spans, 'gzip', connections)
    await run(spans, 'identity', 32, reached / 10)
  }
  return [
    '## Writing: OTLP protobuf, acknowledged when stored and queryable',
    'Spans with 12 attributes and 2 events. Milliseconds are of a request.',
    rows,
  ]
}

/** Runs a load. @returns its result, and the costs of the processes `pids` */
async function costOf(
  order: Order,
  pids: readonly number[],
): Promise<{ outcome: Outcome; 'spans/s': number; 'CPU µs/span': number }> {
  let cpu = 0
  const outcome = await runLoad(order, {
    onMeasuring: () => {
      cpu = cpuSeconds(pids)
    },
    onMeasured: () => {
      cpu = cpuSeconds(pids) - cpu
    },
  })
  const { acknowledgedSpans, seconds } = outcome
  return {
    outcome,
    'spans/s': acknowledgedSpans / seconds,
    'CPU µs/span': (cpu * 1e6) / Math.max(1, acknowledgedSpans),
  }
}

/** Where spans of a project go. */
export function target(
  server: Server,
  project: string,
): Pick<Order, 'port' | 'path' | 'headers' | 'project'> {
  const headers = { ...authorization(server), 'content-type': 'application/x-protobuf' }
  return { port: server.ports[0], path: '/otel/v1/traces', headers, project }
}

/** The parts alone, in the same run: receiving the same bodies, and decoding them the plain way. */
export async function measureBaselines(): Promise<Figures> {
  const bare = fork(join(import.meta.dirname, 'baseline/receive.js'), { stdio: 'inherit' })
  const [port] = (await once(bare, 'message')) as [number]
  const rows: Row[] = []
  for (const [spans, connections] of SIZES) {
    const order: Order = {
      ...{ port, path: '/', headers: { 'content-type': 'application/x-protobuf' }, project: 'bench/bare' },
      ...{ spans, encoding: 'identity', connections, warmSeconds: 1, seconds: BASELINE_SECONDS },
      ...{ firstSerial: 0, seed: 1 },
    }
    const { outcome: _, ...rates } = await costOf(order, [bare.pid ?? 0])
    rows.push({ part: `uWebSockets.js receives and drops, ${spans} spans a request`, ...rates })
  }
  bare.disconnect()
  const micros = measureDecode(join(root, 'proto/otlp/trace.proto'), 1_000, BASELINE_SECONDS)
  const part = 'protobufjs decodes to objects, 1,000 spans a request'
  return ['The parts alone, in the same run:', [...rows, { part, 'spans/s': '–', 'CPU µs/span': micros }]]
}
