/**
 * The end of a log file: what statement its bodies belong to, and an entry a body. Entries say their generation and have
 * sums of their own, so that those of an earlier generation, and those that did not get to disk whole, are told apart.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32, writeAll } from './files.js'

/** What is said once a generation. */
export type Opening = {
  /** `INSERT INTO table (columns)` */
  head: string
  table: string
  database: string
  settings: [name: string, value: string][]
  /** Columns that no two rows have in common: by these rows are found again. */
  key: string[]
  /** Generation of the file that this one is a piece of: while that one is there, this one does not count. */
  pieceOf?: number
}
export type Entry = { offset: number; length: number; rows: number; crc: number }
export type Reading = { generation: number; opening: Opening; entries: Entry[] }

const magic = Buffer.from('chlog 1\n')
const openingBytes = 64 * 1024
const entryBytes = 32
const maxEntries = 16_384
/** magic, generation, length and sum of the text, sum of all this */
const headBytes = 28

export class Index {
  #generation = 0
  /** Not written yet. */
  #opening: Buffer | undefined

  /** @param start where in the file the index begins */
  constructor(
    private readonly file: FileHandle,
    private readonly start: number,
  ) {}

  /** Makes room for an index, without anything in it. */
  static async make(file: FileHandle, start: number): Promise<Index> {
    await writeAll(file, [Buffer.alloc(openingBytes + maxEntries * entryBytes)], start)
    return new Index(file, start)
  }

  /** True if an opening is short enough to be written. */
  static takes(opening: Opening): boolean {
    return Buffer.byteLength(JSON.stringify(opening)) <= openingBytes - headBytes
  }

  hasRoom(entries: number): boolean {
    return entries <= maxEntries
  }

  begin(generation: number, opening: Opening): void {
    const text = Buffer.from(JSON.stringify(opening))
    const head = Buffer.alloc(headBytes)
    magic.copy(head)
    head.writeBigUInt64LE(BigInt(generation), 8)
    head.writeUInt32LE(text.length, 16)
    head.writeUInt32LE(crc32(0, text), 20)
    head.writeUInt32LE(crc32(0, head.subarray(0, 24)), 24)
    this.#generation = generation
    this.#opening = Buffer.concat([head, text])
  }

  /** Writes entries behind the first `count`, and the opening before the first of all. */
  async append(count: number, entries: readonly Entry[]): Promise<void> {
    const bytes = Buffer.alloc(entries.length * entryBytes)
    entries.forEach(({ offset, length, rows, crc }, i) => {
      const entry = bytes.subarray(i * entryBytes, (i + 1) * entryBytes)
      entry.writeBigUInt64LE(BigInt(this.#generation), 0)
      entry.writeUInt32LE(offset, 8)
      entry.writeUInt32LE(length, 12)
      entry.writeUInt32LE(rows, 16)
      entry.writeUInt32LE(crc, 20)
      entry.writeUInt32LE(crc32(0, entry.subarray(0, 28)), 28)
    })
    if (this.#opening) await writeAll(this.file, [this.#opening], this.start)
    this.#opening = undefined
    await writeAll(this.file, [bytes], this.start + openingBytes + count * entryBytes)
  }

  /** Says that nothing in the file is to be kept. */
  async free(): Promise<void> {
    await writeAll(this.file, [Buffer.alloc(magic.length)], this.start)
  }

  /** What the index says; undefined where it says that nothing is to be kept, or was never whole. */
  async read(): Promise<Reading | undefined> {
    const bytes = Buffer.alloc(openingBytes + maxEntries * entryBytes)
    await this.file.read(bytes, 0, bytes.length, this.start)
    const length = bytes.readUInt32LE(16)
    const text = bytes.subarray(headBytes, headBytes + length)
    const isWhole =
      bytes.subarray(0, magic.length).equals(magic) &&
      bytes.readUInt32LE(24) === crc32(0, bytes.subarray(0, 24)) &&
      bytes.readUInt32LE(20) === crc32(0, text)
    if (!isWhole) return undefined
    const generation = Number(bytes.readBigUInt64LE(8))
    const entries: Entry[] = []
    for (let at = openingBytes; at < bytes.length; at += entryBytes) {
      const entry = bytes.subarray(at, at + entryBytes)
      if (Number(entry.readBigUInt64LE(0)) !== generation) break
      if (entry.readUInt32LE(28) !== crc32(0, entry.subarray(0, 28))) break
      const [offset, size, rows, crc] = [8, 12, 16, 20].map((field) => entry.readUInt32LE(field))
      entries.push({ offset: offset!, length: size!, rows: rows!, crc: crc! })
    }
    return { generation, opening: JSON.parse(text.toString()) as Opening, entries }
  }
}
