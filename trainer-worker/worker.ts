/**
 * The trainer worker takes training jobs from the queue, and from the tables if a queue job was lost. It runs one job
 * of a model at a time, in order of arrival, and as many at once as there are nodes, shared fairly between entities.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { NodeAccess } from '../domain/nodes/connection.js'
import { isReady, type JobRow, openJobs } from '../domain/training/jobs.js'
import { modelsById, storedModel } from '../domain/training/models.js'
import { TRAINING_CHANNEL, TRAINING_QUEUE, trainingQueueJob } from '../domain/training/queue-job.js'
import {
  TRAINER_BELIEVED_MS,
  TRAINERS_KEY,
  type TrainerAnnouncement,
} from '../domain/training/worker-announcement.js'
import type { Artifacts } from '../platform/artifacts/artifacts.js'
import type { Store } from '../platform/clickhouse/store.js'
import type { Leases } from '../platform/leases/lease.js'
import { RenewedLease } from '../platform/leases/renewed-lease.js'
import { Lru } from '../platform/lru/lru.js'
import { closed } from '../platform/redis/closing.js'
import { failFastConnection, retryingConnection } from '../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../platform/redis/names.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Metrics } from '../platform/telemetry/metrics.js'
import { ageOf } from '../platform/time/age.js'
import { nowMicros } from '../platform/time/iso.js'
import { note } from './attempt.js'
import type { CheckpointRetention } from './checkpoint-retention.js'
import { fairSchedule } from './fair-schedule.js'
import { GarbageCollector } from './garbage-collector.js'
import { TrainNodes } from './nodes.js'
import type { TrainSettings } from './request.js'
import { mayRetry } from './retry-policy.js'
import { type RunParts, run, stillOpen } from './run.js'

/** How often the worker polls the tables for jobs without a queue job. */
const POLL_MS = 1000
const ANNOUNCE_MS = 2000
/** The longest that one model whose rows can't be read delays the others. */
const PLACED_MS = 2000
const FILES_MS = 30_000
const RETRY_MS = 200
/** The most jobs whose trace is remembered. */
const MOST_TRACES = 10_000

export interface TrainerWorkerOptions {
  store: Store
  leases: Leases
  redisUrl: string
  artifacts: Artifacts
  /** the artifact store's, as nodes address it */
  root: string
  /** host:port of each node */
  nodes: readonly string[]
  access: NodeAccess
  settings: TrainSettings
  keep: CheckpointRetention
  log: Log
  metrics: Metrics
}

export class TrainerWorker {
  readonly id = randomUUID()
  private readonly redis: Redis
  private readonly retrying: Redis
  private readonly subscriber: Redis
  private readonly nodes: TrainNodes
  private readonly consumer: Worker
  private readonly parts: RunParts
  private readonly collector: GarbageCollector
  /** models whose jobs this worker runs now */
  private readonly running = new Map<string, Promise<void>>()
  private readonly listeners = new Map<string, () => void>()
  private readonly traces = new Lru<string>(MOST_TRACES)
  /** the last message logged for each waiting job, so that it isn't repeated */
  private readonly noted = new Map<string, string>()
  private readonly timers: NodeJS.Timeout[] = []
  private readonly stopping = new AbortController()
  /** the value of `turn` when each entity last got a node */
  private readonly served = new Map<string, number>()
  private turn = 0
  private polling = false
  /** a poll was requested during a poll */
  private pollAgain = false
  private waiting = 0

