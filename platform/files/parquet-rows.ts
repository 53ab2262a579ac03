/** Reads Parquet files, a group of rows at a time. What a group says that it holds is looked at before it is inflated. */
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type RowGroup,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { compressors, decompressZstd } from 'hyparquet-compressors'
import { isoOfMicros } from '../time/iso.js'

/** A row by columns. Times are ISO 8601 with microseconds, large numbers bigints. */
export type ParquetRow = Readonly<Record<string, unknown>>

export interface ParquetFile {
  rows: number
  /** those from one on, counted from 0 */
  read: (from?: number) => AsyncGenerator<ParquetRow>
}

/** The most that a group may hold: a group is in memory as a whole. */
const MOST = { values: 100_000_000, bytes: 2e9 }

/** Each writes as much as the header of its page says, and no more. */
const COMPRESSORS: Compressors = {
  ...compressors,
  ZSTD: (bytes, length) => decompressZstd(bytes, new Uint8Array(length)),
}

const parsers = { timestampFromMicroseconds: (micros: bigint) => isoOfMicros(Number(micros)) }

/** @throws Error if it is none */
export async function openParquet(path: string, most = MOST): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  checkFlat(metadata)
  async function* read(from = 0) {
    let end = 0
    for (const group of metadata.row_groups) {
      const rowStart = Math.max(end, from)
      end += Number(group.num_rows)
      if (rowStart >= end) continue
      await checkGroup(file, group, most)
      const asked = { file, metadata, compressors: COMPRESSORS, parsers, rowStart, rowEnd: end }
      yield* await parquetReadObjects(asked)
    }
  }
  return { rows: Number(metadata.num_rows), read }
}

/** Of nested columns the library may leave a damaged one unread, whose error then ends the process. @throws Error */
function checkFlat({ schema: [, ...columns], row_groups }: FileMetaData): void {
  const names = new Set(columns.map(({ name }) => name))
  const isFlat =
    columns.length > 0 &&
    names.size === columns.length &&
    columns.every(({ num_children, repetition_type }) => !num_children && repetition_type !== 'REPEATED')
  if (!isFlat) throw new Error('its columns are nested')
  for (const { columns: chunks } of row_groups) {
    const paths = chunks.map(({ meta_data }) => meta_data?.path_in_schema.join('.') ?? '')
    if (
      paths.length !== names.size ||
      new Set(paths).size !== names.size ||
      paths.some((one) => !names.has(one))
    )
      throw new Error('its columns are not those that it names')
  }
}

/** @throws Error if a group holds more than memory may, or its headers contradict it */
async function checkGroup(
  file: AsyncBuffer,
  { num_rows, columns }: RowGroup,
  most: typeof MOST,
): Promise<void> {
  if (num_rows > most.values) throw new Error(`a group of ${num_rows} rows; at most ${most.values} are read`)
  let [values, bytes] = [0, 0]
  for (const { meta_data: chunk } of columns) {
    if (chunk === undefined) throw new Error('a column is in another file')
    const from = Number(chunk.dictionary_page_offset || chunk.data_page_offset)
    const length = Number(chunk.total_compressed_size)
    if (!(from >= 0 && length >= 0 && from + length <= file.byteLength))
      throw new Error('a column lies outside of the file')
    const reader = { view: new DataView(await file.slice(from, from + length)), offset: 0 }
    while (reader.offset < length - 1) {
      const page = parquetHeader(reader)
      const { num_values: count = 0 } =
        page.data_page_header ?? page.data_page_header_v2 ?? page.dictionary_page_header ?? {}
      // A size below zero would lead back.
      if (!(page.compressed_page_size >= 0 && page.uncompressed_page_size >= 0 && count >= 0))
        throw new Error('a page has no size')
      reader.offset += page.compressed_page_size
      values += count
      bytes += page.uncompressed_page_size
      if (values > most.values) throw new Error(`a group of more than ${most.values} values`)
      if (bytes > most.bytes) throw new Error(`a group of more than ${most.bytes / 1e6} MB, inflated`)
    }
  }
}
