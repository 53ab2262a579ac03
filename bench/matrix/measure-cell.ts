/** One load on one target, and what it costs the processes that take it. */
import type { Row } from '../figures.js'
import { percentile } from '../figures.js'
import type { Order } from '../load/order.js'
import { runLoad } from '../load/run-load.js'
import { cpuSeconds } from '../processes.js'
import type { Cell } from './cells.js'

/** Where spans go, and whose processor time is counted. */
export interface Target {
  pids: () => readonly number[]
  port: number
  path: string
  headers: Record<string, string>
}

export interface Measured {
  rate: number
  cpuMicros: number
  loadMicros: number
  /** Cores that the target used. */
  cores: number
  p50: number
  p99: number
  acknowledged: number
  refused: number
  nextSerial: number
}

export type CellOrder = Pick<Order, 'project' | 'warmSeconds' | 'seconds' | 'firstSerial'> & {
  rate?: number
  total?: number
}

/** Sends what `cell` says to `target`. */
export async function measureCell(target: Target, cell: Cell, order: CellOrder): Promise<Measured> {
  const { pids, ...where } = target
  const all = pids()
  let cpu = 0
  const outcome = await runLoad(
    { ...where, ...cell, ...order, encoding: 'identity', seed: 1 },
    {
      onMeasuring: () => {
        cpu = cpuSeconds(all)
      },
      onMeasured: () => {
        cpu = cpuSeconds(all) - cpu
      },
    },
  )
  return {
    rate: outcome.acknowledgedSpans / outcome.seconds,
    cpuMicros: (cpu * 1e6) / outcome.acknowledgedSpans,
    loadMicros: outcome.generatorMicros,
    cores: cpu / outcome.seconds,
    p50: percentile(outcome.latencies, 0.5),
    p99: percentile(outcome.latencies, 0.99),
    acknowledged: outcome.allAcknowledgedSpans,
    refused: Object.values(outcome.refused).reduce((sum, count) => sum + count, 0),
    nextSerial: outcome.nextSerial,
  }
}

/** The mean of several, of each number; `nextSerial` is that of the last. */
export function meanOf(all: readonly Measured[]): Measured {
  const mean = (of: (one: Measured) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length
  return {
    rate: mean((one) => one.rate),
    cpuMicros: mean((one) => one.cpuMicros),
    loadMicros: mean((one) => one.loadMicros),
    cores: mean((one) => one.cores),
    p50: mean((one) => one.p50),
    p99: mean((one) => one.p99),
    acknowledged: mean((one) => one.acknowledged),
    refused: mean((one) => one.refused),
    nextSerial: all.at(-1)!.nextSerial,
  }
}

/** The columns of a cell in a table. */
export function columnsOf({ rate, cpuMicros, cores, p50, p99 }: Measured): Row {
  return { 'spans/s': rate, 'server CPU µs/span': cpuMicros, cores, 'ms p50': p50, 'ms p99': p99 }
}

/** Resolves when these processes use less than a tenth of a core, or after some time. */
export async function untilIdle(pids: readonly number[], mostMs: number): Promise<void> {
  const until = performance.now() + mostMs
  for (let before = cpuSeconds(pids); performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const now = cpuSeconds(pids)
    if (now - before < 0.03) return
    before = now
  }
}
