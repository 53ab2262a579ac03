/** Rows of the table `files` as ClickHouse's RowBinary reads them. Pure. */
import { RowBinary } from '../../platform/clickhouse/row-binary.js'

/** Content is cut into pieces of this size, so that no row is large. */
export const CHUNK = 1 << 20

export const FILE_COLUMNS = 'project_id, digest, chunk, chunks, name, content, bytes, created_at, ver'

/** One file to be stored. */
export interface NewFile {
  /** internal id */
  project: string
  digest: string
  name: string
  content: Uint8Array
}

/**
 * The rows of a file, as pieces to be written one after the other; content is not copied.
 * @param outside the content lies elsewhere: one row that says so by having no chunks
 */
export function fileRows(
  { project, digest, name, content }: NewFile,
  ver: number,
  outside: boolean,
): Uint8Array[] {
  const chunks = outside ? 0 : Math.max(1, Math.ceil(content.length / CHUNK))
  const pieces: Uint8Array[] = []
  for (let chunk = 0; chunk < Math.max(1, chunks); chunk++) {
    const piece = content.subarray(chunk * CHUNK, outside ? 0 : (chunk + 1) * CHUNK)
    const before = new RowBinary(256)
    before.text(project)
    before.text(digest)
    before.uint32(chunk)
    before.uint32(chunks)
    before.text(name)
    before.varint(piece.length)
    const after = new RowBinary(24)
    after.uint64(content.length)
    after.uint64(ver)
    after.uint64(ver)
    pieces.push(before.bytes(), piece, after.bytes())
  }
  return pieces
}
