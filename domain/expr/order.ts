/** SQL that sorts by a field. Absent values come last in both directions. */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import { asNumber, asText, exists, onlyEq } from './cast.js'
import type { Value } from './value.js'

export type Direction = 'asc' | 'desc'

/** One term of ORDER BY. NULLs come last in both directions, the engine's default. */
export interface Term {
  value: Sql
  direction: Direction
}

/** For JSON: existing values first, then numbers by value, then texts. Constants don't sort. */
export function orderTerms(value: Value, direction: Direction): Term[] {
  if (value.kind === 'constant') return []
  if (value.kind === 'member') throw onlyEq()
  if (value.kind !== 'json') return [{ value: value.sql, direction }]
  // What is a number exists, so that numbers may as well come before all else. Their texts aren't read.
  if (value.number)
    return [
      { value: value.number, direction },
      { value: exists(value), direction: 'desc' },
      { value: sql`if(${value.number} IS NULL, ${asText(value)}, '')`, direction },
    ]
  return [
    { value: exists(value), direction: 'desc' },
    { value: asNumber(value), direction },
    { value: asText(value), direction },
  ]
}
