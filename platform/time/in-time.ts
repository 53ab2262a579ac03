/** Cuts off work in this thread that takes too long, such as running users' schemas. */
import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'

/** Of the processor. */
const MILLISECONDS = 100
/** Work that a busy machine has kept waiting is tried again with twice the time, up to this (ms). */
const LONGEST_MS = 1_600

/** Only its time limit matters: it interrupts loops and patterns alike, wherever they are defined. */
const context = createContext({ run: undefined as unknown })
const script = new Script('run()')

/**
 * The result of `run`, or undefined if it takes too long or recurses too deep.
 * @param run without effects: it may be begun several times
 * @throws what it throws
 */
export function inTime<T>(run: () => T): T | undefined {
  for (let limit = MILLISECONDS; limit <= LONGEST_MS; limit *= 2) {
    const before = threadMs()
    try {
      context.run = run
      return script.runInContext(context, { timeout: limit }) as T
    } catch (error) {
      if (error instanceof RangeError) return undefined
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      context.run = undefined
    }
    if (threadMs() - before >= 0.8 * MILLISECONDS) return undefined
  }
  return undefined
}

/** This thread's time on the processor; where the system does not tell it, the process's, which is more. */
export function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
