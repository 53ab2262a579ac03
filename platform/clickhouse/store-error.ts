/**
 * Maps ClickHouse and connection errors to ours: the store is unreachable, is busy, stopped a statement at a limit, or
 * refused one.
 */
import { ClickHouseError, parseError } from '@clickhouse/client'
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'
import { FILE_ERRORS, PASSING_ERRORS } from './passing-errors.js'

/** ClickHouse exception types that mean "this query exceeds a limit". */
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
/** A server behind the answering one is unreachable. */
const AWAY = new Set(['NETWORK_ERROR', 'ALL_CONNECTION_TRIES_FAILED'])
const BUSY = new Set([...Object.keys(PASSING_ERRORS), 'KEEPER_EXCEPTION', 'NO_ZOOKEEPER'])
/** What ClickHouse says when all statements together use too much memory: this one may be small. */
const SERVER_LIMIT = /\(total\)/
/** What ClickHouse says of a file that it could not write because the disk is full. */
const NO_SPACE = /errno: 28\b|No space left on device|\bENOSPC\b|\bEDQUOT\b/
/** What it says of a disk that fails, or that the system has made read-only because of that. */
const DISK_FAILED = /errno: (?:5|30)\b|Input\/output error|Read-only file system|\bEIO\b|\bEROFS\b/
/** Errors of files: others repeat texts of statements and rows, which may say anything. */
const OF_FILES = new Set([
  ...Object.keys(FILE_ERRORS),
  ...['NOT_ENOUGH_SPACE', 'STD_EXCEPTION', 'POCO_EXCEPTION', 'UNKNOWN_EXCEPTION', ''],
])
/** What is wrong with the store, not with an insert's rows; another insert would fail, too. */
const NOT_SET_UP = new Set([
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'ACCESS_DENIED',
  'AUTHENTICATION_FAILED',
  'READONLY',
])

/** Causes of an unreadable part: its files are missing or corrupt. */
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

/** Maps an error of the client to the one that a caller sees; our own errors pass through. */
export function storeError(error: unknown): HeddleError {
  if (error instanceof HeddleError) return error
  if (error instanceof ClickHouseError) {
    const type = error.type ?? ''
    const diskError = ofDisk(error)
    if (diskError) return diskError
    if (SLOW.has(type)) return errors.tooSlow()
    if (type === 'MEMORY_LIMIT_EXCEEDED' && SERVER_LIMIT.test(error.message)) return errors.storeBusy(error)
    const limit = LIMITS[type]
    if (limit !== undefined) return errors.limitHit(limit)
    if (AWAY.has(type)) return errors.unavailable(error)
    const part = SPOILED.has(type) ? READING_PART.exec(error.message) : null
    if (part) return errors.partUnreadable(`${part[2]}: ${part[1]}`, error)
    if (BUSY.has(type)) return errors.storeBusy(error)
    return new HeddleError('INTERNAL', 500, errors.internal().reason, { cause: error })
  }
  // Errors with a code are connection errors: refused, reset, broken off. Without one, the server answered.
  if (error instanceof Error && !('code' in error)) return errors.storeBusy(error)
  return errors.unavailable(error)
}

/** Like {@link storeError} for inserts: rows that the store rejects become `STORE_REFUSED`. */
export function insertError(error: unknown): HeddleError {
  if (!(error instanceof ClickHouseError)) return storeError(error)
  const type = error.type ?? ''
  const diskError = ofDisk(error)
  if (diskError) return diskError
  if (AWAY.has(type)) return errors.unavailable(error)
  return BUSY.has(type) || SLOW.has(type) || NOT_SET_UP.has(type)
    ? errors.storeBusy(error)
    : errors.storeRefused(error)
}

/** The error where the store's disk is to blame. */
function ofDisk(error: ClickHouseError): HeddleError | undefined {
  const { type, message } = error
  if (!OF_FILES.has(type ?? '')) return undefined
  if (type === 'NOT_ENOUGH_SPACE' || NO_SPACE.test(message)) return errors.storeFull(error)
  return DISK_FAILED.test(message) ? errors.diskFailed(error) : undefined
}

/**
 * The error for an answer with this status and text.
 * @param refused makes the error for a request that a server before ClickHouse rejects, often as too long
 */
export function answerError(
  status: number,
  text: string,
  refused: (cause: Error) => Error = errors.storeRefused,
): Error {
  const error = parseError(text)
  if (error instanceof ClickHouseError) return error
  const answered = new Error(`the store answered ${status}: ${text.slice(0, 500)}`)
  if (status === 408 || status === 429) return errors.storeBusy(answered)
  // ClickHouse's HTTP server, or a proxy.
  return status < 500 ? refused(answered) : errors.unavailable(answered)
}

/** True if a smaller part of the rows might have fit. */
export function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof HeddleError ? error.extra.cause : undefined
  return cause instanceof ClickHouseError && cause.type === 'MEMORY_LIMIT_EXCEEDED'
}
