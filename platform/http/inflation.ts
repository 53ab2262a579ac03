/**
 * How much a compressed body may grow: texts that people send become 5 to 20 times as long, and a repeated one 100
 * times. A body that grows more was made to keep a server busy. Knows nothing of how it is compressed.
 */

export const MOST_TIMES = 200
/** A body up to this size may come out of however little. */
const FREE_BYTES = 4 << 20

/** Most bytes that may come out of `compressed` ones. */
export function mostInflated(compressed: number): number {
  return Math.max(FREE_BYTES, compressed * MOST_TIMES)
}
