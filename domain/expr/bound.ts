/**
 * How long the SQL of an expression may get. An operand can stand several times in what is made of it, so that a short
 * expression may mean a text without end; and the store's time to plan a text grows with its length. Pure.
 */
import { join, type Sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'

/** Two hundred conditions on paths. Planning them takes the embedded engine some 60 MB, of the 600 that all callers have. */
export const LENGTH_LIMIT = 64 << 10

/** `piece` itself. @throws 422 if it is too long */
export function bounded(piece: Sql): Sql {
  if (piece.length > LENGTH_LIMIT) throw errors.exprTooLarge()
  return piece
}

/** What `make` makes of each of `list`, joined. @throws 422 as soon as it is too long, whatever is still to come */
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
