/** How much a Parquet file holds, by its own headers: looked at before anything is inflated. Pure. */
import type { FileMetaData } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'

export const LIMITS = { rows: 1_000_000, values: 20_000_000, bytes: 400_000_000, letters: 400_000_000 }

/** @throws Error if the file holds more than a page can, or its headers contradict it */
export function checkBounds(
  file: ArrayBuffer,
  { num_rows, row_groups }: FileMetaData,
  limits = LIMITS,
): void {
  if (num_rows > limits.rows) throw new TooLarge(`${num_rows} rows; at most ${limits.rows} are read`)
  let [values, bytes] = [0, 0]
  for (const { columns } of row_groups)
    for (const { meta_data: chunk } of columns) {
      if (chunk === undefined) throw new Error('a column is in another file')
      const offset = Number(chunk.dictionary_page_offset || chunk.data_page_offset)
      const view = new DataView(file, offset, Number(chunk.total_compressed_size))
      const reader = { view, offset: 0 }
      while (reader.offset < view.byteLength - 1) {
        const page = parquetHeader(reader)
        const { num_values: count = 0 } =
          page.data_page_header ?? page.data_page_header_v2 ?? page.dictionary_page_header ?? {}
        // A size below zero would lead back.
        if (!(page.compressed_page_size >= 0 && page.uncompressed_page_size >= 0 && count >= 0))
          throw new Error('a page has no size')
        reader.offset += page.compressed_page_size
        values += count
        bytes += page.uncompressed_page_size
        if (values > limits.values) throw new TooLarge(`more than ${limits.values} values`)
        if (bytes > limits.bytes) throw new TooLarge(`more than ${limits.bytes / 1e6} MB, inflated`)
      }
    }
}

/** How many letters the texts of a value have: a dictionary holds a text once that a thousand rows name. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + lengthOf(one), 0)
}

/** A whole file, of which a part should be chosen. */
export class TooLarge extends Error {
  constructor(held: string) {
    super(`The file has ${held}. Choose a part of it.`)
  }
}
