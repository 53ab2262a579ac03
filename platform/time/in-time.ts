/** Cuts off work in this thread that takes too long: for schemas and the like that users wrote. Knows nothing of it. */
import { createContext, Script } from 'node:vm'

const MILLISECONDS = 100

/** Only its time limit is used: it ends loops and patterns alike, wherever they were defined. */
const context = createContext({ run: undefined as unknown })
const script = new Script('run()')

/** What `run` returns, or undefined if it takes too long or goes too deep. @throws what it throws */
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
