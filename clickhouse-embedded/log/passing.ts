/** Which of the engine's errors say nothing of the rows that it was given: a later time, or less at once, may do. Pure. */

export const outOfMemory = 241
export const noSpace = 243

/**
 * By ClickHouse's codes: memory, time, room on the disk, too many parts or statements; what a failing disk lets no file do,
 * from opening it to its sync and its new name; and what the engine has no name for.
 */
const passing = new Set([
  ...[outOfMemory, noSpace, 159, 173, 202, 209, 210, 236, 242, 252, 290, 394, 439, 473, 745],
  ...[74, 75, 76, 77, 84, 87, 88, 172, 204, 214, 294, 400, 424, 458, 504, 521, 531, 586, 641],
  ...[1000, 1001, 1002],
])

/** @param code of an error, by ClickHouse's own table */
export function isPassing(code: number): boolean {
  return passing.has(code)
}
