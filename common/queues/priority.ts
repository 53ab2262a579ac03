/**
 * From a caller's priority (any whole number, lower comes first, 0 is usual) to a place in a queue and on a node, both
 * of which take smaller ranges. Order is kept; far from 0, where the ranges end, neighbours become equal. Pure.
 */

/** BullMQ's priorities are 1 to 2^21; 0 would be before all of them. */
const MIDDLE = 2 ** 20
const REACH = MIDDLE - 1

/** The priority of a job. */
export function jobPriority(priority: number): number {
  return MIDDLE + Math.max(-REACH, Math.min(REACH, priority))
}

/** The priority of a request on a node: 32 bits. */
export function nodePriority(priority: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, priority))
}
