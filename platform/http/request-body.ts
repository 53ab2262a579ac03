/**
 * The body of one request, however it comes: collected whole, or streamed to its route; made plain where it was
 * compressed. Knows nothing of what is in it or who sent it.
 */

import { type Collecting, collect } from './body.js'
import { type Streaming, streamBody } from './body-stream.js'
import type { BodyBudget } from './budget.js'
import type { Hold } from './hold.js'
import { inflate } from './inflate.js'
import type { Encoding } from './inflation.js'
import type { Exchange } from './respond.js'
import { bodyLimit, type RouteSpec } from './route.js'

export class RequestBody {
  private readonly collecting: Collecting | undefined
  private readonly streaming: Streaming | undefined
  private readonly hold: Hold
  private releaseInflated: (() => void) | undefined
  /** bytes that were sent, of a body that was collected */
  size = 0

  /**
   * Begins to read it. Must be made in the same tick as the request's handler.
   * @param declared the Content-Length, or -1 when the body comes in chunks
   * @param budget holds the memory until the sender is accepted
   */
  constructor(
    private readonly spec: RouteSpec,
    { res, hold }: Exchange,
    private readonly declared: number,
    private readonly encoding: Encoding,
    budget: BodyBudget,
  ) {
    this.hold = hold
    const most = bodyLimit(spec)
    if (spec.streamed) this.streaming = streamBody(res, hold, declared, encoding, most, budget)
    else if (declared !== 0) this.collecting = collect(res, declared, most, budget)
  }

  /** The body as it comes, where its route reads it so. */
  get chunks(): AsyncIterable<Uint8Array> | undefined {
    return this.streaming?.chunks
  }

  /** Does `check`; until it says yes, no more of the body is read than has come. */
  async accepted<T>(check: () => Promise<T>, budget: BodyBudget): Promise<T> {
    const letGo = this.hold.take()
    this.collecting?.bytes.catch(() => undefined)
    try {
      const known = await check()
      this.collecting?.accept(budget)
      this.streaming?.accept(budget)
      return known
    } finally {
      letGo()
    }
  }

  /** The bytes as they came; none of a body that is streamed. @throws what {@link Collecting.bytes} rejects with */
  async collected(): Promise<Uint8Array> {
    const bytes = (await this.collecting?.bytes) ?? new Uint8Array(0)
    this.size = bytes.length
    if (!this.streaming || this.declared === 0) this.hold.whole()
    return bytes
  }

  /** `bytes` without the compression that the route does not undo by itself. @throws as {@link inflate} */
  async plain(bytes: Uint8Array, budget: BodyBudget): Promise<Uint8Array> {
    if (this.encoding === 'identity' || bytes.length === 0) return bytes
    const inflated = await inflate(bytes, this.encoding, bodyLimit(this.spec), budget)
    this.releaseInflated = inflated.release
    return inflated.bytes
  }

  /** What still comes is dropped. */
  stop(reason: Error): void {
    this.collecting?.stop(reason)
    this.streaming?.stop(reason)
  }

  /** A streamed body is read no further: while its sender is held back, it would not read the answer. */
  stopStream(reason: Error): void {
    this.streaming?.stop(reason)
  }

  /** Gives all memory back. */
  release(): void {
    this.collecting?.stop(new Error('refused'))
    this.collecting?.release()
    this.releaseInflated?.()
  }
}
