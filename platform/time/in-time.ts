/** Cuts off work in this thread that takes too long, such as running users' schemas. Knows nothing of the work. */
import { createContext, Script } from 'node:vm'

const MILLISECONDS = 100

/** Only its time limit matters: it interrupts loops and patterns alike, wherever they are defined. */
const context = createContext({ run: undefined as unknown })
const script = new Script('run()')

/** The result of `run`, or undefined if it takes too long or recurses too deep. @throws what it throws */
export function inTime<T>(run: () => T): T | undefined {
  context.run = run
  try {
    return script.runInContext(context, { timeout: MILLISECONDS }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    context.run = undefined
  }
}
