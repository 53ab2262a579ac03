/** Keeps long work of this service off the main thread. Knows nothing of what is in it. */
import { threadEntry } from '../../platform/threads/pool.js'
import { type Input, WorkThreads } from '../../platform/threads/work-threads.js'
import { memoryOf } from './memory.js'
import { WORK } from './task.js'

type Work = typeof WORK

export class Workers {
  private readonly threads = new WorkThreads(WORK, threadEntry(import.meta.url, './worker.js'))

  /**
   * Does `kind` of work on `input`; the memory of bytes and numbers in it is gone afterwards. Throws what the work throws.
   * @param bytes the size of an input that is not bytes, nearly
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
