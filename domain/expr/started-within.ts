/** The times within which calls start, where an expression asks nothing else. Pure. */
import type { Operand } from '../../contract/query-expr.js'
import { type Comparison, MIRRORED, storedTime } from './compare.js'
import { comparisonOf } from './compile.js'

/** µs since the epoch of the first and the last start; absent: any. */
export interface StartedWithin {
  since?: number
  until?: number
}

/** @returns undefined where `expr` asks anything else, or may not be understood as the engine does */
export function startedWithin(expr: Operand): StartedWithin | undefined {
  if ('$and' in expr) {
    const each = expr.$and.map(startedWithin)
    return each.length > 0 && each.every((one) => one !== undefined) ? each.reduce(both) : undefined
  }
  const comparison = comparisonOf(expr)
  if (!comparison) return undefined
  const [operator, [left, right]] = comparison
  return '$getField' in right ? of(MIRRORED[operator], right, left) : of(operator, left, right)
}

function of(operator: Comparison, field: Operand, literal: Operand): StartedWithin | undefined {
  if (!('$getField' in field) || field.$getField !== 'started_at' || !('$literal' in literal))
    return undefined
  const { $literal: value } = literal
  const time = typeof value === 'string' || typeof value === 'number' ? storedTime(value) : Number.NaN
  if (Number.isNaN(time)) return undefined
  const within: Record<Comparison, StartedWithin> = {
    $eq: { since: time, until: time },
    $gt: { since: time + 1 },
    $gte: { since: time },
    $lt: { until: time - 1 },
    $lte: { until: time },
  }
  return within[operator]
}

function both(one: StartedWithin, other: StartedWithin): StartedWithin {
  const since = most(Math.max, one.since, other.since)
  const until = most(Math.min, one.until, other.until)
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

const most = (choose: (a: number, b: number) => number, a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : choose(a, b)
