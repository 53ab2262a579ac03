/** Rows of a Parquet file, in JavaScript alone: the pages' policy refuses WebAssembly. Pure. */
import { decompress as zstd } from 'fzstd'
import { type Compressors, parquetMetadata, parquetRead, parquetSchema } from 'hyparquet'
import { decompressBrotli } from 'hyparquet-compressors/src/brotli.js'
import { gunzip } from 'hyparquet-compressors/src/gzip.js'
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js'
import { parseJson } from '../../api/json'
import { own, type Row } from '../row'
import { checkBounds, LIMITS, lengthOf, TooLarge } from './bounds'
import { isExact, jsonOf, timeOf } from './value'

/** Each writes as much as the header of its page says, and no more. Snappy is the library's own. */
const COMPRESSORS: Compressors = {
  GZIP: (bytes, length) => gunzip(bytes, new Uint8Array(length)),
  ZSTD: (bytes, length) => zstd(bytes, new Uint8Array(length)),
  BROTLI: decompressBrotli,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
}
/** Numbers that pandas gives rows of which some were left out. */
const INDEX = /^__index_level_\d+__$/

/** @throws Error that says what to do */
export async function parquetRows(file: ArrayBuffer): Promise<Row[]> {
  try {
    return await rowsOf(file)
  } catch (error) {
    if (error instanceof TooLarge) throw error
    throw new Error(
      `This Parquet file is damaged, or has something that is not read here (${error instanceof Error ? error.message : String(error)}). Make JSON lines of it, for example with pandas: read_parquet("rows.parquet").to_json("rows.jsonl", orient="records", lines=True).`,
    )
  }
}

async function rowsOf(file: ArrayBuffer): Promise<Row[]> {
  const metadata = parquetMetadata(file, { geoparquet: false })
  checkBounds(file, metadata)
  const columns = parquetSchema(metadata).children.filter(({ element: { name } }) => !INDEX.test(name))
  const schema = metadata.schema.map((element) =>
    isExact(element) ? { ...element, converted_type: undefined, logical_type: undefined } : element,
  )
  const rows: Row[] = []
  let letters = 0
  await parquetRead({
    file,
    metadata: { ...metadata, schema },
    columns: columns.map(({ element: { name } }) => name),
    compressors: COMPRESSORS,
    utf8: false,
    parsers: {
      timestampFromNanoseconds: (count) => `${timeOf(count, 9)}Z`,
      jsonFromBytes: (bytes) => bytes && parseJson(new TextDecoder().decode(bytes)),
    },
    onComplete: (lists: unknown[][]) => {
      for (const values of lists) {
        const row: Row = {}
        for (const [i, column] of columns.entries()) own(row, column.element.name, jsonOf(values[i], column))
        letters += lengthOf(row)
        if (letters > LIMITS.letters) throw new TooLarge(`texts of more than ${LIMITS.letters / 1e6} MB`)
        rows.push(row)
      }
    },
  })
  return rows
}
