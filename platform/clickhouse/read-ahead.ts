/**
 * Reads a result from the store at full speed, however slow its reader is. A fast reader gets the bytes as they arrive;
 * for a slow one they are buffered in a file, so that the query ends and frees its connection. See
 * docs/adr/0003-slow-readers.md.
 */
import { errors } from '../errors/catalog.js'
import type { Overflow, OverflowFile } from './overflow.js'

/** Bytes buffered in memory. */
const WINDOW = 1 << 20
/** Bytes read from the file at once. */
const PIECE = 256 << 10
/** A result goes to the file once its reader has held it up this long, and for most of the recent time. */
const SLOW_MS = 250
const LATELY_MS = 1_000
/**
 * If the file is full too and other readers are stuck, a reader that takes nothing for STILL_MS, or that has blocked
 * the store for STUCK_MS in all, is dropped.
 */
const STILL_MS = 2_000
const STUCK_MS = 5_000

/**
 * Reads `source` ahead of the reader.
 * @param cancel ends `source` at once, also while it is being awaited
 * @throws what `source` throws, after the bytes before it; `READER_STALLED`
 */
export async function* readAhead(
  source: AsyncIterable<Uint8Array>,
  cancel: () => void,
  overflow: Overflow,
): AsyncGenerator<Uint8Array> {
  const ahead = new Ahead(overflow)
  const filled = ahead.fill(source)
  try {
    for (let next = await ahead.next(); next !== undefined; next = await ahead.next()) yield next
  } finally {
    ahead.close()
    cancel()
    await filled
    await ahead.dispose()
  }
}

/** Bytes not yet read: first those in memory, then those in the file. One side fills, the other reads. */
class Ahead {
  private readonly memory: Uint8Array[] = []
  private bytes = 0
  private file: OverflowFile | undefined
  private asked = false
  private ended = false
  private closed = false
  private failure: { error: unknown } | undefined
  private wakeReader: (() => void) | undefined
  private wakeFiller: (() => void) | undefined
  private since = performance.now()
  private heldUp = 0
  private stuckFor = 0
  private lastTaken = this.since

  constructor(private readonly overflow: Overflow) {}

  /** Reads `source` to its end, or until closed. Never rejects. */
  async fill(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of source) {
        await this.put(chunk)
        if (this.closed) break
      }
    } catch (error) {
      this.failure = { error }
    }
    this.ended = true
    this.wakeReader?.()
  }

  /** The next bytes; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const bytes = this.memory.shift()
      if (bytes !== undefined) {
        this.bytes -= bytes.length
        return this.taken(bytes)
      }
      if (this.file && this.file.waiting > 0) return this.taken(await this.file.take(PIECE))
      if (this.ended) break
      await new Promise<void>((resolve) => {
        this.wakeReader = resolve
      })
    }
    if (this.failure) throw this.failure.error
    return undefined
  }

  /** The reader has left. */
  close(): void {
    this.closed = true
    this.wakeFiller?.()
  }

  /** Call this once it is closed and filling has ended. */
  async dispose(): Promise<void> {
    await this.file?.close().catch(() => undefined)
  }

  private taken(bytes: Uint8Array): Uint8Array {
    this.lastTaken = performance.now()
    this.wakeFiller?.()
    return bytes
  }

  private async put(chunk: Uint8Array): Promise<void> {
    while (!this.closed) {
      const onDisk = this.file !== undefined && this.file.waiting > 0
      if (!onDisk && this.bytes < WINDOW) {
        this.memory.push(chunk)
        this.bytes += chunk.length
        break
      }
      const slow = this.isSlow()
      if ((onDisk || slow) && (await this.toFile(chunk))) break
      await this.pause(slow)
    }
    this.wakeReader?.()
  }

  private async toFile(chunk: Uint8Array): Promise<boolean> {
    if (!this.asked) {
      this.asked = true
      this.file = await this.overflow.open()
    }
    if (!(await this.file?.append(chunk))) return false
    this.stuckFor = 0
    return true
  }

  /** Waits briefly for the reader. @param stuck no other space is left, so the query waits as well */
  private async pause(stuck: boolean): Promise<void> {
    const from = performance.now()
    if (stuck) this.overflow.stuck++
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SLOW_MS)
      this.wakeFiller = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    const now = performance.now()
    this.heldUp += now - from
    if (!stuck) return
    this.stuckFor += now - from
    const long = now - this.lastTaken > STILL_MS || this.stuckFor > STUCK_MS
    const unwanted = long && this.overflow.crowded && !this.closed
    this.overflow.stuck--
    // Bytes in the file can still be read.
    if (unwanted) throw errors.readerStalled()
  }

  /** True if the result spent most of the recent time waiting for its reader. */
  private isSlow(): boolean {
    const now = performance.now()
    const span = now - this.since
    if (span > LATELY_MS) {
      this.heldUp *= LATELY_MS / span
      this.since = now - LATELY_MS
    }
    return this.heldUp >= SLOW_MS && this.heldUp > (now - this.since) / 2
  }
}
