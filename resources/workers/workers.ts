/** Keeps long work of this service off the main thread. Knows nothing of what is in it. */
import { SMALL, ThreadPool, threadEntry } from '../../platform/threads/pool.js'
import { type Input, type Kind, type Task, type Work, work } from './task.js'

export class Workers {
  private readonly pool: ThreadPool<Task, ReturnType<Work[Kind]>> | undefined

  constructor() {
    const file = threadEntry(import.meta.url, './worker.js')
    this.pool = file === undefined ? undefined : new ThreadPool(file)
  }

  /**
   * Does `kind` of work on `input`; the memory of bytes, also of its field `bytes`, is gone afterwards. Throws what the work throws.
   * @param bytes of what is no bytes, nearly
   */
  async run<K extends Kind>(
    kind: K,
    input: Input<K>,
    bytes = input instanceof Uint8Array ? input.length : 0,
  ): Promise<ReturnType<Work[K]>> {
    if (bytes < SMALL || !this.pool) return work(kind, input)
    const done = await this.pool.run({ kind, input }, handedOver(input))
    return done as ReturnType<Work[K]>
  }

  async stop(): Promise<void> {
    await this.pool?.stop()
  }
}

function handedOver(input: unknown): Uint8Array[] {
  if (input instanceof Uint8Array) return [input]
  const bytes = typeof input === 'object' && input !== null && 'bytes' in input ? input.bytes : undefined
  return bytes instanceof Uint8Array ? [bytes] : []
}
