/**
 * Responses that run though nobody waits for them: their events, for who follows them, and their end. A lease tells
 * other processes that a response runs here.
 */

import type { RenewedLease } from '../../platform/leases/renewed-lease.js'

/** The events of a response as it runs. */
class Running {
  private readonly events: string[] = []
  private isOver = false
  private waiting: (() => void)[] = []
  readonly cancelled = new AbortController()

  add(lines: string): void {
    for (const event of lines.split('\n\n')) if (event.startsWith('event: ')) this.events.push(`${event}\n\n`)
    this.wake()
  }

  end(): void {
    this.isOver = true
    this.wake()
  }

  /** The events from the one numbered `from` on, as they come. */
  async *follow(from: number): AsyncGenerator<Uint8Array> {
    for (let at = from; ; ) {
      if (at < this.events.length) yield Buffer.from(this.events[at++]!)
      else if (this.isOver) return
      else await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}

export class Background {
  private readonly running = new Map<string, Running>()
  private readonly ends = new Set<Promise<void>>()

  /**
   * Runs a response to its end, or until its lease is lost or revoked.
   * @param work yields its events, until `signal` is aborted; never throws
   */
  start(id: string, lease: RenewedLease, work: (signal: AbortSignal) => AsyncIterable<Uint8Array>): void {
    const running = new Running()
    lease.signal.addEventListener('abort', () => running.cancelled.abort())
    this.running.set(id, running)
    const end = this.run(running, work(running.cancelled.signal)).finally(() => {
      running.end()
      this.running.delete(id)
      this.ends.delete(end)
      return lease.release()
    })
    this.ends.add(end)
  }

  private async run(running: Running, events: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of events) running.add(Buffer.from(chunk).toString('utf8'))
  }

  /** The events of a response that runs in this process, from number `from` on. */
  follow(id: string, from: number): AsyncIterable<Uint8Array> | undefined {
    return this.running.get(id)?.follow(from)
  }

  /** Ends a response. @returns false if it doesn't run in this process */
  cancel(id: string): boolean {
    const running = this.running.get(id)
    running?.cancelled.abort()
    return running !== undefined
  }

  /** Ends all. */
  async stop(): Promise<void> {
    for (const { cancelled } of this.running.values()) cancelled.abort()
    await Promise.all(this.ends)
  }
}
