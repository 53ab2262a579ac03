/**
 * The evaluation worker takes evaluations and scoring jobs from the queue, and polls the table of jobs for those whose
 * queue job was lost. Only one worker runs a job at a time.
 */
import { type Job, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { closeJob, type JobKey, openJob, waitingJobs, waitingLately } from '../domain/evaluation/jobs.js'
import { EVALUATION_QUEUE, evaluationQueueJob, queueJobOptions } from '../domain/evaluation/queue-job.js'
import { ProjectRegister } from '../domain/projects/register.js'
import type { ChangeMarks } from '../platform/clickhouse/change-marks.js'
import type { Store } from '../platform/clickhouse/store.js'
import { RenewedLease } from '../platform/leases/renewed-lease.js'
import { closed } from '../platform/redis/closing.js'
import { failFastConnection, retryingConnection } from '../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../platform/redis/names.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Metrics } from '../platform/telemetry/metrics.js'
import { spanOf } from '../platform/telemetry/tracing.js'
import { jobSpan } from '../platform/telemetry/tracing-spans.js'
import { Deleted, Stopped } from './failure.js'
import { doJob, mayPass } from './job.js'
import { type ModelParts, Models } from './models.js'

/** How often it looks whether jobs wait, which it knows of those that have waited for three seconds. */
const LOOK_MS = 1000
/** How often queue jobs are added for those that wait. */
const ENQUEUE_MS = 3000
const MOST_WAITING = 1000
/** About how long it takes to notice that a worker died. */
const LOCK_MS = 8000
const STALLED_MS = 4000

export interface EvaluationWorkerOptions {
  store: Store
  marks: ChangeMarks
  redisUrl: string
  models: ModelParts
  log: Log
  metrics: Metrics
  /** evaluations at once */
  jobs: number
  /** rows of each at once */
  rows: number
}

export class EvaluationWorker {
  private readonly redis: Redis
  private readonly retrying: Redis
  private readonly queue: Queue
  private readonly worker: Worker
  private readonly register: ProjectRegister
  private readonly running = new Map<string, AbortController>()
  private readonly ended
  private timer: NodeJS.Timeout | undefined
  private waiting = 0
  private enqueuedAt = Number.NEGATIVE_INFINITY
  private stopping = false

  constructor(private readonly options: EvaluationWorkerOptions) {
    const { redisUrl, store, metrics, log, jobs } = options
    this.register = new ProjectRegister(store)
    this.redis = failFastConnection(redisUrl)
    this.retrying = retryingConnection(redisUrl)
    this.queue = new Queue(EVALUATION_QUEUE, { connection: this.redis, prefix: QUEUE_PREFIX })
    this.worker = new Worker(EVALUATION_QUEUE, (job) => this.take(job), {
      ...{ connection: this.retrying, prefix: QUEUE_PREFIX, concurrency: jobs, autorun: false },
      ...{ lockDuration: LOCK_MS, stalledInterval: STALLED_MS, maxStalledCount: 1_000_000 },
    })
    const failed = (error: Error) => log.debug({ err: error }, 'the queue of evaluations had an error')
    this.queue.on('error', failed)
    this.worker.on('error', failed)
    metrics.gauge('evaluations_running', 'Running evaluations and scoring jobs.', () => this.running.size)
    metrics.gauge('evaluation_jobs_waiting', 'Unfinished evaluations and scoring jobs.', () => this.waiting)
    this.ended = metrics.counter('evaluations_total', 'Finished evaluations and scoring jobs.')
  }

  start(): void {
    void this.worker.run().catch(() => undefined)
    this.poll()
  }

  /** Takes no new jobs and stops running ones; another worker resumes them. */
  async stop(): Promise<void> {
    this.stopping = true
    clearTimeout(this.timer)
    for (const run of this.running.values()) run.abort(new Stopped('this worker is stopping'))
    await closed([this.worker.close(), this.queue.close()])
    this.redis.disconnect()
    this.retrying.disconnect()
  }

  /** Adds a queue job for every waiting evaluation that has none. */
  private poll(): void {
    const again = () => {
      if (!this.stopping) this.timer = setTimeout(() => this.poll(), LOOK_MS)
    }
    this.enqueueWaiting()
      .catch((error: unknown) =>
        this.options.log.debug({ err: error }, 'could not queue the waiting evaluations'),
      )
      .finally(again)
  }

  private async enqueueWaiting(): Promise<void> {
    const { store, marks } = this.options
    this.waiting = await waitingLately(marks)
    if (this.waiting === 0 || performance.now() - this.enqueuedAt < ENQUEUE_MS) return
    this.enqueuedAt = performance.now()
    const keys = await waitingJobs(store, MOST_WAITING)
    for (const key of keys) {
      if (this.running.has(nameOf(key)) || this.stopping) continue
      const job = { v: 1, ...key } as const
      await this.queue.add('run', job, queueJobOptions(job))
    }
  }

  private async take({ data, timestamp }: Job): Promise<void> {
    const job = evaluationQueueJob.safeParse(data)
    if (!job.success || this.stopping) return
    const { project, id, trace } = job.data
    const lease = await RenewedLease.take(this.redis, `evaluation/${project}/${id}`)
    // The lease holder runs it. If the holder died, its lease expires soon and the job is queued again.
    if (!lease) return
    const run = new AbortController()
    const stop = () => run.abort(new Stopped('another worker may have it'))
    lease.signal.addEventListener('abort', stop)
    this.running.set(nameOf({ project, id }), run)
    const span = jobSpan(EVALUATION_QUEUE, trace, timestamp, { 'heddle.job.id': id })
    try {
      await spanOf(span, () => this.work({ project, id }, lease, run.signal))
    } finally {
      this.running.delete(nameOf({ project, id }))
      await lease.release()
    }
  }

  private async work(key: JobKey, lease: RenewedLease, signal: AbortSignal): Promise<void> {
    const { store, models, rows, log } = this.options
    const began = performance.now()
    const job = await openJob(store, key)
    if (!job) return
    const about = { project: job.project, id: job.id, kind: job.plan.kind }
    // Scores of monitors and signals come all the time.
    const level = about.kind === 'monitor' ? 'debug' : 'info'
    log[level](about, 'evaluation started or resumed')
    try {
      await doJob(
        {
          ...{ store, register: this.register, width: rows, ours: () => lease.sure },
          models: new Models(models, job),
        },
        job,
        signal,
      )
    } catch (error) {
      if (error instanceof Deleted) log.info(about, 'evaluation was deleted')
      else if (mayPass(error))
        return log.info({ ...about, why: (error as Error).message }, 'evaluation paused; will retry')
      else log.error({ ...about, err: error }, 'evaluation failed unexpectedly')
    }
    await closeJob(store, key)
    this.ended.inc()
    log[level]({ ...about, seconds: Math.round((performance.now() - began) / 1000) }, 'evaluation finished')
  }
}

function nameOf({ project, id }: JobKey): string {
  return `${project} ${id}`
}
