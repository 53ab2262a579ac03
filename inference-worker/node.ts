/** The state of one GPU node: whether it is connected, its model, its load, and whether it is unhealthy. */
import type { Announcement } from '../domain/chat/node-announcement.js'
import { NodeClient } from '../domain/nodes/client.js'
import type { EventStream, NodeAccess } from '../domain/nodes/connection.js'
import { NodeFailure } from '../domain/nodes/failure.js'
import { Backoff } from '../platform/retry/backoff.js'
import type { Log } from '../platform/telemetry/log.js'
import { type LoadReport, NODE_STATE, type NodeInfo } from '../proto/heddle/node/v1/messages.js'

const MEMORY_MS = 60_000
const MOST = 2_000

/** The mean of the last minute's measurements. */
class RollingMean {
  private values: { at: number; value: number }[] = []

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {}

  add(value: number): void {
    this.values.push({ at: this.now(), value })
    if (this.values.length > MOST) this.values = this.values.slice(MOST / 2)
  }

  /** @returns undefined if there are no measurements */
  mean(): number | undefined {
    const since = this.now() - MEMORY_MS
    this.values = this.values.filter(({ at }) => at >= since)
    if (this.values.length === 0) return undefined
    return this.values.reduce((sum, { value }) => sum + value, 0) / this.values.length
  }
}

const REPORT_MS = 1000
const WAITS = { firstMs: 100, longestMs: 2000 }

export class Node {
  readonly client: NodeClient
  /** this worker's requests on the node */
  active = 0
  readonly firstTokens = new RollingMean()
  private readonly speeds = new RollingMean()
  private known: NodeInfo | undefined
  private load: LoadReport | undefined
  private since = 0
  /** when the node was last seen up, ms since 1970 */
  private upAt: number | undefined
  private readonly unbegun = new Set<() => void>()
  private unhealthy = false
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined

  /** @param changed called when the node comes up, goes down or reports its load */
  constructor(
    readonly address: string,
    access: NodeAccess,
    private readonly log: Log,
    private readonly changed: (node: Node) => void,
  ) {
    this.client = new NodeClient(address, access)
  }

  start(): void {
    this.running = this.watch()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
    this.client.close()
  }

  /** True if the node serves and is healthy. */
  get up(): boolean {
    return this.load?.state === NODE_STATE.serving && !this.unhealthy
  }

  /** True if the node takes requests: it is up, and no training job uses its device. */
  get ready(): boolean {
    return this.up && !this.load?.servingPaused
  }

  /** Asks for a turn of serving if a training job has the node's device. Never rejects: older nodes can't. */
  async wake(): Promise<void> {
    if (this.up && this.load?.servingPaused) await this.client.wake().catch(() => undefined)
  }

  /** Calls `leave` when serving is paused. @returns a function that unsubscribes; call it when an answer begins */
  whenPaused(leave: () => void): () => void {
    this.unbegun.add(leave)
    return () => this.unbegun.delete(leave)
  }

  get info(): NodeInfo | undefined {
    return this.known
  }

  /** Running and waiting requests, divided by the node's slots; 1: full. */
  get fullness(): number {
    const reported = (this.load?.running ?? 0) + (this.load?.waiting ?? 0)
    return Math.max(reported, this.active) / Math.max(1, this.known?.slots ?? 1)
  }

  /** Sends an encoded EmbedRequest. @param deadline ms since 1970 */
  embed(request: Uint8Array, deadline: number): EventStream {
    return this.client.embed(request, deadline)
  }

  /** Sends an encoded GenerateRequest. @param deadline ms since 1970 */
  generate(request: Uint8Array, deadline: number): EventStream {
    const { client, known } = this
    return known?.together ? client.generateTogether(request, deadline) : client.generate(request, deadline)
  }

  holds(adapter: string): boolean {
    return this.load?.adapterIds.includes(adapter) ?? false
  }

  /** Notes that the node has loaded the adapter, until its next report. */
  loaded(adapter: string): void {
    if (this.load && !this.holds(adapter)) this.load.adapterIds.push(adapter)
  }

  /** Notes that the node no longer holds the adapter. */
  dropped(adapter: string | undefined): void {
    if (this.load) this.load.adapterIds = this.load.adapterIds.filter((id) => id !== adapter)
  }

  /** Marks the node unhealthy: it gets no requests until it has generated a token. */
  markUnhealthy(why: NodeFailure): void {
    if (this.unhealthy || this.stopping.signal.aborted) return
    this.unhealthy = true
    this.log.warn(
      { node: this.address, code: why.code },
      'a node is unhealthy and gets no requests until it has recovered',
    )
    this.changed(this)
    void this.recover()
  }

  /** The node's announcement for Redis; undefined until the node was reached once. */
  announcement(worker: string, now: number): Announcement | undefined {
    const { known: info, load } = this
    if (!info) return undefined
    if (this.up) this.upAt = now
    const down = this.up || this.upAt === undefined ? {} : { downMs: now - this.upAt }
    return {
      ...{ ...down, paused: load?.servingPaused ?? false },
      ...{ worker, address: this.address, at: now, up: this.up, since: this.since },
      ...{ node: info.nodeId, model: info.model, engine: `${info.engine} ${info.engineVersion}`.trim() },
      ...{ device: info.device, contextLength: info.contextLength, slots: info.slots },
      ...{ queueLimit: info.queueLimit, maxAdapters: info.maxAdapters, priorities: info.priorityScheduling },
      ...{ unsupported: info.unsupportedFields, images: info.images, embeds: info.embeds },
      ...(info.embeds && { embeddingDimensions: info.embeddingDimensions }),
      ...{ running: load?.running ?? 0, waiting: load?.waiting ?? 0, adapters: load?.adapterIds ?? [] },
      ...{ memoryBytes: load?.memoryBytes ?? 0 },
      ...{ tokensPerSecond: this.speeds.mean() || null, firstTokenMs: this.firstTokens.mean() ?? null },
    }
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping
    const backoff = new Backoff(WAITS)
    while (!signal.aborted) {
      try {
        this.known = await this.client.info()
        await this.client.health()
        this.since = Date.now()
        for await (const report of this.client.watchLoad(REPORT_MS, signal)) {
          if (!this.load) this.log.info({ node: this.address, model: this.known.model }, 'a node is up')
          const paused = report.servingPaused && !this.load?.servingPaused
          this.load = report
          if (paused) for (const leave of [...this.unbegun]) leave()
          this.speeds.add(report.generatedTokensPerSecond)
          this.changed(this)
          backoff.reset()
        }
      } catch (error) {
        if (!signal.aborted) this.log.debug({ node: this.address, err: error }, 'a node does not answer')
      }
      if (this.load && !signal.aborted) this.log.warn({ node: this.address }, 'a node is gone')
      this.load = undefined
      this.changed(this)
      await backoff.wait(signal)
    }
  }

  private async recover(): Promise<void> {
    const { signal } = this.stopping
    const backoff = new Backoff(WAITS)
    while (!signal.aborted) {
      await backoff.wait(signal)
      try {
        await this.client.health()
        break
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error
      }
    }
    this.unhealthy = false
    this.changed(this)
  }
}
