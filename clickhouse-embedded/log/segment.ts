/**
 * One file of the log: bodies one after the other from its beginning, as the engine reads them, and from a fixed place on
 * an index that says which of them are whole. The file is written anew for each generation, in place: a file that grows
 * costs ten times as much to sync.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../platform/files/sync-folder.js'
import { FileWindow } from './file-window.js'
import { crc32, writeAll } from './files.js'
import { Index, type Opening, type Reading } from './index-region.js'

/** One body: some rows in the format Native. */
export type Body = {
  chunks: readonly Uint8Array[]
  length: number
  rows: number
  greatest?: number | undefined
}
/** Where a whole body lies; `greatest`: of the column that says which rows are newest, where that is known. */
export type Frame = { offset: number; length: number; rows: number; greatest?: number | undefined }

/** What bodies may take in one file: one insert of so much needs three times as much memory, and makes a compact part. */
export const maxBytes = 56 * 1024 * 1024
/** A block without columns and rows is where the engine stops to read. */
const terminator = Buffer.from([0, 0])
const firstStep = 256 * 1024
const maxStep = 8 * 1024 * 1024
const zeros = Buffer.alloc(1024 * 1024)
const readBytes = 4 * 1024 * 1024

export class Segment {
  frames: Frame[] = []
  bytes = 0
  rows = 0
  generation = 0
  opening: Opening | undefined
  /** A write or a sync has failed: nobody knows what the file holds behind its last whole body. */
  isBroken = false
  readonly path: string
  #allocated = 0
  /** Not synced yet. */
  #written: Frame[] = []

  private constructor(
    readonly folder: string,
    readonly name: string,
    private readonly file: FileHandle,
    private readonly index: Index,
  ) {
    this.path = join(folder, name)
  }

  /** Makes a file that has nothing in it. @throws where the disk has no room. */
  static async create(folder: string, name: string): Promise<Segment> {
    const file = await open(join(folder, name), 'wx+', 0o600)
    try {
      const segment = new Segment(folder, name, file, await Index.make(file, maxBytes))
      await syncFolder(folder)
      return segment
    } catch (error) {
      await file.close()
      await rm(join(folder, name), { force: true })
      throw error
    }
  }

  /** Opens a file that a process before this one has left; undefined where nothing in it is to be kept. */
  static async recover(folder: string, name: string): Promise<Segment | undefined> {
    const file = await open(join(folder, name), 'r+')
    const index = new Index(file, maxBytes)
    const left = await index.read()
    const segment = new Segment(folder, name, file, index)
    if (left) await segment.#take(left)
    if (segment.frames.length > 0) return segment
    await file.close()
    return undefined
  }

  /** Begins a generation: what the file held before counts no more. */
  begin(generation: number, opening: Opening): void {
    this.generation = generation
    this.opening = opening
    this.frames = []
    this.bytes = 0
    this.rows = 0
    this.index.begin(generation, opening)
  }

  /** True if the file can take so many bytes, of so many bodies, more. */
  fits(bytes: number, bodies = 1): boolean {
    const end = this.bytes + bytes + terminator.length
    return !this.isBroken && end <= maxBytes && this.index.hasRoom(this.frames.length + bodies)
  }

  /** Appends `bodies`. When it resolves they are in the file, but may not be on disk. */
  async write(bodies: readonly Body[]): Promise<void> {
    const frames: Frame[] = []
    let end = this.bytes
    for (const { length, rows, greatest } of bodies) {
      frames.push({ offset: end, length, rows, greatest })
      end += length
    }
    await this.#allocate(end + terminator.length)
    const chunks = bodies.flatMap(({ chunks }) => chunks)
    this.isBroken = true
    await writeAll(this.file, chunks, this.bytes)
    await this.index.append(
      this.frames.length,
      frames.map((frame, i) => ({ ...frame, crc: bodies[i]!.chunks.reduce(crc32, 0) })),
    )
    this.#written = frames
  }

  /** Brings what was written to disk. Only then does it count as part of the file. */
  async sync(): Promise<void> {
    await this.file.datasync()
    this.isBroken = false
    for (const frame of this.#written) this.#add(frame)
    this.#written = []
  }

  /** Makes the file end, for the engine, behind its last whole body. */
  async terminate(): Promise<void> {
    await writeAll(this.file, [terminator], this.bytes)
  }

  /** Says on disk that nothing in the file is to be kept. */
  async free(): Promise<void> {
    await this.index.free()
    await this.file.datasync()
    this.frames = []
  }

  /** Reads what is in the file now; for as long as nothing awaits. */
  window(): FileWindow {
    return new FileWindow(this.file.fd)
  }

  /** Bytes of one body. */
  async read({ offset, length }: Frame): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await this.file.read(bytes, 0, length, offset)
    if (bytesRead < length) throw new Error(`${this.name} ends before its end`)
    return bytes
  }

  /** Takes the file from the disk. */
  async remove(): Promise<void> {
    await this.file.close().catch(() => undefined)
    await rm(this.path, { force: true })
    await syncFolder(this.folder)
  }

  /** Writes zeros ahead, so that the disk says now that it is full and commits find the file as long as it will be. */
  async #allocate(end: number): Promise<void> {
    if (end <= this.#allocated) return
    const step = Math.min(maxStep, Math.max(firstStep, this.#allocated))
    const until = Math.min(maxBytes, Math.max(end, this.#allocated + step))
    for (let at = this.#allocated; at < until; at += zeros.length) {
      await writeAll(this.file, [zeros.subarray(0, Math.min(zeros.length, until - at))], at)
    }
    this.#allocated = until
  }

  #add(frame: Frame): void {
    this.frames.push(frame)
    this.bytes = frame.offset + frame.length
    this.rows += frame.rows
  }

  /** Takes the whole bodies that the index names; the first that is not whole ends the file. */
  async #take({ generation, opening, entries }: Reading): Promise<void> {
    this.generation = generation
    this.opening = opening
    const buffer = Buffer.allocUnsafe(readBytes)
    for (const { crc, ...frame } of entries) {
      if (frame.offset !== this.bytes || !this.fits(frame.length)) return
      let sum = 0
      for (let at = 0; at < frame.length; ) {
        const want = Math.min(buffer.length, frame.length - at)
        const { bytesRead } = await this.file.read(buffer, 0, want, frame.offset + at)
        if (bytesRead === 0) return
        sum = crc32(sum, buffer.subarray(0, bytesRead))
        at += bytesRead
      }
      if (sum !== crc) return
      this.#add(frame)
    }
  }
}
