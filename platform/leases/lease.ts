/**
 * Leases: one holder per name at a time, and a fence, a number that only grows. The holder writes the fence into its
 * rows so that readers can detect a late writer.
 */
import { nextVersion } from '../time/versions.js'

export interface Leases {
  /**
   * Runs `work` while holding the lease called `name`; waits for the previous holder.
   * @param work gets the fence, larger than every earlier fence of this name
   * @throws `BUSY` (409) if the lease was not available in time, and what `work` throws
   */
  hold<T>(name: string, work: (fence: bigint) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Larger at each call: fences restart above written ones even if Redis loses its data, or the clock goes back. */
export function clockFence(): bigint {
  return BigInt(nextVersion())
}
