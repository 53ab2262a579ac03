/** Rows of the table `files` as ClickHouse's RowBinary reads them. Pure. */

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

/** The rows of a file, as pieces to be written one after the other; content is not copied. */
export function fileRows({ project, digest, name, content }: NewFile, ver: number): Uint8Array[] {
  const chunks = Math.max(1, Math.ceil(content.length / CHUNK))
  const pieces: Uint8Array[] = []
  for (let chunk = 0; chunk < chunks; chunk++) {
    const piece = content.subarray(chunk * CHUNK, (chunk + 1) * CHUNK)
    pieces.push(
      Buffer.concat([
        text(project),
        text(digest),
        uint32(chunk),
        uint32(chunks),
        text(name),
        length(piece.length),
      ]),
      piece,
      Buffer.concat([uint64(content.length), uint64(ver), uint64(ver)]),
    )
  }
  return pieces
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([length(bytes.length), bytes])
}

/** LEB128. */
function length(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
