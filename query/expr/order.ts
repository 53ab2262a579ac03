/** SQL that sorts by a field. What is not there comes last in either direction. Knows no table. */
import { type Sql, sql } from '../../common/clickhouse/sql.js'
import { asNumber, asText, exists } from './cast.js'
import type { Value } from './value.js'

export type Direction = 'asc' | 'desc'

const DIRECTION: Record<Direction, Sql> = { asc: sql`ASC`, desc: sql`DESC` }

/** The terms of ORDER BY: inside JSON what exists comes first, then numbers by value, then texts. */
export function orderTerms(value: Value, direction: Direction): Sql[] {
  const way = DIRECTION[direction]
  if (value.kind === 'constant') return []
  if (value.kind !== 'json') return [sql`${value.sql} ${way} NULLS LAST`]
  return [sql`${exists(value)} DESC`, sql`${asNumber(value)} ${way} NULLS LAST`, sql`${asText(value)} ${way}`]
}
