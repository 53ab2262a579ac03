/**
 * Temporary files that buffer results for readers slower than the store, and their total size limit. The files are
 * unlinked at once, so a killed process leaves nothing behind.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Each file gets a quarter of the space, so that no reader starves the others. */
const FILES = 4

/** Readers that may stall while they block the store; beyond this number, stalled readers are dropped. */
const STILL = 3

export interface OverflowOptions {
  /** where the files go; created if missing */
  folder: string
  /** most bytes of all files together; 0: no files */
  bytes: number
}

export class Overflow {
  private held = 0
  /** Readers that block the store because there is no space here. */
  stuck = 0

  constructor(private readonly options: OverflowOptions) {}

  /** Bytes buffered in all files. */
  get bytes(): number {
    return this.held
  }

  /** True if more readers are stuck than the store has permits to spare. */
  get crowded(): boolean {
    return this.stuck > STILL
  }

  /** Opens a new file; undefined if none can be created. */
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

  /** Reserves `count` bytes, if available. */
  take(count: number): boolean {
    if (this.held + count > this.options.bytes) return false
    this.held += count
    return true
  }

  give(count: number): void {
    this.held -= count
  }
}

/** A queue of bytes on disk with one writer and one reader. */
export class OverflowFile {
  private written = 0
  private read = 0

  constructor(
    private readonly overflow: Overflow,
    private readonly handle: FileHandle,
    private readonly limit: number,
  ) {}

  /** Bytes not yet read. */
  get waiting(): number {
    return this.written - this.read
  }

  /** Appends `bytes`; false if there is no space. Only the writer calls this, one call at a time. */
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

  /** The next bytes, at most `most`; the queue must not be empty. */
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
