/** Keeps what callers send to the training interface off the main thread where it is long. Knows nothing of what it is. */
import { SMALL, ThreadPool, threadEntry } from '../../platform/threads/pool.js'
import { type Input, type Kind, type Task, type Work, work } from './task.js'

export class Threads {
  private readonly pool: ThreadPool<Task, ReturnType<Work[Kind]>> | undefined

  constructor() {
    const file = threadEntry(import.meta.url, './worker.js')
    this.pool = file === undefined ? undefined : new ThreadPool(file)
  }

  /** Does `kind` of work on `input` of about `bytes`, which stays as it is. Throws what the work throws. */
  async run<K extends Kind>(kind: K, input: Input<K>, bytes: number): Promise<ReturnType<Work[K]>> {
    if (bytes < SMALL || !this.pool) return work(kind, input)
    return (await this.pool.run({ kind, input })) as ReturnType<Work[K]>
  }

  async stop(): Promise<void> {
    await this.pool?.stop()
  }
}
