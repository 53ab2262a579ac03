/**
 * A connection to one GPU node: its calls over gRPC, with the shared token, TLS, deadlines and keep-alive. Streams
 * give their events as bytes, since who passes them on need not decode them. Knows nothing of which node is asked.
 */
import { readFileSync } from 'node:fs'
import {
  type CallOptions,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import {
  abortRequest,
  abortResponse,
  type Codec,
  healthRequest,
  healthResponse,
  infoRequest,
  infoResponse,
  type LoadReport,
  loadAdapterRequest,
  loadAdapterResponse,
  loadReport,
  type NodeInfo,
  watchLoadRequest,
} from '../../proto/heddle/node/v1/messages.js'
import { NodeFailure } from './failure.js'

const SERVICE = '/heddle.node.v1.NodeService/'
/** Prompts, and deltas with the log-probabilities of a whole vocabulary. */
const MESSAGE_BYTES = 64 * 1024 * 1024
const QUICK_MS = 5_000
/** Large adapters come from far away. */
const LOAD_MS = 300_000

export interface NodeAccess {
  /** the shared token of workers and nodes */
  token?: string | undefined
  /** file with the certificate (or its authority) of nodes: then connections are TLS */
  ca?: string | undefined
}

/** A stream of events of one request. */
export interface EventStream extends AsyncIterable<Buffer> {
  cancel(): void
}

/** A connection that is made when it is needed, and what goes with each of its calls. */
export function openNode(address: string, access: NodeAccess): { client: Client; metadata: Metadata } {
  const secure = access.ca !== undefined
  const channel = secure ? credentials.createSsl(readFileSync(access.ca!)) : credentials.createInsecure()
  const client = new Client(address, channel, {
    'grpc.max_receive_message_length': MESSAGE_BYTES,
    'grpc.max_send_message_length': MESSAGE_BYTES,
    // A node whose machine is gone answers nothing: this finds it within ten seconds, also in mid-stream.
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
  })
  const metadata = new Metadata()
  if (access.token !== undefined) metadata.set('authorization', `Bearer ${access.token}`)
  return { client, metadata }
}

export class NodeClient {
  private readonly client: Client
  private readonly metadata: Metadata

  /** @param address host:port, or unix:path */
  constructor(
    readonly address: string,
    access: NodeAccess = {},
  ) {
    const { client, metadata } = openNode(address, access)
    this.client = client
    this.metadata = metadata
  }

  /** What the node is. */
  info(): Promise<NodeInfo> {
    return this.call('Info', infoRequest, infoResponse, {}, QUICK_MS)
  }

  /** Generates one token. */
  health(): Promise<{ tokenId: number; latencyMs: number }> {
    return this.call('Health', healthRequest, healthResponse, {}, QUICK_MS)
  }

  async loadAdapter(adapterId: string, address: string, manifestSha256: string): Promise<void> {
    const request = { adapterId, address, manifestSha256 }
    await this.call('LoadAdapter', loadAdapterRequest, loadAdapterResponse, request, LOAD_MS)
  }

  async abort(requestId: string): Promise<boolean> {
    return (await this.call('Abort', abortRequest, abortResponse, { requestId }, QUICK_MS)).found
  }

  /** Reports until the node is gone. */
  async *watchLoad(intervalMs: number, signal: AbortSignal): AsyncGenerator<LoadReport> {
    const stream = this.stream('WatchLoad', watchLoadRequest.encode({ intervalMs }))
    const stop = () => stream.cancel()
    signal.addEventListener('abort', stop)
    try {
      for await (const bytes of stream) yield loadReport.decode(bytes)
    } finally {
      signal.removeEventListener('abort', stop)
      stream.cancel()
    }
  }

  /**
   * @param request a GenerateRequest, encoded
   * @param deadline ms since 1970
   * The iteration throws {@link NodeFailure}; leaving it early cancels the request on the node.
   */
  generate(request: Uint8Array, deadline: number): EventStream {
    return this.stream('Generate', request, { deadline })
  }

  close(): void {
    this.client.close()
  }

  private call<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>, request: Q, ms: number): Promise<A> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        SERVICE + name,
        ask.encode,
        answer.decode,
        request,
        this.metadata,
        { deadline: Date.now() + ms },
        (error, value) => (error ? reject(NodeFailure.of(error)) : resolve(value!)),
      )
    })
  }

  private stream(name: string, request: Uint8Array, options: CallOptions = {}): EventStream {
    const call = this.client.makeServerStreamRequest(
      SERVICE + name,
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes: Buffer) => bytes,
      request,
      this.metadata,
      options,
    )
    return { cancel: () => call.cancel(), [Symbol.asyncIterator]: () => eventsOf(call) }
  }
}

/** The messages of a stream as bytes; throws {@link NodeFailure}. Leaving it early cancels the call. */
export async function* eventsOf(call: ClientReadableStream<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const bytes of call) yield bytes as Buffer
  } catch (error) {
    throw NodeFailure.of(error as ServiceError)
  } finally {
    call.cancel()
  }
}
