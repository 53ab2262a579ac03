/**
 * Small inserts to an embedded engine's log over a stream of bytes to its process. An HTTP request costs both processes
 * several times what the log does with it.
 */
import type { Duplex } from 'node:stream'
import { Lru } from '../lru/lru.js'
import { APPENDED, type Frame, FrameReader, frameHead } from './append-frames.js'

/** A larger body costs what its bytes cost, however it is sent; and those behind it don't wait for it. */
const MOST_BYTES = 1 << 20
/** Addresses remembered that are never appended. */
const REFUSED = 1000
const MOST_IDS = 2 ** 32

/** What came of an insert: the number of its rows, or the error's HTTP status and text. */
export type Appended = { rows: number } | { status: number; text: string }

type Waiting = { resolve: (frame: Frame) => void; reject: (error: Error) => void }

export class AppendChannel {
  private readonly waiting = new Map<number, Waiting>()
  private readonly never = new Lru<true>(REFUSED)
  private lastId = 0

  /** @param stream to the engine's process, used for nothing else */
  constructor(private readonly stream: Duplex) {
    const reader = new FrameReader((frame) => {
      this.waiting.get(frame.id)?.resolve(frame)
      this.waiting.delete(frame.id)
    })
    stream.on('data', (chunk: Buffer) => reader.push(chunk))
    // `close` follows.
    stream.on('error', () => undefined)
    stream.once('close', () => {
      for (const { reject } of this.waiting.values()) reject(broken())
      this.waiting.clear()
    })
  }

  /**
   * Appends an insert's body. Resolves when it is on disk; undefined: it has to be sent as a statement.
   * @param address the statement and its settings, as the query of an HTTP address
   * @throws an error with a `code` where the outcome is unknown
   */
  async append(
    address: string,
    blocks: readonly Uint8Array[],
    signal?: AbortSignal,
  ): Promise<Appended | undefined> {
    const length = blocks.reduce((sum, block) => sum + block.length, 0)
    if (length > MOST_BYTES || this.stream.destroyed || this.never.has(address)) return undefined
    const { tag, text } = await this.exchange(address, blocks, length, signal)
    if (tag === APPENDED.done) return { rows: Number(text) }
    if (tag === APPENDED.never) this.never.set(address, true)
    return tag === APPENDED.never || tag === APPENDED.later ? undefined : { status: tag, text }
  }

  private exchange(
    address: string,
    blocks: readonly Uint8Array[],
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<Frame> {
    const { stream, waiting } = this
    this.lastId = (this.lastId + 1) % MOST_IDS
    const id = this.lastId
    let isSent = false
    let written = 0
    return new Promise<Frame>((resolve, reject) => {
      const end = (): void => {
        waiting.delete(id)
        // The caller's memory may hold something else soon: the other side must not take that for the rest.
        if (!isSent) stream.destroy()
        reject(Object.assign(new Error('The insert was given up'), { code: 'ABORT_ERR' }))
      }
      const settled = (): void => signal?.removeEventListener('abort', end)
      waiting.set(id, {
        resolve: (frame) => {
          settled()
          resolve(frame)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      if (signal?.aborted) {
        isSent = true
        return end()
      }
      signal?.addEventListener('abort', end, { once: true })
      stream.cork()
      for (const bytes of [frameHead(id, 0, address, length), ...blocks]) {
        stream.write(bytes, () => {
          isSent = ++written > blocks.length
        })
      }
      stream.uncork()
    })
  }
}

function broken(): Error {
  return Object.assign(new Error("The engine's process has ended"), { code: 'ECONNRESET' })
}
