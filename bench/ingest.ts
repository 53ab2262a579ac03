/** Write scenarios: spans acknowledged a second, what they cost, how long they take, and that all are stored. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../test/support/root.js'
import type { Server } from '../test/support/server.js'
import { measureDecode } from './baseline/decode.js'
import { percentile } from './figures.js'
import type { Order, Outcome } from './load/order.js'
import { runLoad } from './load/run-load.js'
import { cpuSeconds, family, watchMemory } from './processes.js'
import { authorization } from './subject.js'

export interface IngestFigures {
  name: string
  spansPerRequest: number
  encoding: 'identity' | 'gzip'
  connections: number
  /** Spans a second asked for; undefined: as fast as answers come. */
  rate: number | undefined
  spansPerSecond: number
  /** CPU µs a span of all server processes, the load process excluded. */
  cpuMicros: number
  /** CPU µs a span of the load process. */
  generatorMicros: number
  peakBytes: number
  p50: number
  p99: number
  max: number
  acknowledged: number
  stored: number
  refused: Record<string, number>
  bytesPerSpan: number
}

export interface Baseline {
  name: string
  /** Requests a second; undefined where it isn't about requests. */
  spansPerSecond: number | undefined
  cpuMicros: number
}

export interface IngestOptions {
  warmSeconds: number
  seconds: number
  onProgress: (text: string) => void
}

/** Full rate for each size and encoding, then a tenth of the rate that each size reached. */
export async function measureIngest(server: Server, options: IngestOptions): Promise<IngestFigures[]> {
  const figures: IngestFigures[] = []
  let serial = 0
  const run = async (
    spansPerRequest: number,
    encoding: 'identity' | 'gzip',
    connections: number,
    rate?: number,
  ) => {
    const found = await measureOne(server, {
      spansPerRequest,
      encoding,
      connections,
      rate,
      firstSerial: serial,
      options,
    })
    serial = found.nextSerial
    figures.push(found.figures)
    options.onProgress(`${found.figures.name}: ${Math.round(found.figures.spansPerSecond)} spans/s`)
    return found.figures.spansPerSecond
  }
  for (const [spans, connections] of [
    [1_000, 64],
    [100, 256],
  ] as const) {
    const reached = await run(spans, 'identity', connections)
    await run(spans, 'gzip', connections)
    await run(spans, 'identity', 32, reached / 10)
  }
  return figures
}

interface One {
  spansPerRequest: number
  encoding: 'identity' | 'gzip'
  connections: number
  rate: number | undefined
  firstSerial: number
  options: IngestOptions
}

async function measureOne(server: Server, one: One): Promise<{ figures: IngestFigures; nextSerial: number }> {
  const { spansPerRequest, encoding, connections, rate, firstSerial, options } = one
  const name = `${spansPerRequest} spans, ${encoding}${rate === undefined ? '' : ', a tenth of the rate'}`
  const project = `bench/${name.replaceAll(/[^a-z0-9]+/g, '-')}`
  const pids = family(server.pid)
  const stopWatching = watchMemory(pids)
  let cpu = 0
  const order: Order = {
    ...target(server, project),
    spans: spansPerRequest,
    encoding,
    connections,
    warmSeconds: options.warmSeconds,
    seconds: options.seconds,
    ...(rate === undefined ? {} : { rate }),
    firstSerial,
    seed: 1,
  }
  const outcome = await runLoad(order, {
    onMeasuring: () => {
      cpu = cpuSeconds(pids)
    },
    onMeasured: () => {
      cpu = cpuSeconds(pids) - cpu
    },
  })
  const stored = await server.api.count(project)
  return {
    nextSerial: outcome.nextSerial,
    figures: {
      name,
      spansPerRequest,
      encoding,
      connections,
      rate,
      ...rates(outcome, cpu),
      peakBytes: stopWatching(),
      acknowledged: outcome.allAcknowledgedSpans,
      stored,
      refused: outcome.refused,
    },
  }
}

function rates(outcome: Outcome, cpu: number) {
  const { acknowledgedSpans, seconds, latencies, generatorMicros, bytesPerSpan } = outcome
  return {
    spansPerSecond: acknowledgedSpans / seconds,
    cpuMicros: (cpu * 1e6) / Math.max(1, acknowledgedSpans),
    generatorMicros,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: latencies.at(-1) ?? Number.NaN,
    bytesPerSpan,
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
export async function measureBaselines(seconds: number): Promise<Baseline[]> {
  const found: Baseline[] = []
  const bare = fork(join(import.meta.dirname, 'baseline/receive.js'), { stdio: 'inherit' })
  const [port] = (await once(bare, 'message')) as [number]
  const pids = [bare.pid ?? 0]
  for (const [spans, connections] of [
    [1_000, 64],
    [100, 256],
  ] as const) {
    let cpu = 0
    const headers = { 'content-type': 'application/x-protobuf' }
    const outcome = await runLoad(
      {
        port,
        path: '/',
        headers,
        project: 'bench/bare',
        spans,
        encoding: 'identity',
        connections,
        warmSeconds: 1,
        seconds,
        firstSerial: 0,
        seed: 1,
      },
      {
        onMeasuring: () => {
          cpu = cpuSeconds(pids)
        },
        onMeasured: () => {
          cpu = cpuSeconds(pids) - cpu
        },
      },
    )
    const { spansPerSecond, cpuMicros } = rates(outcome, cpu)
    found.push({
      name: `uWebSockets.js receives and drops, ${spans} spans a request`,
      spansPerSecond,
      cpuMicros,
    })
  }
  bare.disconnect()
  const cpuMicros = measureDecode(join(root, 'proto/otlp/trace.proto'), 1_000, seconds)
  found.push({
    name: 'protobufjs decodes to objects, 1,000 spans a request',
    spansPerSecond: undefined,
    cpuMicros,
  })
  return found
}
