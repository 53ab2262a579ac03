/**
 * Memory of bodies that is used again. Fresh memory for each body costs page faults, and a garbage collection for
 * every few dozen megabytes. A body may be given back when it is done with; it need not be. Knows nothing of HTTP.
 */

/** Smaller ones are cheap to make. */
const SMALLEST = 64 * 1024

export class BodyBuffers {
  private readonly free: ArrayBuffer[] = []
  private kept = 0

  /** @param limit most bytes that are kept for later */
  constructor(private readonly limit: number) {}

  /** Room for a body of `length` bytes, its content undefined; the ArrayBuffer may be larger, and is the caller's. */
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

  /** Gives the memory of `body` back. Nobody may look at it any more. */
  give(body: Uint8Array): void {
    const buffer = body.buffer
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < SMALLEST) return
    if (this.kept + buffer.byteLength > this.limit) return
    this.kept += buffer.byteLength
    this.free.push(buffer)
  }
}

/** Sizes in steps of an eighth, so that bodies of nearly one size fit each other's memory. */
function roundUp(length: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(length)) - 3)
  return Math.ceil(length / step) * step
}

/** The bodies of this process. */
export const bodyBuffers = new BodyBuffers(48 * 1024 * 1024)
