/** What processes cost: CPU time and resident memory, read from /proc. Linux only. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendants } from '../test/support/processes.js'
import type { Server } from '../test/support/server.js'

/** Ticks of the clock that /proc counts in, a second; 100 on every Linux there is a Node for. */
const TICKS = 100

/** A server process and all below it. */
export function family(pid: number): number[] {
  return [pid, ...descendants(pid)]
}

/** CPU seconds that these processes have used, user and system, all their threads. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const text = read(`/proc/${pid}/stat`)
    if (text === '') continue
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / TICKS
}

/** A server that used less than this of a core for a while merges nothing. */
const IDLE_CORES = 0.05
const LOOK_SECONDS = 3

/** Waits until a server does nothing by itself, as after merges of what was sent to it; at most so many seconds. */
export async function untilIdle(server: Server, mostSeconds: number): Promise<void> {
  const pids = family(server.pid)
  for (let waited = 0; waited < mostSeconds; waited += LOOK_SECONDS) {
    const before = cpuSeconds(pids)
    await sleep(LOOK_SECONDS * 1000)
    if (cpuSeconds(pids) - before < IDLE_CORES * LOOK_SECONDS) return
  }
}

/** Resident bytes of these processes now; one that has ended holds none. */
export function residentBytes(pids: readonly number[]): number {
  let kilobytes = 0
  for (const pid of pids) kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return kilobytes * 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Watches resident memory until told to stop; gives the highest sum seen. */
export function watchMemory(pids: readonly number[]): () => number {
  let peak = residentBytes(pids)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pids))
  }, 100)
  return () => {
    clearInterval(timer)
    return peak
  }
}

export interface Metered<T> {
  value: T
  seconds: number
  cpuSeconds: number
  peakBytes: number
}

/** Does the work; says what it costs the server: time, CPU of all its processes, and the most memory they held. */
export async function metered<T>(server: Server, work: () => Promise<T>): Promise<Metered<T>> {
  const pids = family(server.pid)
  const stopWatching = watchMemory(pids)
  const from = performance.now()
  const cpu = cpuSeconds(pids)
  try {
    const value = await work()
    const seconds = (performance.now() - from) / 1000
    return { value, seconds, cpuSeconds: cpuSeconds(pids) - cpu, peakBytes: stopWatching() }
  } finally {
    stopWatching()
  }
}
