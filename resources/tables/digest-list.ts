/** The digests of a table's rows in one buffer, rather than up to a million strings. */
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { Bytes } from '../../platform/bytes/bytes.js'

/** A list's memory, as threads pass it on: `texts[ends[i - 1], ends[i])` is the `i`th digest. */
export interface ListMemory {
  texts: Uint8Array<ArrayBuffer>
  ends: Uint32Array<ArrayBuffer>
}

export class DigestList {
  /** `ends[i]`: where the `i`th digest ends in `bytes` */
  private constructor(
    private readonly bytes: Buffer,
    private readonly ends: Uint32Array,
  ) {}

  /** A list over `memory`, which is not copied. */
  static over({ texts, ends }: ListMemory): DigestList {
    return new DigestList(bufferOf(texts), ends)
  }

  /** Reads digests that each end in a line break and contain none. The memory is not copied. */
  static ofLines(lines: Uint8Array): DigestList {
    const text = bufferOf(lines)
    let count = 0
    for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count++
    const ends = new Uint32Array(count)
    let to = 0
    let from = 0
    for (let i = 0; i < count; i++) {
      const end = text.indexOf(0x0a, from)
      text.copyWithin(to, from, end)
      to += end - from
      ends[i] = to
      from = end + 1
    }
    return new DigestList(text.subarray(0, to), ends)
  }

  get length(): number {
    return this.ends.length
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.ends[index - 1] ?? 0, this.ends[index])
  }

  /** Calls `write` with each digest's place in `bytes`, for a range of digests. */
  each(
    from: number,
    to: number,
    write: (bytes: Buffer, start: number, end: number, index: number) => void,
  ): void {
    for (let i = from; i < to; i++) write(this.bytes, this.ends[i - 1] ?? 0, this.ends[i]!, i)
  }

  *texts(): Generator<string> {
    for (let i = 0; i < this.length; i++) yield this.at(i)
  }

  /** The digests of a range, joined. */
  joined(from: number, to: number): Uint8Array {
    return this.bytes.subarray(this.ends[from - 1] ?? 0, this.ends[to - 1] ?? 0)
  }
}

/** Makes the memory of a list. */
export class ListWriter {
  private readonly texts = new Bytes(1 << 12)
  private readonly ends = new Bytes(1 << 10)

  add(digest: string): void {
    const { texts, ends } = this
    texts.utf8(digest)
    ends.reserve(4)
    ends.pos = ends.buf.writeUInt32LE(texts.pos, ends.pos)
  }

  /** The finished list; call once. */
  finish(): ListMemory {
    return { texts: written(this.texts), ends: new Uint32Array(written(this.ends).buffer) }
  }
}

/** A copy without spare capacity. */
function written({ buf, pos }: Bytes): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pos)
  bytes.set(buf.subarray(0, pos))
  return bytes
}
