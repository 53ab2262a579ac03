/**
 * When batches are made. While one is stored the next gathers (group commit): a batch is what is there when the decode
 * thread is free and the store has nothing to do, or a full one when it has.
 */
import { errors } from '../../platform/errors/catalog.js'
import type { Reply } from '../../platform/http/request.js'
import { currentSpan, within } from '../../platform/telemetry/tracing.js'
import type { RawWrite } from '../threads/task.js'
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
}

/** What compressed bodies are taken to grow to. */
const INFLATION = 4
/** A request costs something however small it is. */
const REQUEST_WEIGHT = 512

export class Pipeline {
  private readonly queue = new FairQueue<Job>(({ write }) => weightOf(write))
  private decoding = 0
  private storing = 0
  private lastStart = 0
  private timer: NodeJS.Timeout | undefined
  private stopping = false
  private idle: (() => void) | undefined
  private unanswered = 0

  constructor(
    private readonly commit: Commit,
    private readonly options: PipelineOptions,
  ) {}

  /** Requests that wait for a batch. */
  get queued(): number {
    return this.queue.length
  }

  /** Resolves with the answer when all of `write` is stored; taken in `tenant`'s turn. */
  async submit(tenant: Tenant, write: RawWrite, mustPair = false): Promise<Reply> {
    if (this.stopping) throw errors.stopping()
    this.unanswered++
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.queue.push(tenant, { write, mustPair, span: currentSpan(), resolve, reject })
        this.pump()
      })
    } finally {
      if (--this.unanswered === 0) this.idle?.()
    }
  }

  /** Takes nothing new and resolves when everything taken is answered. */
  async stop(): Promise<void> {
    this.stopping = true
    if (this.unanswered > 0) await new Promise<void>((resolve) => (this.idle = resolve))
    clearTimeout(this.timer)
  }

  /** Starts as many batches as should start now. */
  private pump(): void {
    const { batchWeight, threads, inserts, gapMs } = this.options
    while (this.queue.length > 0 && this.decoding < threads) {
      if (this.queue.weight < batchWeight) {
        if (this.decoding + this.storing > 0) return
        const wait = this.lastStart + gapMs - performance.now()
        if (wait > 0) {
          this.later(wait)
          return
        }
      } else if (this.decoding + this.storing > inserts) return
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
    this.decoding++
    const jobs = this.queue.take(this.options.batchWeight)
    const decoded = () => {
      this.decoding--
      this.storing++
      this.pump()
    }
    // A batch is part of the first of its requests that is traced.
    const span = jobs.find((job) => job.span)?.span
    const stored = within(span, () => this.commit.run(jobs, decoded))
    void stored.then(() => {
      this.storing--
      this.pump()
    })
  }
}

function weightOf({ body, contentEncoding }: RawWrite): number {
  const compressed = contentEncoding !== '' && contentEncoding !== 'identity'
  return REQUEST_WEIGHT + body.length * (compressed ? INFLATION : 1)
}
