/**
 * A pool of memory for bodies. Fresh memory for each body costs page faults, and a garbage collection every few dozen
 * megabytes. Returning a body to the pool is optional.
 */

/** Smaller buffers are cheap to allocate. */
const SMALLEST = 64 * 1024

export class BodyBuffers {
  private readonly free: ArrayBuffer[] = []
  private kept = 0

  /** @param limit most bytes that the pool keeps */
  constructor(private readonly limit: number) {}

  /** Memory for a body of `length` bytes, uninitialised. The caller owns the ArrayBuffer, which may be larger. */
  take(length: number): Uint8Array {
    if (length >= SMALLEST) {
      for (let i = this.free.length - 1; i >= 0; i--) {
        const buffer = this.free[i]!
        if (buffer.byteLength < length || buffer.byteLength > length * 2) continue
        this.free.splice(i, 1)
        this.kept -= buffer.byteLength
        return new Uint8Array(buffer, 0, length)
      }
    }
    return new Uint8Array(length < SMALLEST ? length : roundUp(length)).subarray(0, length)
  }

  /** Returns the memory of `body` to the pool. The caller must not use it afterwards. */
  give(body: Uint8Array): void {
    const buffer = body.buffer
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < SMALLEST) return
    if (this.kept + buffer.byteLength > this.limit) return
    this.kept += buffer.byteLength
    this.free.push(buffer)
  }
}

/** Rounds sizes up in steps of an eighth, so that bodies of similar size can share buffers. */
function roundUp(length: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(length)) - 3)
  return Math.ceil(length / step) * step
}

/** The pool of this process. */
export const bodyBuffers = new BodyBuffers(64 << 20)