  constructor(private readonly options: TrainerWorkerOptions) {
    const { store, leases, redisUrl, root, settings, log, metrics } = options
    this.redis = failFastConnection(redisUrl)
    this.retrying = retryingConnection(redisUrl)
    this.subscriber = failFastConnection(redisUrl)
    this.subscriber.on('ready', () => void this.subscriber.subscribe(TRAINING_CHANNEL).catch(() => undefined))
    this.subscriber.on('message', (_, jobId) => this.listeners.get(jobId)?.())
    this.nodes = new TrainNodes(options.nodes, options.access, log, () => void this.poll())
    this.parts = {
      ...{ store, leases, root, settings, subscribe: (jobId, listener) => this.listen(jobId, listener) },
      traceOf: (jobId) => this.traces.get(jobId),
    }
    this.collector = new GarbageCollector(options, this.redis, this.id)
    this.consumer = new Worker(
      TRAINING_QUEUE,
      async ({ data }) => {
        // A queue job of another release, or without a job id: the tables know what to run.
        const queued = trainingQueueJob.safeParse(data)
        if (!queued.success) return
        const { job, trace } = queued.data
        if (job !== undefined && trace !== undefined) this.traces.set(job, trace)
        await this.poll()
      },
      {
        connection: this.retrying,
        prefix: QUEUE_PREFIX,
        autorun: false,
        concurrency: 1,
        maxStalledCount: 0,
        runRetryDelay: RETRY_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    )
    this.consumer.on('error', (error) => log.debug({ err: error }, 'the training queue had an error'))
    metrics.gauge('training_running', 'Training jobs of this worker.', () => this.running.size)
    metrics.gauge('training_jobs_waiting', 'Training jobs waiting for a worker or node.', () => this.waiting)
    metrics.gauge('training_nodes_up', 'GPU nodes that train.', () => this.nodes.up)
  }

  start(): void {
    this.nodes.start()
    void this.consumer.run().catch(() => undefined)
    this.timers.push(
      setInterval(() => void this.poll(), POLL_MS),
      setInterval(() => void this.announce(), ANNOUNCE_MS),
      setInterval(() => void this.collector.clean(), FILES_MS),
    )
    void this.announce()
  }

  /** Counts nodes that are up and train. */
  get nodesUp(): number {
    return this.nodes.up
  }

  /** Takes no new jobs and returns running ones to the queue; other workers resume them from their saved state. */
  async stop(): Promise<void> {
    this.stopping.abort()
    for (const timer of this.timers) clearInterval(timer)
    await Promise.all(this.running.values())
    await this.redis.hdel(TRAINERS_KEY, this.id).catch(() => undefined)
    await closed([this.consumer.close(true)])
    await this.nodes.stop()
    for (const connection of [this.redis, this.retrying, this.subscriber]) connection.disconnect()
  }

  /** Starts the jobs in the tables that can run now. Never rejects. */
  private async poll(): Promise<void> {
    if (this.polling) {
      this.pollAgain = true
      return
    }
    this.polling = true
    try {
      do {
        this.pollAgain = false
        await this.look()
      } while (this.pollAgain && !this.stopping.signal.aborted)
    } catch (error) {
      this.options.log.debug({ err: error }, 'could not read the jobs')
    } finally {
      this.polling = false
    }
  }

  private async look(): Promise<void> {
    if (this.stopping.signal.aborted) return
    const { store } = this.options
    const open = await openJobs(store)
    this.waiting = open.filter(({ status }) => status === 'queued').length
    const ids = new Set(open.map(({ id }) => id))
    for (const id of this.noted.keys()) if (!ids.has(id)) this.noted.delete(id)
    const first = new Map<string, JobRow>()
    for (const job of open) if (!first.has(job.model_id)) first.set(job.model_id, job)
    if (first.size === 0) return
    const models = new Map((await modelsById(store, [...first.keys()])).map((model) => [model.id, model]))
    const entityOf = (job: JobRow) => models.get(job.model_id)?.entity ?? ''
    const running = new Map<string, number>()
    for (const job of open) {
      if (job.status === 'running') running.set(entityOf(job), (running.get(entityOf(job)) ?? 0) + 1)
    }
    const ready = [...first.values()].filter(
      (job) => isReady(job) && !this.running.has(job.model_id) && mayRetry(job, nowMicros()),
    )
    const candidates = ready.map((job) => ({ job, entity: entityOf(job) }))
    for (const { job, entity } of fairSchedule(candidates, running, this.served)) {
      const model = models.get(job.model_id)
      // A job that only has to be ended needs no node; one marked running may be such a job.
      const lack =
        job.status === 'queued' && job.stop_reason === '' && model?.deleted_at === 0
          ? this.nodes.lack(model.base_model, job.id)
          : undefined
      if (lack === undefined) await this.begin(job.model_id, entity)
      else this.say(job, lack)
    }
  }

  /** Runs a model's next job; resolves when it has got a node or can't get one. Never rejects. */
  private async begin(modelId: string, entity: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const placed = () => {
        this.served.set(entity, ++this.turn)
        resolve()
      }
      const work = this.work(modelId, placed)
        .catch((error: unknown) => {
          this.options.log.warn({ err: error, model: modelId }, 'could not run a job of a model; will retry')
          return false
        })
        .then((ran) => {
          this.running.delete(modelId)
          resolve()
          // This model's next job queues with the others.
          if (ran) void this.poll()
        })
      this.running.set(modelId, work)
      void pause(PLACED_MS, undefined, { ref: false }).then(resolve)
    })
  }

  /** Runs a model's first job unless another worker does. @returns false if no job ran */
  private async work(modelId: string, placed: () => void): Promise<boolean> {
    const lease = await RenewedLease.take(this.redis, `training ${modelId}`)
    if (!lease) return false
    try {
      for (;;) {
        if (!lease.sure || this.stopping.signal.aborted) return false
        const next = await this.next(modelId, lease.signal, placed)
        if (next !== 'over') return next === 'ran'
      }
    } finally {
      await lease.release()
    }
  }

  /** Runs a model's first job, unless it is already over or can't run now. */
  private async next(
    modelId: string,
    lost: AbortSignal,
    placed: () => void,
  ): Promise<'ran' | 'over' | 'nothing'> {
    const { store } = this.options
    const [job] = await openJobs(store, modelId)
    if (!job || !isReady(job) || !mayRetry(job, nowMicros())) return 'nothing'
    const model = await storedModel(store, modelId)
    if (!(await stillOpen(this.parts, job, model)) || !model) return 'over'
    const lack = this.nodes.lack(model.base_model, job.id)
    const node = lack === undefined ? this.nodes.take(model.base_model, job.id) : undefined
    if (!node) {
      this.say(job, lack ?? 'No node is free. The job waits.')
      return 'nothing'
    }
    placed()
    this.noted.delete(job.id)
    try {
      await run(this.parts, job, model, node, this.stopping.signal, lost)
    } finally {
      node.release()
    }
    await this.collector.retain(modelId)
    return 'ran'
  }

  /** Logs a message to a waiting job's log, once. */
  private say(job: JobRow, message: string): void {
    if (this.noted.get(job.id) === message) return
    this.noted.set(job.id, message)
    note(this.options.store, job, 'info', message)
  }

  private listen(jobId: string, listener: () => void): () => void {
    this.listeners.set(jobId, listener)
    return () => this.listeners.delete(jobId)
  }

  private async announce(): Promise<void> {
    const now = Date.now()
    const announcement: TrainerAnnouncement = {
      worker: this.id,
      at: now,
      running: this.running.size,
      nodes: this.nodes.announced(),
    }
    try {
      await this.redis.hset(TRAINERS_KEY, this.id, JSON.stringify(announcement))
      for (const [worker, text] of Object.entries(await this.redis.hgetall(TRAINERS_KEY))) {
        const { at = 0 } = JSON.parse(text) as { at?: number }
        if (ageOf(at, now) > 10 * TRAINER_BELIEVED_MS) await this.redis.hdel(TRAINERS_KEY, worker)
      }
    } catch {
      // Redis is unreachable. Readers of the announcement notice that themselves.
    }
  }
}
