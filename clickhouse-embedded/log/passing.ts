/** Which of the engine's errors say nothing of the rows that it was given: a later time, or less at once, may do. Pure. */
import { PASSING_ERRORS } from '../../platform/clickhouse/passing-errors.js'

export const outOfMemory = PASSING_ERRORS.MEMORY_LIMIT_EXCEEDED
export const noSpace = PASSING_ERRORS.NOT_ENOUGH_SPACE

/** What the engine has no name for. */
const unnamed = [1000, 1001, 1002]
const passing = new Set<number>([...Object.values(PASSING_ERRORS), ...unnamed])

/** @param code of an error, by ClickHouse's own table */
export function isPassing(code: number): boolean {
  return passing.has(code)
}
