/**
 * Files in which results wait for readers who are slower than the store, and how many bytes they may hold together.
 * The files have no name, so that a killed process leaves nothing behind. Knows nothing of results or readers.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A part of all, so that one reader does not take the room of the others. */
const FILES = 4

/** Readers who hold the store's work and may stand still at once; from one more on, they are let go. */
const STILL = 3

export interface OverflowOptions {
  /** where the files go; made if it is not there */
  folder: string
  /** most bytes over all files; 0: no files */
  bytes: number
}

export class Overflow {
  private held = 0
  /** Readers who hold up the store and find no room here. */
  stuck = 0

  constructor(private readonly options: OverflowOptions) {}

  /** Bytes that wait here. */
  get bytes(): number {
    return this.held
  }

  /** More of them stand still than the store has permits to spare. */
  get crowded(): boolean {
    return this.stuck > STILL
  }

  /** A new file, or undefined if none can be made here. */
  async open(): Promise<OverflowFile | undefined> {
    const { folder, bytes } = this.options
    if (bytes === 0) return undefined
    const path = join(folder, `heddle-${randomBytes(12).toString('hex')}`)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const handle = await open(path, 'wx+', 0o600)
      await unlink(path)
      return new OverflowFile(this, handle, Math.floor(bytes / FILES))
    } catch {
      return undefined
    }
  }

  /** Takes `count` bytes of the room, if they are there. */
  take(count: number): boolean {
    if (this.held + count > this.options.bytes) return false
    this.held += count
    return true
  }

  give(count: number): void {
    this.held -= count
  }
}

/** A queue of bytes on disk: one writes at its end, one reads at its beginning. */
export class OverflowFile {
  private written = 0
  private read = 0

  constructor(
    private readonly overflow: Overflow,
    private readonly handle: FileHandle,
    private readonly limit: number,
  ) {}

  /** Bytes that wait to be read. */
  get waiting(): number {
    return this.written - this.read
  }

  /** Appends; false if there is no room. The writer alone calls this, one call at a time. */
  async append(bytes: Uint8Array): Promise<boolean> {
    if (this.waiting === 0 && this.written > 0) await this.rewind()
    if (this.written + bytes.length > this.limit || !this.overflow.take(bytes.length)) return false
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.handle.write(bytes, at, bytes.length - at, this.written + at)
      at += bytesWritten
    }
    this.written += bytes.length
    return true
  }

  /** The next bytes, at most `most`; there must be some. */
  async take(most: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(Math.min(most, this.waiting))
    const { bytesRead } = await this.handle.read(bytes, 0, bytes.length, this.read)
    this.read += bytesRead
    return bytes.subarray(0, bytesRead)
  }

  async close(): Promise<void> {
    this.overflow.give(this.written)
    this.written = this.read = 0
    await this.handle.close()
  }

  private async rewind(): Promise<void> {
    this.overflow.give(this.written)
    this.written = this.read = 0
    await this.handle.truncate(0)
  }
}
