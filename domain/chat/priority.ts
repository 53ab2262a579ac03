/** The last of all priorities. */
export const LAST = 2 ** 31 - 1

/**
 * Clamps a caller's priority (any integer, lower is first, 0 is the default) to the 32 bits that queues and nodes
 * accept. Keeps the order; beyond the range, neighbours become equal. Pure.
 */
export function boundedPriority(priority: number): number {
  return Math.max(-(2 ** 31), Math.min(LAST, priority))
}
