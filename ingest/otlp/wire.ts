/**
 * Steps over the protobuf wire with protobufjs's reader. Hot loops read single-byte tags and lengths themselves and
 * come here for everything longer. Every failure is a `BadMessage`; knows nothing of what fields mean.
 */
import protobuf from 'protobufjs/minimal.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import { BadMessage } from './bad.js'

export class Wire {
  readonly buf: Buffer
  /** The same memory, for words. */
  readonly view: DataView
  /** Where the last call of a method below stopped. */
  pos = 0
  readonly #reader: protobuf.Reader

  constructor(buf: Buffer) {
    this.buf = buf
    this.view = viewOf(buf)
    this.#reader = new protobuf.Reader(buf)
  }

  /** The varint at `pos`, as an unsigned 32-bit number. */
  varint(pos: number): number {
    const byte = this.buf[pos]!
    if (byte < 128) {
      this.pos = pos + 1
      return byte
    }
    return this.#slow(pos, 'uint32')
  }

  /** The field tag at `pos`. */
  tag(pos: number): number {
    const byte = this.buf[pos]!
    if (byte < 128) {
      this.pos = pos + 1
      return byte
    }
    return this.#slow(pos, 'tag')
  }

  /** The length of a message, text or bytes at `pos`; what it counts must end by `end`. */
  length(pos: number, end: number): number {
    const byte = this.buf[pos]!
    let length = byte
    if (byte < 128) this.pos = pos + 1
    else length = this.#slow(pos, 'size')
    if (this.pos + length > end) throw new BadMessage('a length goes beyond the end of its message')
    return length
  }

  /**
   * Calls `visit` with where each field `tag` of the message `[from, end)` stands, and steps over the others. For fields
   * of bytes, texts and messages. @throws BadMessage that names the message by `what` where it goes beyond its end
   */
  each(
    from: number,
    end: number,
    tag: number,
    what: string,
    visit: (from: number, to: number) => void,
  ): void {
    let pos = from
    while (pos < end) {
      const found = this.tag(pos)
      pos = this.pos
      if (found === tag) {
        const length = this.length(pos, end)
        const at = this.pos
        pos = at + length
        visit(at, pos)
      } else pos = this.skip(found, pos)
    }
    if (pos !== end) throw new BadMessage(`${what} goes beyond its end`)
  }

  /**
   * Calls `visit` with the tag of each field of the message `[from, end)` and where its value stands.
   * @throws BadMessage that names the message by `what` where it goes beyond its end
   */
  fields(
    from: number,
    end: number,
    what: string,
    visit: (tag: number, from: number, to: number) => void,
  ): void {
    let pos = from
    while (pos < end) {
      const tag = this.tag(pos)
      let at = this.pos
      if ((tag & 7) === 2 && tag > 7) {
        const length = this.length(at, end)
        at = this.pos
        pos = at + length
      } else if ((tag & 7) === 0 && tag > 7 && this.buf[at]! < 128) pos = at + 1
      else pos = this.skip(tag, at)
      if (pos > end) break
      visit(tag, at, pos)
    }
    if (pos !== end) throw new BadMessage(`${what} goes beyond its end`)
  }

  /** Steps over the value of a field whose tag was read and that stands at `pos`; returns the position after it. */
  skip(tag: number, pos: number): number {
    const reader = this.#reader
    reader.pos = pos
    try {
      reader.skipType(tag & 7, 0, tag >>> 3)
    } catch (error) {
      throw asBadMessage(error)
    }
    return reader.pos
  }

  #slow(pos: number, what: 'uint32' | 'tag' | 'size'): number {
    const reader = this.#reader
    reader.pos = pos
    try {
      const value = what === 'uint32' ? reader.uint32() : what === 'tag' ? reader.tag() : reader.size()
      this.pos = reader.pos
      return value
    } catch (error) {
      throw asBadMessage(error)
    }
  }
}

/** What to throw for what the reader threw: it has no error class of its own. */
function asBadMessage(error: unknown): BadMessage {
  return new BadMessage(error instanceof Error ? error.message : String(error))
}
