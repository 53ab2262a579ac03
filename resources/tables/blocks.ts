/** Encodes a table's rows and list as blocks for the store, which may run in a thread. Pure. */
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { RowBinary } from '../../platform/clickhouse/row-binary.js'
import { DigestList, type ListMemory } from './digest-list.js'
import type { RowSet } from './rows.js'
import type { Spot, TableKey } from './sql.js'

/** Which row is at which position. */
export interface Placing {
  table: TableKey
  rows: RowSet
  /** the index in `rows` of the row at each of `positions` */
  order: Uint32Array<ArrayBuffer>
  /** undefined: 0, 1, 2, … */
  positions?: Uint32Array<ArrayBuffer>
  /** rows that are already stored, as `placesOf` gives them in RowBinary */
  known: Uint8Array<ArrayBuffer>
  /** the upload id of the new rows */
  upload: number
}

export interface Blocks {
  /** block of `table_rows` */
  rows: Uint8Array
  /** block of `table_index` */
  list: Uint8Array
  /** total bytes of the list's rows */
  bytes: number
  /** the given digests, for the answer */
  digests: ListMemory
  order: Uint32Array<ArrayBuffer>
}

/** Makes the blocks: new rows for `table_rows`, and one row per position for `table_index`. */
export function tableBlocks({ table, rows, order, positions, known, upload }: Placing): Blocks {
  const digests = DigestList.over(rows.digests)
  const places = new Map(spotsIn(known))
  const block = new RowBinary(rows.texts.length + digests.length * 96 + 64)
  const sizeOf = (row: number) => rows.ends[row]! - (rows.ends[row - 1] ?? 0)
  let n = 0
  for (let row = 0; row < digests.length; row++) {
    const digest = digests.at(row)
    if (places.has(digest)) continue
    places.set(digest, { upload, n })
    block.ascii(table.project)
    block.uint64(upload)
    block.uint32(n++)
    block.ascii(digest)
    block.blob(rows.texts, rows.ends[row - 1] ?? 0, rows.ends[row]!)
    block.uint64(sizeOf(row))
  }
  const list = new RowBinary(order.length * 160 + 64)
  let bytes = 0
  for (const [i, row] of order.entries()) {
    const digest = digests.at(row)
    const place = places.get(digest)!
    list.ascii(table.project)
    list.ascii(table.digest)
    list.uint32(positions?.[i] ?? i)
    list.ascii(digest)
    list.uint64(place.upload)
    list.uint32(place.n)
    list.uint64(sizeOf(row))
    bytes += sizeOf(row)
  }
  return { rows: block.bytes(), list: list.bytes(), bytes, digests: rows.digests, order }
}

/** Rows of `digest`, `upload`, `n`. */
function* spotsIn(known: Uint8Array): Generator<[string, Spot]> {
  const bytes = bufferOf(known)
  for (let at = 0; at < bytes.length; ) {
    const size = bytes[at]!
    const end = at + 1 + size
    const upload = bytes.readUInt32LE(end) + bytes.readUInt32LE(end + 4) * 2 ** 32
    yield [bytes.toString('latin1', at + 1, end), { upload, n: bytes.readUInt32LE(end + 8) }]
    at = end + 12
  }
}
