/**
 * Limits the length of an expression's SQL. Operands may be repeated in the generated SQL, so a short expression can
 * expand without bound, and planning time grows with the length. Pure.
 */
import { join, type Sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'

/** About 200 conditions on paths. The embedded engine plans them in some 60 MB, of 600 MB for all callers. */
export const LENGTH_LIMIT = 64 << 10

/** Returns `piece`. @throws 422 if it is too long */
export function bounded(piece: Sql): Sql {
  if (piece.length > LENGTH_LIMIT) throw errors.exprTooLarge()
  return piece
}

/** Joins `make(one)` for each of `list`. @throws 422 as soon as the result is too long */
export function joinEach<T>(list: readonly T[], make: (one: T) => Sql, separator: Sql): Sql {
  const pieces: Sql[] = []
  let length = 0
  for (const one of list) {
    const piece = make(one)
    length += piece.length
    if (length > LENGTH_LIMIT) throw errors.exprTooLarge()
    pieces.push(piece)
  }
  return join(pieces, separator)
}
