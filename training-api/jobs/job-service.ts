/**
 * Takes jobs: data into the artifact store, the job into its table, a queue job for workers. Knows nothing of what is
 * trained, or of HTTP.
 */
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { addressOf, dataKey } from '../../domain/training/artifact-keys.js'
import { addEvents, lastEvent } from '../../domain/training/events.js'
import {
  addJob,
  changeJob,
  type JobKey,
  type JobRow,
  openJobs,
  openWork,
  type StopReason,
} from '../../domain/training/jobs.js'
import { addLog } from '../../domain/training/logs.js'
import { modelLease, type StoredModel, storedModel } from '../../domain/training/models.js'
import {
  QUEUE_JOB_OPTIONS,
  TRAINING_CHANNEL,
  TRAINING_QUEUE,
  type TrainingQueueJob,
} from '../../domain/training/queue-job.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import type { Leases } from '../../platform/leases/lease.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import { QUEUE_PREFIX } from '../../platform/redis/names.js'
import { currentSpan } from '../../platform/telemetry/tracing.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { Threads } from '../threads/threads.js'
import type { DataQuota, DataQuotas } from './data-quota.js'
import { plainLines, storeLines } from './lines.js'
import { trainingProblems } from './problems.js'

/** Where large things lie, and how nodes call that place. */
export interface TrainingStorage {
  artifacts: Artifacts
  /** a whole path, or s3://bucket/prefix */
  root: string
}

export interface NewJob {
  id: string
  kind: 'sft' | 'rl'
  model: StoredModel
  /** JSON text; empty: none */
  config: string
  data: Pick<JobRow, 'data_address' | 'data_sha256' | 'data_bytes' | 'data_count'>
  userId: string
}

/** What callers read of a job that was stopped. */
const STOPPED = {
  cancelled: { status: 'cancelled', code: 'CANCELLED', message: 'cancelled' },
  model_deleted: { status: 'failed', code: 'MODEL_DELETED', message: 'The model was deleted.' },
} as const

export class JobService {
  private readonly redis: Redis
  private readonly queue: Queue

  /** @param jobLimit most open jobs of an entity; 0: any number */
  constructor(
    readonly store: Store,
    readonly leases: Leases,
    readonly place: TrainingStorage | undefined,
    redisUrl: string,
    private readonly jobLimit: number,
    private readonly quotas: DataQuotas,
    readonly threads: Threads,
  ) {
    this.redis = failFastConnection(redisUrl)
    this.queue = new Queue(TRAINING_QUEUE, { connection: this.redis, prefix: QUEUE_PREFIX })
    this.queue.on('error', () => undefined)
  }

  /** @throws `NO_ARTIFACTS` (503) where nothing was configured */
  get artifacts(): TrainingStorage {
    if (!this.place) throw trainingProblems.noArtifacts()
    return this.place
  }

  /** The model if the caller may do that with it. @throws `UNKNOWN_MODEL` (404), also for one of others */
  async model(id: string, principal: Principal, right: 'read' | 'write'): Promise<StoredModel> {
    const model = await storedModel(this.store, id)
    if (model?.deleted_at !== 0 || !principal.may('read', `${model.entity}/${model.project}`))
      throw trainingProblems.noModel(id)
    principal.must(right, `${model.entity}/${model.project}`)
    return model
  }

  /** Lets a job in, so that no data is read for one that is refused: the quota of its data. @throws `TOO_MANY_JOBS` (429) */
  async admit({ entity }: StoredModel): Promise<DataQuota> {
    const { jobs, bytes } = await openWork(this.store, entity)
    if (this.jobLimit > 0 && jobs >= this.jobLimit) throw trainingProblems.tooManyJobs(entity, this.jobLimit)
    return this.quotas.open(entity, bytes)
  }

  /** The quota of data while nobody knows yet which model it is for: the caller's own. */
  callerQuota({ keyId, userId }: Principal): DataQuota {
    return this.quotas.open(`key ${keyId || userId}`, 0)
  }

  /** The quota of data that is kept without a job. */
  async quota(model: StoredModel): Promise<DataQuota> {
    return this.quotas.open(model.entity, await this.openBytes(model))
  }

  /** Bytes that the open jobs of a model's entity were given. */
  async openBytes({ entity }: StoredModel): Promise<number> {
    return (await openWork(this.store, entity)).bytes
  }

