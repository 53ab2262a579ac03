/** Encodes rows of the table `files` in ClickHouse's RowBinary. Pure. */
import { RowBinary } from '../../platform/clickhouse/row-binary.js'

/** Content is cut into pieces of this size, so that no row is large. */
export const CHUNK = 1 << 20

export const FILE_COLUMNS = 'project_id, digest, chunk, chunks, name, content, bytes, created_at, ver'

/** A file to store. */
export interface NewFile {
  /** internal id */
  project: string
  digest: string
  name: string
  content: Uint8Array
}

/**
 * The rows of a file, as pieces to write in order; content is not copied.
 * @param outside the content is stored elsewhere: one row without chunks
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
