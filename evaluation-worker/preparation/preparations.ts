/**
 * Does what a training job needs before it is trained: rewards for its answers, and a check of its model. The job's row says
 * what is to be done; a message of Redis only wakes this up. One worker at a time does it for a job.
 */
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { addEvents, lastEvent } from '../../domain/training/events.js'
import { type Guidance, guidanceOf } from '../../domain/training/guidance.js'
import { changeJob, type JobRow, jobRow, openJobs, preparingJobs } from '../../domain/training/jobs.js'
import { addLog } from '../../domain/training/logs.js'
import { storedModel } from '../../domain/training/models.js'
import { QUEUE_JOB_OPTIONS, TRAINING_CHANNEL, TRAINING_QUEUE } from '../../domain/training/queue-job.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Leases } from '../../platform/leases/lease.js'
import { RenewedLease } from '../../platform/leases/renewed-lease.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../../platform/redis/names.js'
import type { Log } from '../../platform/telemetry/log.js'
import { nowMicros } from '../../platform/time/iso.js'
import { RunFailure, Stopped } from '../failure.js'
import { mayPass } from '../job.js'
import { type ModelParts, Models } from '../models.js'
import { type CheckedJob, checked } from './check.js'
import { PreparationEvents } from './events.js'
import { giveRewards, storeRewarded } from './rewards.js'

/** How often the table is read while jobs are prepared or wait: what trains before them ends without a message. */
const POLL_MS = 1000
/** How often it is read while none do, and so the longest delay if a message is lost. */
const IDLE_MS = 10_000

export interface PreparationOptions {
  store: Store
  leases: Leases
  redisUrl: string
  artifacts: Artifacts
  /** the artifact store's, as nodes address it */
  root: string
  register: ProjectRegister
  models: ModelParts
  /** jobs at once */
  jobs: number
  /** groups, or rows of a check, of each at once */
  rows: number
  log: Log
}

export class Preparations {
  private readonly redis: Redis
  private readonly subscriber: Redis
  private readonly queue: Queue
  private readonly running = new Map<string, { stop: AbortController; done: Promise<void> }>()
  private timer: NodeJS.Timeout | undefined
  private looking = false
  /** A message came during a look, which may have missed what it is about. */
  private isStale = false
  private lookedAt = 0
  /** Whether the last look found jobs, or failed. */
  private isBusy = true
  private stopping = false

  constructor(private readonly options: PreparationOptions) {
    this.redis = failFastConnection(options.redisUrl)
    this.subscriber = failFastConnection(options.redisUrl)
    // Messages before that were lost.
    this.subscriber.on(
      'ready',
      () =>
        void this.subscriber.subscribe(TRAINING_CHANNEL).then(
          () => this.look(),
          () => undefined,
        ),
    )
    this.subscriber.on('message', () => void this.look())
    this.queue = new Queue(TRAINING_QUEUE, { connection: this.redis, prefix: QUEUE_PREFIX })
    this.queue.on('error', () => undefined)
  }

  start(): void {
    this.timer = setInterval(() => {
      if (!this.looking && (this.isBusy || performance.now() - this.lookedAt >= IDLE_MS)) void this.look()
    }, POLL_MS)
    void this.look()
  }

  /** Takes no new jobs and stops running ones; another worker goes on from their events. */
  async stop(): Promise<void> {
    this.stopping = true
    clearInterval(this.timer)
    const running = [...this.running.values()]
    for (const { stop } of running) stop.abort(new Stopped('this worker is stopping'))
    await Promise.all(running.map(({ done }) => done))
    await this.queue.close().catch(() => undefined)
    this.redis.disconnect()
    this.subscriber.disconnect()
  }

  /** Begins the jobs that wait, and stops those that are no longer wanted. Never rejects. */
  private async look(): Promise<void> {
    if (this.stopping) return
    if (this.looking) {
      this.isStale = true
      return
    }
    this.looking = true
    this.lookedAt = performance.now()
    this.isBusy = true
    try {
      const waiting = await preparingJobs(this.options.store)
      this.isBusy = waiting.length > 0
      const ids = new Set(waiting.map(({ id }) => id))
      for (const [id, { stop }] of this.running) if (!ids.has(id)) stop.abort(new Stopped('it is over'))
      for (const job of waiting) {
        if (this.running.size >= this.options.jobs || this.stopping) break
        if (!this.running.has(job.id) && (await this.isNext(job))) this.begin(job)
      }
    } catch (error) {
      this.options.log.debug({ err: error }, 'could not read the training jobs')
    } finally {
      this.looking = false
    }
    if (!this.isStale) return
    this.isStale = false
    await this.look()
  }

  /** A model is checked when all earlier jobs have trained it. */
  private async isNext({ preparing, model_id, id }: JobRow): Promise<boolean> {
    if (preparing === 'rewards') return true
    return (await openJobs(this.options.store, model_id))[0]?.id === id
  }

