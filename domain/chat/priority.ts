/**
 * A caller's priority (any whole number, lower comes first, 0 is usual) within the 32 bits that queues and nodes take.
 * Order is kept; beyond the range, neighbours become equal. Pure.
 */
export function boundedPriority(priority: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, priority))
}
