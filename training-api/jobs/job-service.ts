/** Creates jobs: puts data into the artifact store, the job into its table, and a queue job into the queue. */
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { addressOf, dataKey } from '../../domain/training/artifact-keys.js'
import { addEvents, lastEvent } from '../../domain/training/events.js'
import type { Guidance } from '../../domain/training/guidance.js'
import {
  addJob,
  changeJob,
  type JobKey,
  type JobKind,
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
import { maskedLines, plainLines, storeLines } from './lines.js'
import { trainingProblems } from './problems.js'
import { SealedFile } from './sealed.js'

/** The artifact store, and its address for nodes. */
export interface TrainingStorage {
  artifacts: Artifacts
  /** an absolute path, or s3://bucket/prefix */
  root: string
}

export interface NewJob {
  id: string
  kind: JobKind
  model: StoredModel
  /** JSON text; empty: none */
  config: string
  data: Pick<JobRow, 'data_address' | 'data_sha256' | 'data_bytes' | 'data_count'>
  /** what is done before it is trained; default: nothing */
  guidance?: Guidance | undefined
  userId: string
}

/** How a stopped job is shown to callers. */
const STOPPED = {
  cancelled: { status: 'cancelled', code: 'CANCELLED', message: 'cancelled' },
  model_deleted: { status: 'failed', code: 'MODEL_DELETED', message: 'The model was deleted.' },
} as const

export class JobService {
  private readonly redis: Redis
  private readonly queue: Queue

  /** @param jobLimit the most open jobs of an entity; 0: no limit */
  constructor(
    readonly store: Store,
    readonly leases: Leases,
    readonly storage: TrainingStorage | undefined,
    redisUrl: string,
    private readonly jobLimit: number,
    private readonly quotas: DataQuotas,
    readonly threads: Threads,
  ) {
    this.redis = failFastConnection(redisUrl)
    this.queue = new Queue(TRAINING_QUEUE, { connection: this.redis, prefix: QUEUE_PREFIX })
    this.queue.on('error', () => undefined)
  }

  /** @throws `NO_ARTIFACTS` (503) if no artifact store is configured */
  get artifacts(): TrainingStorage {
    if (!this.storage) throw trainingProblems.noArtifacts()
    return this.storage
  }

  /** The model, if the caller has the right. @throws `UNKNOWN_MODEL` (404), also if the caller can't read it */
  async model(id: string, principal: Principal, right: 'read' | 'write'): Promise<StoredModel> {
    const model = await storedModel(this.store, id)
    if (model?.deleted_at !== 0 || !principal.may('read', `${model.entity}/${model.project}`))
      throw trainingProblems.noModel(id)
    principal.must(right, `${model.entity}/${model.project}`)
    return model
  }

  /** Admits a job before its data is read. @returns the quota for its data @throws `TOO_MANY_JOBS` (429) */
  async admit({ entity }: StoredModel): Promise<DataQuota> {
    const { jobs, bytes } = await openWork(this.store, entity)
    if (this.jobLimit > 0 && jobs >= this.jobLimit) throw trainingProblems.tooManyJobs(entity, this.jobLimit)
    return this.quotas.open(entity, bytes)
  }

  /** The caller's own quota, for data whose model is not known yet. */
  callerQuota({ keyId, userId }: Principal): DataQuota {
    return this.quotas.open(`key ${keyId || userId}`, 0)
  }

  /** The quota for data stored without a job. */
  async quota(model: StoredModel): Promise<DataQuota> {
    return this.quotas.open(model.entity, await this.openBytes(model))
  }

  /** The bytes of data of all open jobs of the model's entity. */
  async openBytes({ entity }: StoredModel): Promise<number> {
    return (await openWork(this.store, entity)).bytes
  }

  /** Stores the lines of a job, masked by the rules of the model's project. @throws the errors of `lines`, `DATA_LIMIT` (429) */
  async keep(
    { id: modelId, project_id }: StoredModel,
    jobId: string,
    lines: AsyncIterable<string>,
    quota: DataQuota,
  ): Promise<NewJob['data']> {
    const { artifacts, root } = this.artifacts
    const key = dataKey(modelId, jobId)
    const { sha256, bytes, count } = await storeLines(
      artifacts,
      key,
      maskedLines(this.store, project_id, lines),
      quota,
    )
    return { data_address: addressOf(root, key), data_sha256: sha256, data_bytes: bytes, data_count: count }
  }

  /** Deletes the lines of a job that was not created. */
  async drop(modelId: string, jobId: string): Promise<void> {
    await this.storage?.artifacts.delete(dataKey(modelId, jobId)).catch(() => undefined)
  }

  /**
   * Stores lines whose model is not known yet, and so not whose rules mask them, in the folder `from`: only this request can
   * read them. @throws the errors of `lines`, `DATA_LIMIT` (429)
   */
  async hold(
    from: string,
    jobId: string,
    lines: AsyncIterable<string>,
    quota: DataQuota,
  ): Promise<SealedFile> {
    const sealed = new SealedFile()
    await storeLines(this.artifacts.artifacts, dataKey(from, jobId), lines, quota, sealed.seal)
    return sealed
  }

  /** Stores the lines that {@link hold} has stored as those of a model, unless `signal` is aborted. */
  async move(
    from: string,
    sealed: SealedFile,
    to: StoredModel,
    jobId: string,
    quota: DataQuota,
    signal: AbortSignal,
  ): Promise<NewJob['data']> {
    const content = await this.artifacts.artifacts.get(dataKey(from, jobId), undefined, signal)
    if (!content) throw errors.internal()
    return this.keep(to, jobId, plainLines(sealed.opened(content)), quota)
  }

  /** Queues a job. @param notes lines for its log @throws `UNKNOWN_MODEL` if the model was deleted meanwhile, `TOO_MANY_JOBS` (429) */
  async add(job: NewJob, notes: readonly string[] = []): Promise<JobRow> {
    const { id, model } = job
    const row = await this.alone(model, () => this.added(job))
    for (const note of notes) await addLog(this.store, row, 0, 'warn', note).catch(() => undefined)
    this.notify(model.id, id)
    return row
  }

  /** Counts an entity's jobs and adds one under a lease, so that the limit holds. */
  private alone<T>(model: StoredModel, work: () => Promise<T>): Promise<T> {
    if (this.jobLimit === 0) return work()
    return this.leases.hold(`training-jobs ${model.entity}`, async () => {
      await this.admit(model)
      return work()
    })
  }

  private added({ id, kind, model, config, data, guidance, userId }: NewJob): Promise<JobRow> {
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
        ...{ error_code: '', error_message: '', started_at: 0, finished_at: 0, events_before: 0 },
        guidance: guidance ? JSON.stringify(guidance) : '',
        preparing: guidance?.reward ? 'rewards' : guidance?.check ? 'check' : '',
      }
      await addJob(this.store, made, fence)
      return made
    })
  }

  /**
   * Stops a job: at once if no worker runs it, else as soon as its worker is notified. An ended job stays unchanged.
   * @returns the job's new row
   */
  async stop(key: JobKey, reason: Exclude<StopReason, ''>): Promise<JobRow | undefined> {
    const row = await changeJob(this, key, async (job) => {
      if (job.status === 'running') return { ...job, stop_reason: reason }
      if (job.status !== 'queued' && job.status !== 'paused') return undefined
      const { status, code, message } = STOPPED[reason]
      // A new attempt number outranks events that an older attempt may still write.
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
    // A worker that missed the message still reads the row every second.
    await this.redis.publish(TRAINING_CHANNEL, key.id).catch(() => undefined)
    return row
  }

  /** Has a paused job trained. Another job stays unchanged. @returns the job's new row */
  async resume(key: JobKey, userId: string): Promise<JobRow | undefined> {
    const row = await changeJob(this, key, async (job) => {
      if (job.status !== 'paused') return undefined
      const number = ((await lastEvent(this.store, key))?.number ?? 0) + 1
      const event = { number, type: 'training_resumed', data: { by: userId } } as const
      await addEvents(this.store, key, job.attempt, [event])
      return { ...job, status: 'queued' }
    })
    if (row) this.notify(row.model_id, row.id)
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

  /** Notifies workers. If the queue job is lost, they find the job in the table. */
  private notify(model: string, job: string): void {
    const trace = currentSpan()?.traceparent
    const queueJob: TrainingQueueJob = { v: 1, model, ...(trace !== undefined && { job, trace }) }
    this.queue.add('train', queueJob, QUEUE_JOB_OPTIONS).catch(() => undefined)
    // Those who prepare jobs look when something was decided.
    this.redis.publish(TRAINING_CHANNEL, job).catch(() => undefined)
  }
}
