/** The way back of one request: its frames in order, no more of them ahead of the reader than a window. */
import { type ChatJob, type Failed, WINDOW_BYTES } from '../domain/chat/chat-job.js'
import { FRAME, type FrameKind } from '../domain/chat/frames.js'
import type { Outbox } from './outbox.js'

export class ResponseStream {
  private seq = 0
  private sent = 0
  private read = 0
  private wake: (() => void) | undefined
  private late: NodeJS.Timeout | undefined
  private left = false
  /** Called once when nobody wants the answer any more; set by the work that makes the answer. */
  cancelled: (() => void) | undefined

  constructor(
    private readonly job: Pick<ChatJob, 'api' | 'request' | 'attempt' | 'deadline'>,
    private readonly outbox: Outbox,
  ) {}

  /** Nobody wants the answer any more. */
  get over(): boolean {
    return this.left
  }

  accepted(worker: string): void {
    this.frame(FRAME.accepted, Buffer.from(JSON.stringify({ worker })), true)
  }

  /** Sends one event of the node; resolves when the reader is near enough for the next. */
  event(bytes: Buffer): Promise<void> | undefined {
    this.sent += bytes.length
    this.frame(FRAME.event, bytes)
    if (this.sent - this.read <= WINDOW_BYTES || this.left) return undefined
    return new Promise((resolve) => {
      this.wake = resolve
      // A reader that is gone without a word would be waited for for ever.
      this.late = setTimeout(() => this.cancel(), this.job.deadline - Date.now())
    })
  }

  failed(why: Failed): void {
    this.frame(FRAME.failed, Buffer.from(JSON.stringify(why)))
  }

  /** The reader has read so many bytes. */
  progress(bytes: number): void {
    this.read = Math.max(this.read, bytes)
    if (this.sent - this.read <= WINDOW_BYTES) this.go()
  }

  /** Nobody wants the answer any more. */
  cancel(): void {
    if (this.left) return
    this.left = true
    this.cancelled?.()
    this.go()
  }

  private go(): void {
    clearTimeout(this.late)
    this.wake?.()
    this.wake = undefined
  }

  private frame(kind: FrameKind, payload: Buffer, patient = false): void {
    if (this.left) return
    const { api, request, attempt } = this.job
    this.outbox.add(api, { request, attempt, kind, seq: this.seq++, payload }, patient)
  }
}
