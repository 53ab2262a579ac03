/**
 * The events of one request between who receives them and who reads them. Does what a stream's own iteration does, for
 * a third of the time: there is one message a token. Knows nothing of calls.
 */
import type { NodeFailure } from './failure.js'

/** So many messages may wait for their reader before no more are asked for. */
const WAITING = 16

/** How the sender is controlled. */
export interface EventFlow {
  /** too much waits */
  hold(): void
  /** it was read */
  resume(): void
  /** the reader left before the end */
  leave(): void
}

export class EventQueue implements AsyncIterator<Buffer, undefined> {
  private readonly waiting: Buffer[] = []
  private over: { error?: NodeFailure } | undefined
  private wake: (() => void) | undefined
  private held = false

  constructor(private readonly flow: EventFlow) {}

  push(event: Buffer): void {
    this.waiting.push(event)
    if (this.waiting.length >= WAITING && !this.held) {
      this.held = true
      this.flow.hold()
    }
    this.wake?.()
  }

  /** No more will come. Harmless twice. @param error thrown at the reader, after all that came before */
  end(error?: NodeFailure): void {
    this.over ??= error ? { error } : {}
    this.wake?.()
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    while (this.waiting.length === 0 && !this.over) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
    const value = this.waiting.shift()
    if (value !== undefined) {
      if (this.held) {
        this.held = false
        this.flow.resume()
      }
      return { done: false, value }
    }
    if (this.over?.error) throw this.over.error
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.over) this.flow.leave()
    this.end()
    return { done: true, value: undefined }
  }
}
