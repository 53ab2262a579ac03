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
  /** calls that have the number of the first term come first, in this order, which is cheaper to make than that of all */
  numbered?: readonly [number: Term, ...others: Term[]]
}

const MOST_FIELDS = 20

/** The order requested by `sortBy`, with the id as tie-breaker. @throws 422 for an unknown field, 400 for too many */
export function callsOrder(sortBy: readonly SortBy[] | null, fields: Fields): Order {
  // An empty list requests no order; this one is free.
  if (sortBy === null || sortBy.length === 0) return alongKey('asc')
  if (sortBy.length > MOST_FIELDS) throw errors.badRequest(`Sort by at most ${MOST_FIELDS} fields.`)
  const names = sortBy.map(({ field }) => canonicalName(field))
  const values = sortBy.map(({ field, direction }) => {
    const value = fields(field)
    if (!value) throw errors.badField(field.slice(0, 200))
    return { value, direction }
  })
  const termsOf = (some: typeof values) =>
    some.flatMap(({ value, direction }) => orderTerms(value, direction))
  const last = sortBy.at(-1)!
  const idDirection = names.at(-1) === 'started_at' ? last.direction : 'desc'
  if (names[0] === 'started_at') {
    const id = names[1] === 'id' ? sortBy[1]!.direction : names.length === 1 ? idDirection : undefined
    if (id === sortBy[0]!.direction) return alongKey(id)
  }
  const ties: Term[] = names.includes('id') ? [] : [{ value: sql`id`, direction: idDirection }]
  const order: Order = { kind: 'free', terms: [...termsOf(values), ...ties] }
  const [{ value, direction }, ...others] = values as [(typeof values)[0], ...typeof values]
  if (value.kind !== 'json' || !value.number) return order
  return { ...order, numbered: [{ value: value.number, direction }, ...termsOf(others), ...ties] }
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
