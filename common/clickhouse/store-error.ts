/** ClickHouse's and the connection's errors as ours. Knows nothing of statements. */
import { ClickHouseError } from '@clickhouse/client'
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'

/** ClickHouse exception types that mean "this query asked for too much". */
const LIMITS: Record<string, string> = {
  MEMORY_LIMIT_EXCEEDED: 'memory',
  TOO_MANY_BYTES: 'bytes to read',
  TOO_MANY_ROWS: 'rows to read',
  TOO_MANY_ROWS_OR_BYTES: 'rows or bytes',
  SET_SIZE_LIMIT_EXCEEDED: 'set size',
  QUERY_IS_TOO_LARGE: 'size of the query itself',
  TOO_BIG_AST: 'size of the query itself',
  TOO_DEEP_AST: 'nesting of the query itself',
  TOO_DEEP_RECURSION: 'nesting of the query itself',
}
const SLOW = new Set(['TIMEOUT_EXCEEDED', 'TOO_SLOW', 'QUERY_WAS_CANCELLED'])
const AWAY = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TOO_MANY_PARTS',
  'NETWORK_ERROR',
  'ALL_CONNECTION_TRIES_FAILED',
  'KEEPER_EXCEPTION',
  'NO_ZOOKEEPER',
  'TABLE_IS_READ_ONLY',
  'NOT_ENOUGH_SPACE',
  'SERVER_OVERLOADED',
  'ABORTED',
])

/** Turns what the client threw into the error that a caller should see; ours pass through. */
export function storeError(error: unknown): HeddleError {
  if (error instanceof HeddleError) return error
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    if (SLOW.has(type)) return errors.tooSlow()
    const limit = LIMITS[type]
    if (limit !== undefined) return errors.limitHit(limit)
    if (AWAY.has(type)) return errors.unavailable(error)
    return new HeddleError('INTERNAL', 500, errors.internal().reason, { cause: error })
  }
  // Everything else is the connection: refused, reset, timed out, ended in the middle.
  return errors.unavailable(error)
}
