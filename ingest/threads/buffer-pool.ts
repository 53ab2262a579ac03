/**
 * Memory that blocks are encoded into, shared by the threads, a fixed number of pieces used again and again. Moved from
 * thread to thread a block would be news to the collector of each: both went through their whole heaps for every batch.
 * Shared memory they don't count, so none of it may be left to them: what is taken comes back.
 */

/** Room for a full block (48 MiB) and the request that goes over it; pages that are never written take no memory. */
const SIZE = 64 << 20

/** What a store that failed may still be reading is left alone for so many ms. */
const REST_MS = 60_000

export class BufferPool {
  private readonly free: SharedArrayBuffer[] = []
  private left: number

  /** @param most pieces there will ever be */
  constructor(most: number) {
    this.left = most
  }

  /** A piece of memory; undefined if all are in use. */
  take(): SharedArrayBuffer | undefined {
    const buffer = this.free.pop()
    if (buffer !== undefined || this.left === 0) return buffer
    this.left--
    return new SharedArrayBuffer(SIZE)
  }

  /** Gives back what nobody reads any more. */
  give(buffer: SharedArrayBuffer): void {
    this.free.push(buffer)
  }

  /** Gives back what somebody may still be reading. */
  giveLater(buffer: SharedArrayBuffer): void {
    setTimeout(() => this.give(buffer), REST_MS).unref()
  }
}
