/**
 * ClickHouse's and the connection's errors as ours: the store is away, it can't take this now, it stopped a statement at
 * a limit, or it refused one. Knows nothing of statements.
 */
import { ClickHouseError, parseError } from '@clickhouse/client'
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
/** What stands behind the answering server is away. */
const AWAY = new Set(['NETWORK_ERROR', 'ALL_CONNECTION_TRIES_FAILED'])
const BUSY = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TOO_MANY_PARTS',
  'KEEPER_EXCEPTION',
  'NO_ZOOKEEPER',
  'TABLE_IS_READ_ONLY',
  'NOT_ENOUGH_SPACE',
  'SERVER_OVERLOADED',
  'ABORTED',
])
/** Of an insert: what it brings has no part in it, and another insert would fare no better. */
const NOT_ITS_FAULT = new Set([
  ...SLOW,
  'MEMORY_LIMIT_EXCEEDED',
  'CANNOT_ALLOCATE_MEMORY',
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'ACCESS_DENIED',
  'AUTHENTICATION_FAILED',
  'READONLY',
  'CANNOT_OPEN_FILE',
  'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
  'CANNOT_FSYNC',
])

/** What is behind a part that can't be read: files of it that are not there, or not as they were written. */
const SPOILED = new Set([
  'CHECKSUM_DOESNT_MATCH',
  'CANNOT_DECOMPRESS',
  'CORRUPTED_DATA',
  'CANNOT_READ_ALL_DATA',
  'ATTEMPT_TO_READ_AFTER_EOF',
  'INCORRECT_DATA',
  'UNKNOWN_COMPRESSION_METHOD',
  'TOO_LARGE_SIZE_COMPRESSED',
  'SIZES_OF_COLUMNS_DOESNT_MATCH',
  'INCORRECT_MARK',
  'CANNOT_READ_FROM_FILE_DESCRIPTOR',
  'FILE_DOESNT_EXIST',
])
const READING_PART = /while reading from part \S*?([^/\s]+)\/? in table \S*?([^.\s]+) /

/** What the client itself says without a code, when there was no answer. */
const NO_ANSWER = /^(Timeout error\.|The user aborted a request\.)/

/** Turns what the client threw into the error that a caller should see; ours pass through. */
export function storeError(error: unknown): HeddleError {
  if (error instanceof HeddleError) return error
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    if (SLOW.has(type)) return errors.tooSlow()
    const limit = LIMITS[type]
    if (limit !== undefined) return errors.limitHit(limit)
    if (AWAY.has(type)) return errors.unavailable(error)
    if (BUSY.has(type)) return errors.storeBusy(error)
    const part = SPOILED.has(type) ? READING_PART.exec(error.message) : null
    if (part) return errors.partUnreadable(`${part[2]}: ${part[1]}`, error)
    return new HeddleError('INTERNAL', 500, errors.internal().reason, { cause: error })
  }
  // With a code it is the connection: refused, reset, ended in the middle. Without, somebody answered.
  if (error instanceof Error && !('code' in error) && !NO_ANSWER.test(error.message))
    return errors.storeBusy(error)
  return errors.unavailable(error)
}

/** The same for an insert of rows: what the store has against the rows themselves is `STORE_REFUSED`. */
export function insertError(error: unknown): HeddleError {
  if (!(error instanceof ClickHouseError)) return storeError(error)
  const type = error.type ?? ''
  if (AWAY.has(type)) return errors.unavailable(error)
  return BUSY.has(type) || NOT_ITS_FAULT.has(type) ? errors.storeBusy(error) : errors.storeRefused(error)
}

/**
 * The error that an answer with this status and text stands for.
 * @param refused what it is when something before ClickHouse will not take the request: often it is too long
 */
export function answerError(
  status: number,
  text: string,
  refused: (cause: Error) => Error = errors.storeRefused,
): Error {
  const error = parseError(text)
  if (error instanceof ClickHouseError) return error
  const said = new Error(`the store answered ${status}: ${text.slice(0, 500)}`)
  if (status === 408 || status === 429) return errors.storeBusy(said)
  // The server of HTTP, before ClickHouse, or a proxy.
  return status < 500 ? refused(said) : errors.unavailable(said)
}

/** True where a part of the rows might have found room. */
export function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof HeddleError ? error.extra.cause : undefined
  return cause instanceof ClickHouseError && cause.type === 'MEMORY_LIMIT_EXCEEDED'
}
