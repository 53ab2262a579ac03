/** Whether the store's disk takes writes: by what statements met last, and by what is free. */
import { leftFree } from '../../platform/clickhouse/disk-room.js'
import type { Observed, Store } from '../../platform/clickhouse/store.js'
import { type DiskBytes, diskBytes } from '../retention/space.js'

/** A refused write says for so long that the disk is full, unless one succeeds. */
const SAID_MS = 30_000

export class StoreRoom {
  private refusedAt = Number.NEGATIVE_INFINITY
  private failedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly now = () => performance.now()) {}

  /** Notes how a statement ended. */
  readonly note = ({ kind, failed }: Pick<Observed, 'kind' | 'failed'>): void => {
    if (failed === 'STORE_FULL') this.refusedAt = this.now()
    else if (failed === 'STORE_DISK_FAILED') this.failedAt = this.now()
    else if (kind === 'insert' && failed === undefined)
      this.refusedAt = this.failedAt = Number.NEGATIVE_INFINITY
  }

  /** True if writes are refused for want of room. @param disk the fullest one */
  isFull({ free, size }: Pick<DiskBytes, 'free' | 'size'>): boolean {
    return free < leftFree(size) || this.now() - this.refusedAt < SAID_MS
  }

  /** Why writes are refused, for `/readyz/writes`; undefined if they aren't. */
  async check(store: Store): Promise<string | undefined> {
    if (this.now() - this.failedAt < SAID_MS) return "the store's disk fails"
    const space = await diskBytes(store).catch(() => undefined)
    if (space === undefined || !this.isFull(space)) return undefined
    return `the store's disk is full: ${Math.floor(space.free / 2 ** 20)} MiB free`
  }
}
