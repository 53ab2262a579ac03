/** Writes answers to a uWebSockets.js response; streams with backpressure. */
import { STATUS_CODES } from 'node:http'
import type { PartialRead } from '../clickhouse/partial-read.js'
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'
import { Hold } from './hold.js'
import { Reply } from './request.js'
import type { ErrorBody } from './route.js'
import type { Outgoing } from './server.js'

/** Of an answer that lacks calls which were acknowledged since, as the disk is full. */
const LACKS_SINCE = 'x-heddle-lacks-since'
/** A reader that takes nothing for this long is disconnected, and its query cancelled. */
const STALL_MS = 600_000
/**
 * The library closes a connection ten seconds after the end of an answer of which its reader takes nothing, with what it holds
 * of the answer. So an answer ends when the system has all of it: bodies of more bytes than this, which sockets hold at once,
 * are sent as they are taken.
 */
const SMALL = 16 << 10
/** Bytes of a larger chunk that wait until the rest is taken: each asks once more whether it is. */
const KEPT = 64

/** The life cycle of one response: whether the client is still connected, and what to do when it leaves. */
export class Exchange {
  readonly controller = new AbortController()
  gone = false
  /** the connection was closed by us, since the rest of the answer failed */
  isCut = false
  bytesOut = 0
  status = 0
  /** the connection after the answer; `closing`: the caller is asked to close it; `closed`: it ends with the answer */
  after: 'kept' | 'closing' | 'closed' = 'kept'
  /** headers of whatever is answered */
  common: Readonly<Record<string, string>> = {}
  /** what the answer's reads lack */
  partial: PartialRead | undefined
  /** called when an answer begins */
  answering: (() => void) | undefined
  private wake: (() => void) | undefined
  /** the end of the last chunk, which waits for the rest of it */
  private kept: Uint8Array | undefined

  readonly hold: Hold

  /** @param headOnly answers a HEAD request: as GET, without the body */
  constructor(
    readonly res: Outgoing,
    private readonly headOnly = false,
  ) {
    this.hold = new Hold(res)
  }

  /** Of the client's end of the connection; empty once it has left. */
  get remoteAddress(): string {
    return this.gone ? '' : new TextDecoder().decode(this.res.getRemoteAddressAsText())
  }

  /** The client has left. */
  abort(): void {
    this.gone = true
    this.controller.abort()
    this.wake?.()
  }

  /** Sends `reply`. Awaits a stream's first chunk before sending the status, so that an early error sets the status. */
  async send(reply: Reply): Promise<void> {
    const { body } = reply
    if (typeof body === 'string' || body instanceof Uint8Array) return this.whole(reply, body)
    const chunks = body[Symbol.asyncIterator]()
    try {
      const first = await chunks.next()
      if (this.gone) return
      if (first.done) return this.whole(reply, '')
      if (this.headOnly) return this.headAlone(reply)
      this.wakeWhenWritable()
      this.status = reply.status
      if (this.after === 'closed') this.after = 'closing'
      let writable = this.write(first.value, () => this.head(reply))
      while (!this.gone) {
        if (!writable) await this.drained()
        if (this.gone) return
        const next = await chunks.next()
        if (this.gone) return
        if (next.done) {
          this.res.cork(() => this.res.end(this.kept))
          return
        }
        writable = this.write(next.value)
      }
    } catch (error) {
      // After the first byte, only a cut connection shows the caller that the answer is incomplete.
      if (this.status === 0 || this.gone) throw error
      this.isCut = true
      this.res.close()
      throw error
    } finally {
      await chunks.return?.()
    }
  }

  private async whole(reply: Reply, body: string | Uint8Array): Promise<void> {
    if (this.gone) return
    if (!this.headOnly && body.length > SMALL) return this.large(reply, Buffer.from(body))
    this.status = reply.status
    if (!this.headOnly) this.bytesOut += body.length
    this.res.cork(() => {
      this.head(reply)
      if (this.headOnly) this.res.endWithoutBody(Buffer.byteLength(body), this.after === 'closed')
      else this.res.end(body, this.after === 'closed')
    })
  }

