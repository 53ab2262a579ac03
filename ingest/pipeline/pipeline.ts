/**
 * When batches are made. While one is stored the next gathers (group commit): a batch is what is there when the decode
 * thread is free and the store has nothing to do, or a full one when it has. Entities whose rows replace others have
 * batches apart, so that others don't wait for what theirs need first; and an entity that sends little does not wait for
 * the large batch of another.
 */
import { errors } from '../../platform/errors/catalog.js'
import { RecentAccounts } from '../../platform/fairness/recent-accounts.js'
import type { Reply } from '../../platform/http/request.js'
import { currentSpan, within } from '../../platform/telemetry/tracing.js'
import type { RawWrite } from '../threads/task.js'
import { isSmall, SMALL_BYTES } from '../threads/threads.js'
import type { Commit, Job } from './commit.js'
import { FairQueue } from './fair-queue.js'
import type { Tenant } from './tenant.js'

export interface PipelineOptions {
  /** weight of a full batch: bytes of bodies, compressed ones counted several times */
  batchWeight: number
  /** batches decoded at once */
  threads: number
  /** batches stored at once */
  inserts: number
  /** ms between the starts of two batches that are not full: many small inserts cost merges */
  gapMs: number
  /** whether a few small requests may be a batch of their own while others' are stored: where a batch costs next to nothing */
  smallBatches: boolean
}

/** What compressed bodies are taken to grow to. */
const INFLATION = 4
/** A request costs something however small it is. */
const REQUEST_WEIGHT = 512

export class Pipeline {
  /** shared by the streams */
  private readonly threads = { busy: 0 }
  private readonly streams: readonly [plain: Stream, replacing: Stream]
  /** entities some of whose rows took the place of others: each batch of theirs waits for what is looked up and announced */
  private readonly replacing = new RecentAccounts()
  private stopping = false
  private idle: (() => void) | undefined
  private unanswered = 0

  constructor(commit: Commit, options: PipelineOptions) {
    const stream = () => new Stream(commit, options, this.threads, () => this.pump())
    this.streams = [stream(), stream()]
  }

  /** Requests that wait for a batch. */
  get queued(): number {
    return this.streams.reduce((sum, { queued }) => sum + queued, 0)
  }

  /** Resolves with the answer when all of `write` is stored; taken in `tenant`'s turn. */
  async submit(tenant: Tenant, write: RawWrite, mustPair = false): Promise<Reply> {
    if (this.stopping) throw errors.stopping()
    this.unanswered++
    try {
      return await new Promise<Reply>((resolve, reject) => {
        const { entity } = tenant
        const replaces = () => this.replacing.note(entity)
        const stream = this.streams[this.replacing.has(entity) ? 1 : 0]
        stream.push(tenant, { entity, write, mustPair, span: currentSpan(), replaces, resolve, reject })
      })
    } finally {
      if (--this.unanswered === 0) this.idle?.()
    }
  }

  /** Takes nothing new and resolves when everything taken is answered. */
  async stop(): Promise<void> {
    this.stopping = true
    if (this.unanswered > 0) await new Promise<void>((resolve) => (this.idle = resolve))
    for (const stream of this.streams) stream.stop()
  }

  /** A thread is free: the stream that began a batch longer ago comes first. */
  private pump(): void {
    const [one, other] = this.streams
    for (const stream of one.lastStart <= other.lastStart ? [one, other] : [other, one]) stream.pump()
  }
}

/** Batches one after the other. */
class Stream {
  /** when a batch was begun last, as `performance.now()` */
  lastStart = 0
  private readonly queue = new FairQueue<Job>(({ write }) => weightOf(write))
  private underWay = 0
  private isSmallUnderWay = false
  /** requests in batches under way, by entity */
  private readonly storing = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined

  /** @param threads those that decode, of all streams @param decoded called when one is free again */
  constructor(
    private readonly commit: Commit,
    private readonly options: PipelineOptions,
    private readonly threads: { busy: number },
    private readonly decoded: () => void,
  ) {}

  get queued(): number {
    return this.queue.length
  }

  push(tenant: Tenant, job: Job): void {
    this.queue.push(tenant, job)
    this.pump()
    this.startSmall()
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  /** Starts as many batches as should start now. */
  pump(): void {
    const { batchWeight, threads, inserts, gapMs } = this.options
    while (this.queue.length > 0 && this.threads.busy < threads) {
      if (this.queue.weight < batchWeight) {
        if (this.underWay > 0) return
        const wait = this.lastStart + gapMs - performance.now()
        if (wait > 0) {
          this.later(wait)
          return
        }
      } else if (this.underWay > inserts) return
      this.start()
    }
  }

  private later(ms: number): void {
    if (this.timer) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.pump()
    }, ms)
  }

  private start(): void {
    this.lastStart = performance.now()
    this.threads.busy++
    this.underWay++
    const jobs = this.queue.take(this.options.batchWeight)
    const decoded = () => {
      this.threads.busy--
      this.decoded()
    }
    void this.run(jobs, decoded).then(() => {
      this.underWay--
      this.pump()
    })
  }

  /** Stores small requests of an entity that has none under way, beside the batches of others; one such batch at a time. */
  private startSmall(): void {
    if (!this.options.smallBatches || this.isSmallUnderWay || this.underWay === 0) return
    const may = ({ entity, write }: Job) => !this.storing.has(entity) && isSmall([write])
    const jobs = this.queue.takeOfOne(SMALL_BYTES, may)
    if (jobs.length === 0) return
    this.isSmallUnderWay = true
    void this.run(jobs, () => undefined).then(() => {
      this.isSmallUnderWay = false
      this.startSmall()
    })
  }

  private async run(jobs: readonly Job[], decoded: () => void): Promise<void> {
    const { storing } = this
    for (const { entity } of jobs) storing.set(entity, (storing.get(entity) ?? 0) + 1)
    // A batch is part of the first of its requests that is traced.
    const span = jobs.find((job) => job.span)?.span
    await within(span, () => this.commit.run(jobs, decoded))
    for (const { entity } of jobs) {
      const left = storing.get(entity)! - 1
      if (left > 0) storing.set(entity, left)
      else storing.delete(entity)
    }
  }
}

function weightOf({ body, contentEncoding }: RawWrite): number {
  const compressed = contentEncoding !== '' && contentEncoding !== 'identity'
  return REQUEST_WEIGHT + body.length * (compressed ? INFLATION : 1)
}
