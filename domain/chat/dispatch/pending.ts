/**
 * One request that a worker answers: its frames in order, waiting to be read, and how it ends. What was read is told
 * to the worker, which sends no more than a window ahead. Knows nothing of Redis.
 */

import { type GenerateEvent, generateEvent } from '../../../proto/heddle/node/v1/messages.js'
import { FRAME, type Frame } from '../frames.js'

/** Read bytes are told to the worker in steps of so many. */
const TELL_BYTES = 32 * 1024

export interface PendingHooks {
  /** `bytes` of this try were read so far */
  read: (bytes: number) => void
  /** nobody reads any more */
  left: () => void
}

export class Pending {
  attempt = 0
  /** who works on it; undefined: it waits in the queue */
  worker: string | undefined
  /** a part of the answer came, so that no other worker can begin anew */
  begun = false
  private seq = 0
  private readonly events: GenerateEvent[] = []
  private unread = 0
  private read = 0
  private told = 0
  private end: { error?: unknown } | undefined
  private wake: (() => void) | undefined

  constructor(
    readonly request: number,
    private readonly hooks: PendingHooks,
  ) {}

  get ended(): boolean {
    return this.end !== undefined
  }

  /** Begins again with another worker. */
  again(): void {
    this.attempt++
    this.worker = undefined
    this.seq = 0
    this.read = 0
    this.told = 0
  }

  /** Takes a frame of this try. @returns false if one before it is lost */
  take(frame: Frame): boolean {
    if (frame.seq !== this.seq) return false
    this.seq++
    if (frame.kind !== FRAME.event) return true
    const event = generateEvent.decode(frame.payload)
    if (event.event === 'delta') this.begun = true
    this.events.push(event)
    this.unread += frame.payload.length
    if (event.event === 'done') this.end = {}
    this.wake?.()
    return true
  }

  /** No more will come. */
  fail(error: unknown): void {
    if (this.end) return
    this.end = { error }
    this.wake?.()
  }

  /**
   * The events since the last call, at least one; [] if none came within `quietMs`; undefined after the last.
   * @throws what {@link fail} was given, after every event before it was read
   */
  async next(quietMs?: number): Promise<GenerateEvent[] | undefined> {
    if (this.events.length === 0 && !this.end) await this.news(quietMs)
    if (this.events.length > 0) {
      this.read += this.unread
      this.unread = 0
      if (this.read - this.told >= TELL_BYTES && !this.end) {
        this.told = this.read
        this.hooks.read(this.read)
      }
      return this.events.splice(0)
    }
    if (!this.end) return []
    if ('error' in this.end) throw this.end.error
    return undefined
  }

  /** The reader goes. Harmless twice, and after the end. */
  leave(): void {
    this.hooks.left()
  }

  private news(quietMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = quietMs === undefined ? undefined : setTimeout(() => this.wake?.(), quietMs)
      this.wake = () => {
        clearTimeout(timer)
        this.wake = undefined
        resolve()
      }
    })
  }
}
