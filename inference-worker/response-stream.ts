/** The answer of one request: numbered frames, at most one window ahead of the reader. */
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
  /** Called once when the request is cancelled; set by the code that makes the answer. */
  cancelled: (() => void) | undefined

  constructor(
    private readonly job: Pick<ChatJob, 'api' | 'request' | 'attempt' | 'deadline'>,
    private readonly outbox: Outbox,
  ) {}

  /** True if the request was cancelled. */
  get over(): boolean {
    return this.left
  }

  accepted(worker: string): void {
    this.frame(FRAME.accepted, Buffer.from(JSON.stringify({ worker })), true)
  }

  /** Sends one event of the node; resolves when the window has room for the next. */
  event(bytes: Buffer): Promise<void> | undefined {
    this.sent += bytes.length
    this.frame(FRAME.event, bytes)
    if (this.sent - this.read <= WINDOW_BYTES || this.left) return undefined
    return new Promise((resolve) => {
      this.wake = resolve
      // A reader that vanished never acknowledges: stop at the deadline.
      this.late = setTimeout(() => this.cancel(), this.job.deadline - Date.now())
    })
  }

  failed(why: Failed): void {
    this.frame(FRAME.failed, Buffer.from(JSON.stringify(why)))
  }

  /** Notes how many bytes the reader has read in all. */
  progress(bytes: number): void {
    this.read = Math.max(this.read, bytes)
    if (this.sent - this.read <= WINDOW_BYTES) this.go()
  }

  /** Stops sending: the caller no longer wants the answer. */
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

  private frame(kind: FrameKind, payload: Buffer, deferrable = false): void {
    if (this.left) return
    const { api, request, attempt } = this.job
    this.outbox.add(api, { request, attempt, kind, seq: this.seq++, payload }, deferrable)
  }
}
