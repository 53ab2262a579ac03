/** Ends work that takes too long. */
import { Script } from 'node:vm'

// Only a script's own run has a time limit.
const NAME = 'heddle.bounded'
const script = new Script(`globalThis['${NAME}']()`)
const shared = globalThis as { [NAME]?: (() => unknown) | undefined }

/**
 * Runs `work`, which must have no effects: it is cut off after `ms`, without `finally`, and tried once more, since a
 * machine may have stood still meanwhile. Costs a tenth of a millisecond.
 * @throws what `work` throws, and `late()` when it took too long
 */
export function bounded<T>(ms: number, work: () => T, late: () => Error): T {
  shared[NAME] = work
  try {
    for (let tries = 0; tries < 2; tries++) {
      try {
        return script.runInThisContext({ timeout: ms }) as T
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      }
    }
  } finally {
    shared[NAME] = undefined
  }
  throw late()
}
