/** Runs named work: small tasks in this thread, large ones in a pool. */
import { SMALL, ThreadPool } from './pool.js'

/** The functions that can run, by name. */
export type WorkTable = Record<string, (input: never) => unknown>
export type Input<W extends WorkTable, K extends keyof W> = Parameters<W[K]>[0]
export type Done<W extends WorkTable> = ReturnType<W[keyof W]>

export interface Task<W extends WorkTable> {
  kind: keyof W
  input: Input<W, keyof W>
}

export class WorkThreads<W extends WorkTable> {
  private readonly pool: ThreadPool<Task<W>, Done<W>> | undefined

  /** @param entry a thread's entry, which runs the same work; undefined: everything runs in this thread */
  constructor(
    private readonly work: W,
    entry: string | undefined,
  ) {
    this.pool = entry === undefined ? undefined : new ThreadPool(entry)
  }

  /**
   * Runs the function `kind` on `input` of about `bytes`. Throws what it throws.
   * @param handedOver memory of the input that may be transferred
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
