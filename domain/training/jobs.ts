/** Reads, lists and changes rows of training jobs; one decision at a time changes a job. */
import type { Method } from '../../contract/training-methods.js'
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { COLUMNS_FIRST, type Store } from '../../platform/clickhouse/store.js'
import type { Leases } from '../../platform/leases/lease.js'
import { micros } from './columns.js'

export type JobStatus = 'queued' | 'paused' | 'running' | 'completed' | 'failed' | 'cancelled'
/** A method of fine-tuning; rl: from rewards. */
export type JobKind = Method | 'rl'
/** What is to be done before a job is trained; '': nothing. */
export type Preparing = '' | 'rewards' | 'check'
export type StopReason = '' | 'cancelled' | 'model_deleted'

/** Times are µs since 1970; 0: not yet. */
export interface JobRow {
  project_id: string
  id: string
  model_id: string
  kind: JobKind
  /** JSON; empty: none */
  config: string
  data_address: string
  data_sha256: string
  data_bytes: number
  data_count: number
  created_at: number
  created_by: string
  status: JobStatus
  stop_reason: StopReason
  attempt: number
  failures: number
  progress: number
  retry_at: number
  step: number
  start_address: string
  start_manifest: string
  error_code: string
  error_message: string
  started_at: number
  finished_at: number
  /** JSON of its `Guidance`; empty: none */
  guidance: string
  preparing: Preparing
  /** events that were there before it was trained: those of a node are numbered after them */
  events_before: number
}

export type JobKey = Pick<JobRow, 'project_id' | 'id'>

const COLUMNS = sql`project_id, id, model_id, kind, config, data_address, data_sha256, data_bytes, data_count,
  ${micros(sql`created_at`)}, created_by, status, stop_reason, attempt, failures, progress, ${micros(sql`retry_at`)},
  step, start_address, start_manifest, error_code, error_message, ${micros(sql`started_at`)}, ${micros(sql`finished_at`)},
  guidance, preparing, events_before`

const those = (store: Store, condition: Sql): Promise<JobRow[]> =>
  store.rows<JobRow>(sql`SELECT ${COLUMNS} FROM training_jobs FINAL WHERE ${condition}`, COLUMNS_FIRST)
const one = async (store: Store, condition: Sql): Promise<JobRow | undefined> =>
  (await those(store, sql`${condition} LIMIT 1`))[0]

/** A checkpoint that a job reads besides the one it starts from; chosen when the job was created. */
export interface KlReference {
  address: string
  manifest_sha256: string
}

/** The checkpoint that `kl_penalty_coef` compares with; undefined: the base model. */
export function klReference({ config }: Pick<JobRow, 'config'>): KlReference | undefined {
  return config === '' ? undefined : (JSON.parse(config) as { kl_reference?: KlReference }).kl_reference
}

/** The addresses of all checkpoints that these jobs may still read. */
export function checkpointsRead(jobs: readonly JobRow[]): Set<string> {
  return new Set(jobs.flatMap((job) => [job.start_address, klReference(job)?.address ?? '']))
}

/** The states of jobs that are not over, for statements. */
export const OPEN = sql`('queued', 'paused', 'running')`
export const isOpen = ({ status }: Pick<JobRow, 'status'>) =>
  status === 'queued' || status === 'paused' || status === 'running'
/** Whether a worker may train it now. */
export const isReady = ({ status, preparing }: Pick<JobRow, 'status' | 'preparing'>) =>
  status === 'running' || (status === 'queued' && preparing === '')

export function jobRow(store: Store, { project_id, id }: JobKey): Promise<JobRow | undefined> {
  return one(store, sql`project_id = ${bind.string(project_id)} AND id = ${bind.string(id)}`)
}

/** The job with this id, in any project: ids are unique. */
export function jobById(store: Store, id: string): Promise<JobRow | undefined> {
  return one(store, sql`id = ${bind.string(id)}`)
}

/** Unfinished jobs, of one model or of all, in order of creation. */
export function openJobs(store: Store, modelId?: string): Promise<JobRow[]> {
  const model = modelId === undefined ? sql`` : sql`AND model_id = ${bind.string(modelId)}`
  return those(store, sql`status IN ${OPEN} ${model} ORDER BY id`)
}

/** Jobs that wait for what has to be done before they are trained, in order of creation. */
export function preparingJobs(store: Store): Promise<JobRow[]> {
  return those(store, sql`status = 'queued' AND preparing != '' ORDER BY id`)
}

/** The unfinished jobs of all models of an entity: their number, and the bytes of their data. */
export async function openWork(store: Store, entity: string): Promise<{ jobs: number; bytes: number }> {
  const projects = await store.rows<{ project_id: string }>(
    sql`SELECT DISTINCT project_id FROM models WHERE entity = ${bind.string(entity)}`,
  )
  const row = await store.row<{ jobs: number; bytes: number }>(
    sql`SELECT count() AS jobs, sum(data_bytes) AS bytes FROM training_jobs FINAL
        WHERE project_id IN ${bind.strings(projects.map((one) => one.project_id))} AND status IN ${OPEN}`,
  )
  return { jobs: Number(row?.jobs ?? 0), bytes: Number(row?.bytes ?? 0) }
}

export interface JobQuery {
  /** internal ids */
  projects: readonly string[]
  modelId?: string | undefined
  kind?: string | undefined
  status?: string | undefined
  /** an id: starts after it */
  after?: string | undefined
  order: 'asc' | 'desc'
  limit: number
}

/** A page of the list of jobs, by time of creation. */
export function jobList(store: Store, query: JobQuery): Promise<JobRow[]> {
  const { projects, modelId, kind, status, after, order, limit } = query
  const equals = (name: Sql, value: string | undefined) =>
    value === undefined ? sql`` : sql`${name} = ${bind.string(value)}`
  const where = allOf([
    sql`project_id IN ${bind.strings(projects)}`,
    equals(sql`model_id`, modelId),
    equals(sql`kind`, kind),
    equals(sql`status`, status),
    after === undefined
      ? sql``
      : order === 'asc'
        ? sql`id > ${bind.string(after)}`
        : sql`id < ${bind.string(after)}`,
  ])
  return those(
    store,
    sql`${where}
        ORDER BY id ${order === 'asc' ? sql`ASC` : sql`DESC`} LIMIT ${bind.uint(limit)}`,
  )
}

/** Stores a new job. @param ver µs since 1970 */
export async function addJob(store: Store, row: JobRow, ver: bigint | number): Promise<void> {
  await store.insertRows('training_jobs', [{ ...row, ver: Number(ver) }])
}

/**
 * Changes a job: `decide` gets the current row and returns the new one, or undefined to leave it. Only one process
 * decides at a time; `decide` may write under the lease.
 * @returns the row afterwards; undefined if the job does not exist
 * @throws `BUSY` (409), `STORE_UNAVAILABLE` (503) also if Redis is unreachable
 */
export function changeJob(
  parts: { store: Store; leases: Leases },
  key: JobKey,
  decide: (row: JobRow) => Promise<JobRow | undefined> | JobRow | undefined,
): Promise<JobRow | undefined> {
  return parts.leases.hold(`training-job ${key.id}`, async (fence) => {
    const before = await jobRow(parts.store, key)
    if (!before) return undefined
    const after = await decide(before)
    if (after) await addJob(parts.store, after, fence)
    return after ?? before
  })
}
