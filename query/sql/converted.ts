/**
 * Results in formats that an embedded engine makes whole, in its memory: it streams the rows in its own format into a
 * file, and makes the other format of that file piece by piece. Only the first of both statements is the caller's.
 */
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { literal, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { Scratch } from '../../platform/files/scratch.js'
import { ROW_GROUPS } from '../export/parquet.js'

export class Converted {
  private readonly scratch: Scratch

  /** @param folder for files of results until they are read */
  constructor(
    private readonly store: Store,
    folder: string,
  ) {
    this.scratch = new Scratch(folder)
  }

  /**
   * The bytes in `format`; undefined for a result without rows, whose columns nothing tells.
   * @param native the result in the format Native
   */
  bytes(
    native: AsyncIterable<Uint8Array>,
    format: string,
    options: { limits: Limits; signal: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.scratch.file((from) =>
      this.scratch.file(async (to) => {
        const file = createWriteStream(from, { flags: 'wx', mode: 0o600 })
        await pipeline(native, file, { signal: options.signal })
        if (file.bytesWritten === 0) return undefined
        const rows = sql`SELECT * FROM file(${literal(from)}, 'Native')`
        const insert = sql`INSERT INTO FUNCTION file(${literal(to)}, ${literal(format)}) ${rows}`
        await this.store.run(insert, { ...options, settings: ROW_GROUPS })
        // Its name goes now, and the bytes when they are read.
        return (await open(to)).createReadStream({ highWaterMark: 1 << 20 })
      }),
    )
  }
}
