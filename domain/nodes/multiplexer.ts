/**
 * Multiplexes many requests to a node over one call, opened on demand and reopened when lost. Requests of one
 * event-loop turn share a message. Not a Batcher: a request has many answer events, and a later command for a request
 * revokes an earlier one in the same message.
 */
import { type ClientDuplexStream, type ServiceError, status } from '@grpc/grpc-js'
import type { Span } from '../../platform/telemetry/tracing.js'
import { EVENT_TAG, type TogetherEvents, type TogetherRequest } from '../../proto/heddle/node/v1/messages.js'
import type { EventStream } from './connection.js'
import { EventQueue } from './event-queue.js'
import { NodeFailure } from './failure.js'

export type MultiplexedCall = ClientDuplexStream<TogetherRequest, TogetherEvents>

/** A message of this size is sent at once. */
const MESSAGE_BYTES = 1024 * 1024
/** Deadlines are rounded to this many ms, so that most share a timer. */
const DEADLINE_STEP_MS = 250

interface RequestStream {
  queue: EventQueue
  span: Span | undefined
  late: NodeJS.Timeout
}

export class Multiplexer {
  private call: MultiplexedCall | undefined
  private readonly streams = new Map<number, RequestStream>()
  private counter = 0
  private asked: Required<TogetherRequest> = nothing()
  private bytes = 0
  private due: NodeJS.Immediate | undefined

  /** @param open opens the call */
  constructor(private readonly open: () => MultiplexedCall) {}

  /**
   * @param request a GenerateRequest, encoded
   * @param deadline ms since 1970
   */
  generate(request: Uint8Array, deadline: number, span: Span | undefined): EventStream {
    this.call ??= this.opened()
    const number = this.next()
    const queue = new EventQueue({
      hold: () => this.ask('hold', number),
      resume: () => this.ask('resume', number),
      leave: () => this.cancel(number),
    })
    const wait = Math.max(1, Math.ceil((deadline - Date.now()) / DEADLINE_STEP_MS)) * DEADLINE_STEP_MS
    const late = setTimeout(() => this.cancel(number, tooLate()), wait)
    this.streams.set(number, { queue, span, late })
    this.asked.begin.push({ number, request })
    this.bytes += request.length
    this.soon()
    return { cancel: () => this.cancel(number), [Symbol.asyncIterator]: () => queue }
  }

  /** Ends the call and all its requests. */
  close(): void {
    this.call?.cancel()
    clearImmediate(this.due)
  }

  private opened(): MultiplexedCall {
    const call = this.open()
    call.on('data', ({ events }: TogetherEvents) => {
      for (const { number, event } of events) this.event(number, event)
    })
    call.on('error', (error: ServiceError) => this.lost(call, NodeFailure.of(error)))
    call.on('end', () => this.lost(call, NodeFailure.lost()))
    return call
  }

  private event(number: number, event: Buffer): void {
    const stream = this.streams.get(number)
    if (!stream) return
    stream.queue.push(event)
    const kind = event[0]
    if (kind === EVENT_TAG.done || kind === EVENT_TAG.error) this.ended(number, stream)
  }

  private lost(call: MultiplexedCall, failure: NodeFailure): void {
    if (this.call !== call) return
    this.call = undefined
    this.asked = nothing()
    this.bytes = 0
    for (const [number, stream] of this.streams) this.ended(number, stream, failure)
  }

  private cancel(number: number, failure?: NodeFailure): void {
    const stream = this.streams.get(number)
    if (!stream) return
    this.ended(number, stream, failure)
    this.ask('cancel', number)
  }

  private ended(number: number, { queue, span, late }: RequestStream, failure?: NodeFailure): void {
    this.streams.delete(number)
    clearTimeout(late)
    span?.end(failure?.code)
    queue.end(failure)
  }

  private ask(what: 'cancel' | 'hold' | 'resume', number: number): void {
    if (what !== 'cancel' && !this.streams.has(number)) return
    // The last command counts, in whatever order a node reads those of one message.
    for (const earlier of ['hold', 'resume'] as const)
      this.asked[earlier] = this.asked[earlier].filter((other) => other !== number)
    this.asked[what].push(number)
    this.soon()
  }

  private soon(): void {
    if (this.bytes >= MESSAGE_BYTES) this.flush()
    else this.due ??= setImmediate(() => this.flush())
  }

  private flush(): void {
    clearImmediate(this.due)
    this.due = undefined
    this.bytes = 0
    const asked = this.asked
    this.asked = nothing()
    this.call?.write(asked)
  }

  /** An unused request number. */
  private next(): number {
    do this.counter = (this.counter + 1) >>> 0
    while (this.streams.has(this.counter))
    return this.counter
  }
}

function nothing(): Required<TogetherRequest> {
  return { begin: [], cancel: [], hold: [], resume: [] }
}

function tooLate(): NodeFailure {
  return new NodeFailure('TOO_LATE', status.DEADLINE_EXCEEDED, 'The answer was not ready in time.')
}
