/**
 * A connection to one gRPC service of a GPU node, with the shared token, TLS, deadlines and keep-alive. Streams yield
 * bytes, since a relay need not decode them.
 */
import { readFileSync } from 'node:fs'
import {
  type CallOptions,
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { Span } from '../../platform/telemetry/tracing.js'
import { nodeSpan } from '../../platform/telemetry/tracing-spans.js'
import type { Codec } from '../../proto/heddle/node/v1/codec.js'
import { EventQueue } from './event-queue.js'
import { NodeFailure } from './failure.js'

/** Enough for prompts, and for deltas with log-probabilities of a whole vocabulary. */
const MESSAGE_BYTES = 64 * 1024 * 1024

export interface NodeAccess {
  /** the shared token of workers and nodes */
  token?: string | undefined
  /** file with the nodes' certificate (or its CA); turns on TLS */
  ca?: string | undefined
}

/** The events of one request. */
export interface EventStream extends AsyncIterable<Buffer> {
  cancel(): void
}

/** Connects on first use. */
export class NodeConnection {
  private readonly client: Client
  private readonly metadata = new Metadata()

  /**
   * @param address host:port, or unix:path
   * @param service the service's name with its package
   */
  constructor(
    private readonly address: string,
    access: NodeAccess,
    private readonly service: string,
  ) {
    const secure = access.ca !== undefined
    const channel = secure ? credentials.createSsl(readFileSync(access.ca!)) : credentials.createInsecure()
    this.client = new Client(address, channel, {
      'grpc.max_receive_message_length': MESSAGE_BYTES,
      'grpc.max_send_message_length': MESSAGE_BYTES,
      // Detects a vanished machine within ten seconds, even in mid-stream.
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 5_000,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
    })
    if (access.token !== undefined) this.metadata.set('authorization', `Bearer ${access.token}`)
  }

  /** A unary call with a timeout. @throws NodeFailure */
  call<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>, request: Q, ms: number): Promise<A> {
    const span = nodeSpan(this.service, name, this.address)
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        `/${this.service}/${name}`,
        ask.encode,
        answer.decode,
        request,
        this.metadataFor(span),
        { deadline: Date.now() + ms },
        (error, value) => {
          const failure = error ? NodeFailure.of(error) : undefined
          span?.end(failure?.code)
          if (failure) reject(failure)
          else resolve(value!)
        },
      )
    })
  }

  /** @param request encoded */
  stream(name: string, request: Uint8Array, options: CallOptions = {}): EventStream {
    const span = nodeSpan(this.service, name, this.address)
    const call = this.client.makeServerStreamRequest(
      `/${this.service}/${name}`,
      bufferOf,
      (bytes: Buffer) => bytes,
      request,
      this.metadataFor(span),
      options,
    )
    return { cancel: () => call.cancel(), [Symbol.asyncIterator]: () => eventsOf(call, span) }
  }

  /** A bidirectional streaming call. */
  duplex<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>): ClientDuplexStream<Q, A> {
    return this.client.makeBidiStreamRequest(
      `/${this.service}/${name}`,
      ask.encode,
      answer.decode,
      this.metadata,
    )
  }

  /** Starts the span of a call that doesn't start its own; undefined if it is not traced. */
  span(name: string): Span | undefined {
    return nodeSpan(this.service, name, this.address)
  }

  /** The messages of a stream; `signal`, or ending the iteration early, cancels it. @throws NodeFailure */
  async *messages<A>(
    name: string,
    request: Uint8Array,
    answer: Codec<A>,
    signal: AbortSignal,
  ): AsyncGenerator<A> {
    const stream = this.stream(name, request)
    const stop = () => stream.cancel()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      for await (const bytes of stream) yield answer.decode(bytes)
    } finally {
      signal.removeEventListener('abort', stop)
      stream.cancel()
    }
  }

  close(): void {
    this.client.close()
  }

  /** Includes the traceparent, so that the node's spans continue `span`. */
  private metadataFor(span: Span | undefined): Metadata {
    if (!span) return this.metadata
    const metadata = this.metadata.clone()
    metadata.set('traceparent', span.traceparent)
    return metadata
  }
}

/** The messages of a stream as bytes; throws {@link NodeFailure}. Ending the iteration early cancels the call. */
function eventsOf(call: ClientReadableStream<Buffer>, span: Span | undefined): AsyncIterator<Buffer> {
  let over = false
  const queue = new EventQueue({
    hold: () => call.pause(),
    resume: () => call.resume(),
    leave: () => {
      ended()
      call.cancel()
    },
  })
  const ended = (failure?: NodeFailure) => {
    if (!over) span?.end(failure?.code)
    over = true
    queue.end(failure)
  }
  call.on('data', (bytes: Buffer) => queue.push(bytes))
  call.on('end', () => ended())
  call.on('error', (error: ServiceError) => ended(NodeFailure.of(error)))
  return queue
}
