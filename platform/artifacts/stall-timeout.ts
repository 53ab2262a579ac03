/**
 * How long a store is waited for: each silence no longer than that, the whole as long as it takes, and no longer than
 * its caller is there. Knows nothing of what is waited for.
 */
import { errors } from '../errors/catalog.js'

export class StallTimeout {
  private readonly silent = new AbortController()
  /** ends what is waited for */
  readonly signal: AbortSignal

  /**
   * @param ms of one silence
   * @param left aborted when nobody wants it any more
   */
  constructor(
    private readonly ms: number,
    left?: AbortSignal,
  ) {
    this.signal = left ? AbortSignal.any([left, this.silent.signal]) : this.silent.signal
  }

  /** What `work` resolves with. @throws `STORE_UNAVAILABLE` (503) whatever goes wrong, or takes too long */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.silent.abort(), this.ms)
    try {
      return await work()
    } catch (error) {
      throw errors.unavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The pieces of a body: only the wait for one counts, not how long its reader takes with it. */
  async *pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const pieces = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { value, done } = await this.wait(() => pieces.next())
        if (done) return
        yield value
      }
    } finally {
      await pieces.return?.()
    }
  }
}
