/**
 * Decisions with one winner: work under a name that nobody else does at the same time, and a fence, a number that
 * only grows, to be written into the rows of that work so that readers can tell a late writer. Knows nothing of what
 * is decided.
 */

export interface Leases {
  /**
   * Runs `work` while holding the lease called `name`; waits for the holder before.
   * @param work is given the fence: larger than every fence given before under this name
   * @throws `BUSY` (409) if the lease was not to be had in time, and what `work` throws
   */
  hold<T>(name: string, work: (fence: bigint) => Promise<T>): Promise<T>
  close(): Promise<void>
}

let last = 0n

/** µs since the epoch, larger at each call: also after Redis was lost, fences restart above those already written. */
export function clockFence(): bigint {
  const now = BigInt(Date.now()) * 1000n
  last = now > last ? now : last + 1n
  return last
}
