/** A client for a GPU node that serves models. Does not choose nodes. */
import {
  abortRequest,
  abortResponse,
  healthRequest,
  healthResponse,
  infoRequest,
  infoResponse,
  type LoadReport,
  loadAdapterRequest,
  loadAdapterResponse,
  loadReport,
  type NodeInfo,
  togetherEvents,
  togetherRequest,
  wakeRequest,
  wakeResponse,
  watchLoadRequest,
} from '../../proto/heddle/node/v1/messages.js'
import { type EventStream, type NodeAccess, NodeConnection } from './connection.js'
import { Multiplexer } from './multiplexer.js'

const SERVICE = 'heddle.node.v1.NodeService'
const QUICK_MS = 5_000
/** Large adapters may load from remote storage. */
const LOAD_MS = 300_000

export class NodeClient {
  private readonly node: NodeConnection
  private readonly together: Multiplexer

  /** @param address host:port, or unix:path */
  constructor(
    readonly address: string,
    access: NodeAccess = {},
  ) {
    this.node = new NodeConnection(address, access, SERVICE)
    this.together = new Multiplexer(() =>
      this.node.duplex('GenerateTogether', togetherRequest, togetherEvents),
    )
  }

  /** The node's description. */
  info(): Promise<NodeInfo> {
    return this.node.call('Info', infoRequest, infoResponse, {}, QUICK_MS)
  }

  /** Checks the node by generating one token. */
  health(): Promise<{ tokenId: number; latencyMs: number }> {
    return this.node.call('Health', healthRequest, healthResponse, {}, QUICK_MS)
  }

  async loadAdapter(adapterId: string, address: string, manifestSha256: string): Promise<void> {
    const request = { adapterId, address, manifestSha256 }
    await this.node.call('LoadAdapter', loadAdapterRequest, loadAdapterResponse, request, LOAD_MS)
  }

  async abort(requestId: string): Promise<boolean> {
    return (await this.node.call('Abort', abortRequest, abortResponse, { requestId }, QUICK_MS)).found
  }

  /** Asks a node that is paused for training to serve in between. */
  async wake(): Promise<void> {
    await this.node.call('Wake', wakeRequest, wakeResponse, {}, QUICK_MS)
  }

  /** Yields load reports until the node is gone. */
  watchLoad(intervalMs: number, signal: AbortSignal): AsyncGenerator<LoadReport> {
    return this.node.messages('WatchLoad', watchLoadRequest.encode({ intervalMs }), loadReport, signal)
  }

  /**
   * @param request a GenerateRequest, encoded
   * @param deadline ms since 1970
   * The iteration throws {@link NodeFailure}; leaving it early cancels the request on the node.
   */
  generate(request: Uint8Array, deadline: number): EventStream {
    return this.node.stream('Generate', request, { deadline })
  }

  /** Like {@link generate}. @param request an EmbedRequest, encoded */
  embed(request: Uint8Array, deadline: number): EventStream {
    return this.node.stream('Embed', request, { deadline })
  }

  /** Like {@link generate}, but multiplexed over one shared call; only for nodes whose info allows it. */
  generateTogether(request: Uint8Array, deadline: number): EventStream {
    return this.together.generate(request, deadline, this.node.span('Generate'))
  }

  close(): void {
    this.together.close()
    this.node.close()
  }
}
