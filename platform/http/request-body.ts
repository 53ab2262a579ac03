/** The body of one request: collected in full, or streamed to its route, and inflated if it is compressed. */

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
  /** bytes received of a collected body */
  size = 0

  /**
   * Starts reading. Construct it in the same tick as the request's handler.
   * @param declared the Content-Length, or -1 if the body is chunked
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

  /** The body as a stream, if its route wants one. */
  get chunks(): AsyncIterable<Uint8Array> | undefined {
    return this.streaming?.chunks
  }

  /** Runs `check`; reads no more of the body until it resolves. */
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

  /** The bytes as received; empty for a streamed body. @throws what {@link Collecting.bytes} rejects with */
  async collected(): Promise<Uint8Array> {
    const bytes = (await this.collecting?.bytes) ?? new Uint8Array(0)
    this.size = bytes.length
    if (!this.streaming || this.declared === 0) this.hold.whole()
    return bytes
  }

  /** Inflates `bytes`, unless the route does so itself. @throws like {@link inflate} */
  async plain(bytes: Uint8Array, budget: BodyBudget): Promise<Uint8Array> {
    if (this.encoding === 'identity' || bytes.length === 0) return bytes
    const inflated = await inflate(bytes, this.encoding, bodyLimit(this.spec), budget)
    this.releaseInflated = inflated.release
    return inflated.bytes
  }

  /** Drops the rest of the body. */
  stop(reason: string): void {
    this.collecting?.stop(reason)
    this.stopStream(reason)
  }

  /** Stops reading a streamed body: a sender that is paused would not read the answer. */
  stopStream(reason: string): void {
    this.streaming?.stop(new Error(reason))
  }

  /** Releases all memory. */
  release(): void {
    this.collecting?.stop('refused')
    this.collecting?.release()
    this.releaseInflated?.()
  }
}
