/**
 * The engine's native binding, as this room uses it. The package's own JavaScript surface hides the number
 * of written rows and the statement counter, and waits for every query of the process before it closes one
 * connection; so this file, and no other, reaches beneath it.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** An open connection; opaque. */
export type Connection = { readonly __connection: unique symbol }
/** A running streamed query; opaque. */
export type Cursor = { readonly __cursor: unique symbol }

export type Chunk = { bytes: Uint8Array<ArrayBuffer>; numRows: number; done: boolean }
export type Materialized = {
  bytes: Uint8Array<ArrayBuffer>
  elapsed: number
  rowsRead: number
  bytesRead: number
}
export type Written = { elapsed: number; rowsWritten: number; bytesWritten: number }

/** What the engine's own parser says of a text. `statementCount` 0: it did not parse. */
export type Analysis = { statementCount: number; queryClass: number }
/** Statements that read only; those that change the session (SET, USE, KILL, SYSTEM, INTO OUTFILE). */
export const READ_ONLY = 0
export const CONTROL = 3

export type Native = {
  CreateConnection(path: string, args: string[]): Connection
  CloseConnection(connection: Connection): void
  /** Blocks the calling thread; the result is cut at a NUL byte. */
  QueryWithConnection(connection: Connection, sql: string, format: string): string
  QueryWithParamsConnection(
    connection: Connection,
    sql: string,
    format: string,
    params: Record<string, string>,
  ): string
  QueryAsyncConnection(connection: Connection, sql: string, format: string): Promise<Materialized>
  /** Runs `prefix + '\n' + data`; the only call that tells the number of written rows. */
  InsertRawAsyncConnection(
    connection: Connection,
    prefix: string,
    data: Uint8Array,
    countLines: boolean,
  ): Promise<Written>
  /** Blocks the calling thread while the query is parsed, planned, and its scalar subqueries are run. */
  StreamQuery(connection: Connection, sql: string, format: string): Cursor
  StreamFetch(cursor: Cursor): Promise<Chunk>
  StreamCancel(cursor: Cursor): void
  DurableClassifyAsync(connection: Connection, sql: string, database: string): Promise<Analysis>
}

/**
 * Loads the binding for this platform.
 * @throws Error where the engine has no build for the platform.
 */
export function loadNative(): Native {
  const require = createRequire(import.meta.url)
  const loader = join(dirname(require.resolve('chdb')), 'dist', 'loader.js')
  const { loadNative: load } = require(loader) as { loadNative(): Native }
  return load()
}