  private begin(job: JobRow): void {
    const stop = new AbortController()
    const done = this.take(job, stop)
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          this.options.log.warn({ err: error, job: job.id }, 'could not prepare a training job; will retry')
      })
      .finally(() => {
        this.running.delete(job.id)
        void this.look()
      })
    this.running.set(job.id, { stop, done })
  }

  private async take(job: JobRow, stop: AbortController): Promise<void> {
    const lease = await RenewedLease.take(this.redis, `preparing ${job.id}`)
    if (!lease) return
    lease.signal.addEventListener('abort', () => stop.abort(new Stopped('another worker may have it')))
    try {
      // Another worker may have done it since the table was read.
      const row = await jobRow(this.options.store, job)
      if (row?.status === 'queued' && row.preparing === job.preparing)
        await this.prepare(row, () => lease.sure, stop.signal)
    } finally {
      await lease.release()
    }
  }

  private async prepare(job: JobRow, ours: () => boolean, signal: AbortSignal): Promise<void> {
    const { store, log } = this.options
    try {
      const parts = await this.partsOf(job, ours)
      const after =
        job.preparing === 'rewards' ? await rewarding(parts, signal) : await checking(parts, signal)
      await this.decide(job, ours, after)
    } catch (error) {
      if (signal.aborted || mayPass(error)) throw error
      if (!(error instanceof RunFailure)) log.error({ err: error, job: job.id }, 'a preparation failed')
      const message =
        error instanceof RunFailure
          ? error.message
          : 'The job could not be prepared; the log of the evaluation worker says why.'
      await addLog(store, job, job.attempt, 'error', message).catch(() => undefined)
      await this.decide(job, ours, { how: 'failed', message })
    }
  }

  private async partsOf(job: JobRow, ours: () => boolean): Promise<CheckedJob> {
    const { store, artifacts, root, register, models, rows } = this.options
    const told = (note: string) => void addLog(store, job, job.attempt, 'warn', note).catch(() => undefined)
    const guidance = guidanceOf(job)
    const model = await storedModel(store, job.model_id)
    if (!guidance || !model) throw new RunFailure('The model of the job is gone.')
    const asked = {
      ...{ project: guidance.project, userId: job.created_by, username: guidance.username },
      plan: { v: 1 as const, kind: 'score' as const, calls: [], scorers: scorersOf(guidance) },
    }
    return {
      ...{ store, artifacts, root, register, job, guidance, ours, width: rows },
      models: new Models(models, asked, told),
      model: `${model.entity}/${model.project}/${model.name}`,
      events: await PreparationEvents.read(store, job, ours),
    }
  }

  /** Writes what follows, if the job still waits for it. */
  private async decide(job: JobRow, ours: () => boolean, next: Next): Promise<void> {
    const { store, leases } = this.options
    await changeJob({ store, leases }, job, async (row) => {
      if (row.status !== 'queued' || row.preparing !== job.preparing || !ours()) return undefined
      if (next.how === 'goes on') return { ...row, ...next.row }
      const last = await lastEvent(store, job)
      const number = (last?.number ?? 0) + 1
      if (next.how === 'paused') {
        if (last?.type !== 'training_paused')
          await addEvents(store, job, row.attempt, [{ number, type: 'training_paused', data: next.data }])
        return { ...row, status: 'paused', preparing: '' }
      }
      const { message } = next
      // Outranks an event that a worker which lost its lease may still write.
      const attempt = row.attempt + 1
      await addEvents(store, job, attempt, [
        { number, type: 'training_failed', data: { error_message: message } },
      ])
      const over = { error_code: 'NOT_PREPARED', error_message: message, finished_at: nowMicros() }
      return { ...row, attempt, status: 'failed', preparing: '', ...over }
    })
    // A trainer that misses this reads the tables every second.
    await this.queue.add('train', { v: 1, model: job.model_id }, QUEUE_JOB_OPTIONS).catch(() => undefined)
  }
}

type Next =
  | { how: 'goes on'; row: Partial<JobRow> }
  | { how: 'paused'; data: Record<string, unknown> }
  | { how: 'failed'; message: string }

const scorersOf = ({ reward, check }: Guidance) =>
  [reward, check].flatMap((given) => (given ? [given.scorer] : []))

async function rewarding(parts: CheckedJob, signal: AbortSignal): Promise<Next> {
  await giveRewards(parts, signal)
  const data = await storeRewarded(parts, signal)
  return { how: 'goes on', row: { ...data, preparing: parts.guidance.check ? 'check' : '' } }
}

/** A check that fails stops no job: its log tells. */
async function checking(parts: CheckedJob, signal: AbortSignal): Promise<Next> {
  const { store, job, guidance } = parts
  const found = await checked(parts, signal)
  if (found.how === 'failed') {
    const note = `The held-out check was skipped: ${found.why}`
    await addLog(store, job, job.attempt, 'warn', note).catch(() => undefined)
  }
  if (found.how !== 'checked' || !found.verdict.pause) return { how: 'goes on', row: { preparing: '' } }
  const { window, min_change } = guidance.check!
  const { reward_change, held_out_change } = found.verdict
  const seen = found.checks.slice(-window)
  const rose = reward_change.toPrecision(2)
  const fell = (-held_out_change).toPrecision(2)
  const reason = `Over the last ${seen.length} checks the training reward rose by ${rose}, and the held-out score fell by ${fell}: the model learns to please its reward. Resume the job to train on, or cancel it.`
  await addLog(store, job, job.attempt, 'warn', reason).catch(() => undefined)
  const checks = seen.map(({ step, reward, held_out }) => ({ step, reward, held_out }))
  return { how: 'paused', data: { reason, reward_change, held_out_change, window, min_change, checks } }
}
