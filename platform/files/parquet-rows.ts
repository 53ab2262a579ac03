/** Reads Parquet files, a group of rows at a time. */
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { isoOfMicros } from '../time/iso.js'

/** A row by columns. Times are ISO 8601 with microseconds, large numbers bigints. */
export type ParquetRow = Readonly<Record<string, unknown>>

export interface ParquetFile {
  rows: number
  /** those from one on, counted from 0 */
  read: (from?: number) => AsyncGenerator<ParquetRow>
}

const parsers = { timestampFromMicroseconds: (micros: bigint) => isoOfMicros(Number(micros)) }

/** @throws Error if it is none */
export async function openParquet(path: string): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  async function* read(from = 0) {
    let end = 0
    for (const { num_rows } of metadata.row_groups) {
      const rowStart = Math.max(end, from)
      end += Number(num_rows)
      if (rowStart < end)
        yield* await parquetReadObjects({ file, metadata, compressors, parsers, rowStart, rowEnd: end })
    }
  }
  return { rows: Number(metadata.num_rows), read }
}