  /** A body that the reader may take in several pieces. */
  private async large(reply: Reply, body: Uint8Array): Promise<void> {
    this.status = reply.status
    if (this.after === 'closed') this.after = 'closing'
    this.bytesOut += body.length
    this.wakeWhenWritable()
    const rest = () => this.res.tryEnd(body.subarray(this.res.getWriteOffset()), body.length)[1]
    let isDone = false
    this.res.cork(() => {
      this.head(reply)
      isDone = rest()
    })
    if (!isDone) await this.drained(rest)
  }

  private wakeWhenWritable(): void {
    this.res.onWritable(() => {
      this.wake?.()
      return true
    })
  }

  /** The head of a stream, whose length is unknown. */
  private headAlone(reply: Reply): void {
    this.status = reply.status
    if (this.after === 'closed') this.after = 'closing'
    this.res.cork(() => {
      this.head(reply)
      this.res.endWithoutBody()
    })
  }

  private head(reply: Reply): void {
    this.answering?.()
    this.res.writeStatus(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`)
    // Keep browsers from guessing the content type.
    this.res.writeHeader('x-content-type-options', 'nosniff')
    if (reply.contentType !== '') this.res.writeHeader('content-type', reply.contentType)
    for (const headers of [this.common, reply.headers])
      for (const [name, value] of Object.entries(headers)) this.res.writeHeader(name, value)
    const since = this.partial?.lacksSince
    if (since !== undefined) this.res.writeHeader(LACKS_SINCE, new Date(since).toISOString())
    // The library sends this itself when it closes the connection, and it can't close one after a stream.
    if (this.after === 'closing') this.res.writeHeader('connection', 'close')
  }

  /** @returns false: wait until it is {@link drained} */
  private write(chunk: Uint8Array, before?: () => void): boolean {
    const at = chunk.length > SMALL ? chunk.length - KEPT : chunk.length
    let writable = true
    this.bytesOut += chunk.length
    this.res.cork(() => {
      before?.()
      if (this.kept) this.res.write(this.kept)
      this.kept = undefined
      writable = this.res.write(chunk.subarray(0, at))
      if (at === chunk.length) return
      if (writable) writable = this.res.write(chunk.subarray(at))
      else this.kept = chunk.slice(at)
    })
    return writable
  }

  /** Sends a byte of what was kept, since that tells whether all before it was taken. */
  private isTaken(): boolean {
    if (!this.kept || this.kept.length === 1) return true
    const next = this.kept.subarray(0, 1)
    this.kept = this.kept.subarray(1)
    return this.res.write(next)
  }

  /**
   * Resolves when the reader has taken what was written, or has left.
   * @param isDone asked each time that it has taken something. It is not called within {@link Outgoing.cork}, where all that is
   *   written seems to be taken.
   */
  private drained(isDone = () => this.isTaken()): Promise<void> {
    return new Promise((resolve) => {
      const stall = setTimeout(() => {
        if (!this.gone) this.res.close()
      }, STALL_MS)
      // The client may read slowly.
      this.hold.keepAwake()
      this.wake = () => {
        stall.refresh()
        if (!this.gone && !isDone()) return
        clearTimeout(stall)
        this.wake = undefined
        resolve()
      }
    })
  }
}

/** Turns a handler's return value into a reply. */
export function replyOf(value: unknown, contentType: string): Reply {
  if (value instanceof Reply) return value
  return new Reply(200, contentType, JSON.stringify(value ?? null))
}

const plainBody: ErrorBody = (error) => error.body()

/** Sends a browser to another address. */
export function redirectReply(address: string, headers: Record<string, string> = {}): Reply {
  return new Reply(303, 'text/plain', '', { location: address, 'cache-control': 'no-store', ...headers })
}

/** Turns a thrown error into a reply. */
export function errorReply(error: unknown, requestId = '', bodyOf: ErrorBody = plainBody): Reply {
  const known = error instanceof HeddleError ? error : errors.internal()
  const headers = { ...known.extra.headers, ...(requestId !== '' && { 'x-request-id': requestId }) }
  return new Reply(known.status, 'application/json', JSON.stringify(bodyOf(known)), headers)
}
