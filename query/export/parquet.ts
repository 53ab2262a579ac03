/** The bytes of a SELECT as Parquet, made by the engine, without the whole in memory. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseSettings } from '@clickhouse/client'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { literal, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isAlive } from '../../platform/files/is-alive.js'

/** Rows of calls may be wide: groups of rows are bounded by bytes, since the engine holds one in memory. */
const SETTINGS: ClickHouseSettings = {
  ...READ_SETTINGS,
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_row_group_size_bytes: String(32 << 20),
  output_format_parquet_compression_method: 'zstd',
  // Level 3, the default, takes a third more time for files 7 % smaller.
  output_format_compression_level: 1,
  max_threads: 2,
}

/** Hands the bytes of a SELECT to `use`. */
export type ParquetOf = (
  statement: Sql,
  use: (content: AsyncIterable<Uint8Array>) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

/** Of a server, which streams them. */
export function streamedParquet(store: Store): ParquetOf {
  return async (statement, use, signal) =>
    use(await store.stream(statement, 'Parquet', { settings: SETTINGS, signal }))
}

/**
 * Of an embedded engine, which would make an answer whole, but writes files piece by piece.
 * @param folder for one file of each process, of those on this machine that export at the same time
 */
export function filedParquet(store: Store, folder: string): ParquetOf {
  const file = join(folder, `${process.pid}.parquet`)
  return async (statement, use, signal) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeAbandoned(folder)
    try {
      const insert = sql`INSERT INTO FUNCTION file(${literal(file)}, 'Parquet') ${statement}`
      await store.run(insert, { settings: { ...SETTINGS, engine_file_truncate_on_insert: 1 }, signal })
      await use(createReadStream(file, { highWaterMark: 1 << 20, signal }))
    } finally {
      await rm(file, { force: true })
    }
  }
}

/** Removes the files of processes that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = Number.parseInt(name, 10)
    if (owner !== process.pid && !isAlive(owner)) await rm(join(folder, name), { force: true })
  }
}
