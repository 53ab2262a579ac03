/**
 * Frames between a store's client and the embedded engine over a stream of bytes: inserts there, their outcomes back. Pure
 * but for what the reader keeps of a frame that is not whole.
 */

/** A part of the conversation; `chunks` are its body. */
export interface Frame {
  /** of the insert that it asks for or answers */
  id: number
  tag: number
  text: string
  chunks: Buffer[]
  length: number
}

/** What an answer's tag says; any other one is the HTTP status of an error, and the text is the error. */
export const APPENDED = {
  /** the text is the number of rows */
  done: 200,
  /** nothing was done; the insert may be sent as a statement now, and be appended another time */
  later: 1,
  /** the same, and it is like that for this address always */
  never: 2,
} as const

/** id, tag, length of the text, length of the body */
const HEAD_BYTES = 16

/** A frame's bytes before its body. */
export function frameHead(id: number, tag: number, text: string, bodyLength = 0): Buffer {
  const size = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + size)
  bytes.writeUInt32LE(id, 0)
  bytes.writeUInt32LE(tag, 4)
  bytes.writeUInt32LE(size, 8)
  bytes.writeUInt32LE(bodyLength, 12)
  bytes.write(text, HEAD_BYTES)
  return bytes
}

/** Puts frames together from bytes as they come. */
export class FrameReader {
  private chunks: Buffer[] = []
  private size = 0
  private head: { id: number; tag: number; textLength: number; length: number } | undefined

  constructor(private readonly take: (frame: Frame) => void) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    while (this.hasHead()) {
      const { id, tag, textLength, length } = this.head!
      if (this.size < textLength + length) return
      const text = Buffer.concat(this.cut(textLength)).toString()
      this.head = undefined
      this.take({ id, tag, text, chunks: this.cut(length), length })
    }
  }

  private hasHead(): boolean {
    if (this.head) return true
    if (this.size < HEAD_BYTES) return false
    const bytes = Buffer.concat(this.cut(HEAD_BYTES))
    const [id, tag, textLength, length] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at))
    this.head = { id: id!, tag: tag!, textLength: textLength!, length: length! }
    return true
  }

  /** Takes the first `count` bytes, in chunks and without a copy. */
  private cut(count: number): Buffer[] {
    const taken: Buffer[] = []
    for (let left = count; left > 0; ) {
      const chunk = this.chunks[0]!
      if (chunk.length <= left) this.chunks.shift()
      else this.chunks[0] = chunk.subarray(left)
      taken.push(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
    }
    this.size -= count
    return taken
  }
}
