/**
 * A request being answered: its frames in order, waiting to be read, and its end. Reports read bytes to the worker,
 * which sends at most a window ahead.
 */

import { type GenerateEvent, generateEvent } from '../../../proto/heddle/node/v1/messages.js'
import { FRAME, type Frame } from '../frames.js'

/** Read bytes are reported to the worker in steps of this size. */
const TELL_BYTES = 32 * 1024

export interface PendingHooks {
  /** `bytes` of this attempt have been read so far */
  read: (bytes: number) => void
  /** the reader has left */
  left: () => void
}

export class Pending {
  attempt = 0
  /** the worker that has it; undefined: still queued */
  worker: string | undefined
  /** a part of the answer has arrived, so no other worker can start over */
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

  /** Starts over with another worker. */
  again(): void {
    this.attempt++
    this.worker = undefined
    this.seq = 0
    this.read = 0
    this.told = 0
  }

  /** Adds a frame of this attempt. @returns false if an earlier frame is missing */
  take(frame: Frame): boolean {
    if (frame.seq !== this.seq) return false
    this.seq++
    if (frame.kind !== FRAME.event) return true
    const event = generateEvent.decode(frame.payload)
    if (event.event === 'delta' || event.event === 'embedding') this.begun = true
    this.events.push(event)
    this.unread += frame.payload.length
    if (event.event === 'done') this.end = {}
    this.wake?.()
    return true
  }

  /** Ends the answer with an error. */
  fail(error: unknown): void {
    if (this.end) return
    this.end = { error }
    this.wake?.()
  }

  /**
   * The events since the last call, at least one; [] if none arrived within `quietMs`; undefined after the last.
   * @throws the error passed to {@link fail}, after all earlier events have been read
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

  /** The reader leaves. Has no effect after the end, or a second time. */
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
