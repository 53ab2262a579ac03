/** Runs this service's long tasks off the main thread. */
import { threadEntry } from '../../platform/threads/pool.js'
import { type Input, WorkThreads } from '../../platform/threads/work-threads.js'
import { memoryOf } from './memory.js'
import { WORK } from './task.js'

type Work = typeof WORK

export class Workers {
  private readonly threads = new WorkThreads(WORK, threadEntry(import.meta.url, './worker.js'))

  /**
   * Runs the task `kind` on `input`, whose typed arrays are transferred away. Throws the task's errors.
   * @param bytes the approximate size of an input that is not bytes
   */
  run<K extends keyof Work>(
    kind: K,
    input: Input<Work, K>,
    bytes = input instanceof Uint8Array ? input.length : 0,
  ): Promise<ReturnType<Work[K]>> {
    return this.threads.run(kind, input, bytes, memoryOf(input))
  }

  stop(): Promise<void> {
    return this.threads.stop()
  }
}