  /** Stores the lines of a job. @throws what `lines` throws, `DATA_LIMIT` (429) */
  async keep(
    modelId: string,
    jobId: string,
    lines: AsyncIterable<string>,
    quota: DataQuota,
  ): Promise<NewJob['data']> {
    const { artifacts, root } = this.artifacts
    const key = dataKey(modelId, jobId)
    const { sha256, bytes, count } = await storeLines(artifacts, key, lines, quota)
    return { data_address: addressOf(root, key), data_sha256: sha256, data_bytes: bytes, data_count: count }
  }

  /** Forgets the lines of a job that came to nothing. */
  async drop(modelId: string, jobId: string): Promise<void> {
    await this.place?.artifacts.delete(dataKey(modelId, jobId)).catch(() => undefined)
  }

  /** Gives the lines that wait at one model's place to another, unless `signal` says that nobody wants it any more. */
  async move(
    from: string,
    to: string,
    jobId: string,
    quota: DataQuota,
    signal: AbortSignal,
  ): Promise<NewJob['data']> {
    const content = await this.artifacts.artifacts.get(dataKey(from, jobId), undefined, signal)
    if (!content) throw errors.internal()
    return this.keep(to, jobId, plainLines(content), quota)
  }

  /** Queues a job. @param notes lines for its log @throws `UNKNOWN_MODEL` if the model was deleted meanwhile, `TOO_MANY_JOBS` (429) */
  async add(job: NewJob, notes: readonly string[] = []): Promise<JobRow> {
    const { id, model } = job
    const row = await this.alone(model, () => this.added(job))
    for (const note of notes) await addLog(this.store, row, 0, 'warn', note).catch(() => undefined)
    this.notify(model.id, id)
    return row
  }

  /** Those who count the jobs of an entity do so one at a time. */
  private alone<T>(model: StoredModel, work: () => Promise<T>): Promise<T> {
    if (this.jobLimit === 0) return work()
    return this.leases.hold(`training-jobs ${model.entity}`, async () => {
      await this.admit(model)
      return work()
    })
  }

  private added({ id, kind, model, config, data, userId }: NewJob): Promise<JobRow> {
    return this.leases.hold(modelLease(model.id), async (fence) => {
      const now = await storedModel(this.store, model.id)
      if (now?.deleted_at !== 0) throw trainingProblems.noModel(model.id)
      const made: JobRow = {
        ...{ project_id: model.project_id, id, model_id: model.id, kind, config, ...data },
        ...{ created_at: nowMicros(), created_by: userId, status: 'queued', stop_reason: '' },
        ...{
          attempt: 0,
          failures: 0,
          progress: 0,
          retry_at: 0,
          step: 0,
          start_address: '',
          start_manifest: '',
        },
        ...{ error_code: '', error_message: '', started_at: 0, finished_at: 0 },
      }
      await addJob(this.store, made, fence)
      return made
    })
  }

  /**
   * Stops a job: at once if nobody has it, else as soon as its worker hears of it. One that has ended stays as it is.
   * @returns its row after it
   */
  async stop(key: JobKey, reason: Exclude<StopReason, ''>): Promise<JobRow | undefined> {
    const row = await changeJob(this, key, async (job) => {
      if (job.status === 'running') return { ...job, stop_reason: reason }
      if (job.status !== 'queued') return undefined
      const { status, code, message } = STOPPED[reason]
      // One more attempt: what an older one may still write is behind it.
      const attempt = job.attempt + 1
      const number = ((await lastEvent(this.store, key))?.number ?? 0) + 1
      await addEvents(this.store, key, attempt, [
        { number, type: 'training_failed', data: { error_message: message } },
      ])
      return {
        ...{ ...job, attempt, status, stop_reason: reason, error_code: code, error_message: message },
        finished_at: nowMicros(),
      }
    })
    // Who missed it looks at the row every second.
    await this.redis.publish(TRAINING_CHANNEL, key.id).catch(() => undefined)
    return row
  }

  /** Stops every job of a model. */
  async stopAll(modelId: string): Promise<void> {
    for (const job of await openJobs(this.store, modelId)) await this.stop(job, 'model_deleted')
  }

  newId(): string {
    return uuid7()
  }

  async close(): Promise<void> {
    await this.queue.close().catch(() => undefined)
    this.redis.disconnect()
  }

  /** Tells workers. A lost queue job is no loss: they find the job in the table. */
  private notify(model: string, job: string): void {
    const trace = currentSpan()?.traceparent
    const queueJob: TrainingQueueJob = { v: 1, model, ...(trace !== undefined && { job, trace }) }
    this.queue.add('train', queueJob, QUEUE_JOB_OPTIONS).catch(() => undefined)
  }
}
