/**
 * Limits how long a store may be silent, but not how long the whole transfer takes, and stops when the caller leaves.
 */
import { errors } from '../errors/catalog.js'

export class StallTimeout {
  private readonly silent = new AbortController()
  /** aborts the transfer */
  readonly signal: AbortSignal

  /**
   * @param ms longest silence
   * @param left aborted when the caller no longer needs the result
   */
  constructor(
    private readonly ms: number,
    left?: AbortSignal,
  ) {
    this.signal = left ? AbortSignal.any([left, this.silent.signal]) : this.silent.signal
  }

  /** Awaits `work`. @throws `STORE_UNAVAILABLE` (503) if it fails or takes too long */
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

  /** The chunks of a body. Only waiting for the store counts, not the time that the reader takes. */
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
