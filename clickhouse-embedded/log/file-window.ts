/** Reads forward in a file through a window: at once, since what the log has just written is in the page cache. */
import { readSync } from 'node:fs'

const mostAtOnce = 256 * 1024
const scratch = Buffer.allocUnsafe(mostAtOnce)

export class FileWindow {
  #bytes = scratch.subarray(0, 0)
  /** where in the file the window begins, and where reading goes on */
  #start = 0
  #at = 0
  #atOnce = mostAtOnce

  constructor(private readonly fd: number) {}

  /** @param wanted about so many bytes are read there, which are brought in together */
  seek(at: number, wanted: number): void {
    this.#at = at
    this.#start = at
    this.#bytes = scratch.subarray(0, 0)
    this.#atOnce = Math.min(Math.max(wanted, 4096), mostAtOnce)
  }

  skip(length: number): void {
    this.#at += length
  }

  /** @throws RangeError where the file ends before it */
  varint(): number {
    let value = 0
    for (let factor = 1; factor < 2 ** 42; factor *= 128) {
      const from = this.#ready(1)
      const byte = this.#bytes[from]!
      this.#at++
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new RangeError('no length')
  }

  /** A copy of the next bytes. @throws RangeError where the file ends before them */
  take(length: number): Buffer {
    const from = this.#ready(length)
    this.#at += length
    return Buffer.from(this.#bytes.subarray(from, from + length))
  }

  /** A copy of the next text and its length, which Native and RowBinary write alike. */
  takeText(): Buffer {
    const from = this.#at
    const length = this.varint()
    const head = this.#at - from
    this.#at = from
    return this.take(head + length)
  }

  /** Whether the next bytes are `value`, which are passed over. @throws RangeError where the file ends before them */
  is(value: Buffer): boolean {
    const from = this.#ready(value.length)
    this.#at += value.length
    return this.#bytes.compare(value, 0, value.length, from, from + value.length) === 0
  }

  /** The next bytes as text. @throws RangeError where the file ends before them */
  text(length: number): string {
    const from = this.#ready(length)
    this.#at += length
    return this.#bytes.toString('latin1', from, from + length)
  }

  /** Makes the next bytes be in the window. @returns where in it they begin */
  #ready(length: number): number {
    const from = this.#at - this.#start
    if (from >= 0 && from + length <= this.#bytes.length) return from
    // What was read is copied before anything else is.
    const size = Math.max(length, this.#atOnce)
    const bytes = size > mostAtOnce ? Buffer.allocUnsafe(size) : scratch
    const read = readSync(this.fd, bytes, 0, size, this.#at)
    if (read < length) throw new RangeError('the file ends')
    this.#bytes = bytes.subarray(0, read)
    this.#start = this.#at
    return 0
  }
}
