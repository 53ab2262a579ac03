/** Memory for the call objects of requests, used again and again, and bounded for each request. */
import { errors } from '../../platform/errors/catalog.js'
import { CELLS, Half, NUMBERS } from './half.js'

/** Most calls in one request; the SDKs halve a batch that is refused as too large. */
export const BATCH_LIMIT = 20_000

/** Halves whose cells are in one array: an array each would cost more than all the rest of a half. */
const SHARED = 512

/** Halves that stay in memory; a multiple of those that share an array. */
const KEPT = 8192

export class HalfPool {
  private readonly halves: Half[] = []
  private cells = new Int32Array(0)
  private numbers = new Float64Array(0)
  private used = 0
  private limit = 0

  /** Begins a request: {@link BATCH_LIMIT} halves may be taken for it. Returns the place to {@link rewind} to. */
  begin(): number {
    this.limit = this.used + BATCH_LIMIT
    return this.used
  }

  /** Frees the halves taken since `mark`. */
  rewind(mark: number): void {
    this.used = mark
  }

  /** @throws TOO_MANY (413) beyond the limit */
  take(): Half {
    if (this.used === this.limit) throw errors.tooMany('calls', BATCH_LIMIT)
    if (this.used === this.halves.length) {
      const index = this.used % SHARED
      if (index === 0) {
        this.cells = new Int32Array(SHARED * CELLS)
        this.numbers = new Float64Array(SHARED * NUMBERS)
      }
      this.halves.push(new Half(this.cells, index * CELLS, this.numbers, index * NUMBERS))
    }
    return this.halves[this.used++]!
  }

  /** All halves are free again; a few thousand stay in memory, and no body does. */
  clear(): void {
    if (this.halves.length > KEPT) this.halves.length = KEPT
    for (const half of this.halves) half.forget()
    this.used = 0
  }
}
