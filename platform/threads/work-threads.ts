/** Work by name, done here where it is small and in threads where it is large. Knows nothing of what the work is. */
import { SMALL, ThreadPool } from './pool.js'

/** What may be done, by name. */
export type WorkTable = Record<string, (input: never) => unknown>
export type Input<W extends WorkTable, K extends keyof W> = Parameters<W[K]>[0]
export type Done<W extends WorkTable> = ReturnType<W[keyof W]>

export interface Task<W extends WorkTable> {
  kind: keyof W
  input: Input<W, keyof W>
}

export class WorkThreads<W extends WorkTable> {
  private readonly pool: ThreadPool<Task<W>, Done<W>> | undefined

  /** @param entry a thread's entry, which does the same work; undefined: all of it is done here */
  constructor(
    private readonly work: W,
    entry: string | undefined,
  ) {
    this.pool = entry === undefined ? undefined : new ThreadPool(entry)
  }

  /**
   * Does `kind` of work on `input` of about `bytes`. Throws what the work throws.
   * @param handedOver memory of the input that may be gone afterwards
   */
  async run<K extends keyof W>(
    kind: K,
    input: Input<W, K>,
    bytes: number,
    handedOver: readonly ArrayBuffer[] = [],
  ): Promise<ReturnType<W[K]>> {
    if (bytes < SMALL || !this.pool) return this.work[kind]!(input as never) as ReturnType<W[K]>
    return (await this.pool.run({ kind, input }, handedOver)) as ReturnType<W[K]>
  }

  async stop(): Promise<void> {
    await this.pool?.stop()
  }
}
