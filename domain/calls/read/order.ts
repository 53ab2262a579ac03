/** The order of a list of calls (contract §2.1). Pure. */

import { canonicalName } from '../../../contract/aliases.js'
import type { SortBy } from '../../../contract/calls-read.js'
import { type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import { type Direction, orderTerms, type Term } from '../../expr/order.js'
import type { Fields } from '../../expr/value.js'

/** `key`: along the tables' sorting key, so that rows are already in order. */
export interface Order {
  kind: 'key' | 'free'
  terms: readonly Term[]
}

const MOST_FIELDS = 20

/** The order requested by `sortBy`, with the id as tie-breaker. @throws 422 for an unknown field, 400 for too many */
export function callsOrder(sortBy: readonly SortBy[] | null, fields: Fields): Order {
  // An empty list requests no order; this one is free.
  if (sortBy === null || sortBy.length === 0) return alongKey('asc')
  if (sortBy.length > MOST_FIELDS) throw errors.badRequest(`Sort by at most ${MOST_FIELDS} fields.`)
  const names = sortBy.map(({ field }) => canonicalName(field))
  const terms = sortBy.flatMap(({ field, direction }) => {
    const value = fields(field)
    if (!value) throw errors.badField(field.slice(0, 200))
    return orderTerms(value, direction)
  })
  const last = sortBy.at(-1)!
  const idDirection = names.at(-1) === 'started_at' ? last.direction : 'desc'
  if (names[0] === 'started_at') {
    const id = names[1] === 'id' ? sortBy[1]!.direction : names.length === 1 ? idDirection : undefined
    if (id === sortBy[0]!.direction) return alongKey(id)
  }
  return {
    kind: 'free',
    terms: names.includes('id') ? terms : [...terms, { value: sql`id`, direction: idDirection }],
  }
}

/** By start, and by id where starts are equal. */
export function alongKey(direction: Direction): Order {
  return {
    kind: 'key',
    terms: [
      { value: sql`started_at`, direction },
      { value: sql`id`, direction },
    ],
  }
}

export const WAY: Record<Direction, Sql> = { asc: sql`ASC`, desc: sql`DESC` }
