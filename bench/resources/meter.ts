/** What a piece of work costs the server: time, CPU of all its processes, and the most memory they held. */
import type { Server } from '../../test/support/server.js'
import { cpuSeconds, family, watchMemory } from '../processes.js'

export interface Metered<T> {
  value: T
  seconds: number
  cpuSeconds: number
  peakBytes: number
}

/** Does the work and measures meanwhile. */
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
