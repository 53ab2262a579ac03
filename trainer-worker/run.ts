/** Runs one job: claims it, runs an attempt, and ends it, schedules a retry or returns it to the queue. */

import { checkpointList, highestStep } from '../domain/training/checkpoints.js'
import { addEvents, lastEvent } from '../domain/training/events.js'
import { changeJob, isOpen, type JobKey, type JobRow, jobRow } from '../domain/training/jobs.js'
import type { StoredModel } from '../domain/training/models.js'
import type { Store } from '../platform/clickhouse/store.js'
import type { Leases } from '../platform/leases/lease.js'
import { spanOf } from '../platform/telemetry/tracing.js'
import { attemptSpan } from '../platform/telemetry/tracing-spans.js'
import { nowMicros } from '../platform/time/iso.js'
import { attempt, decide, Fenced, note } from './attempt.js'
import type { AcquiredNode } from './nodes.js'
import { requestOf, type TrainSettings } from './request.js'
import { type AttemptFailure, afterFailure, type End, endOf, failuresOf } from './retry-policy.js'

const LOOK_MS = 1000
const BUSY_MS = 2000
/** Codes of nodes that can't take the job now. */
const ELSEWHERE = new Set(['TRAINER_BUSY', 'DRAINING', 'NODE_TOO_OLD', 'FENCED'])

export interface RunParts {
  store: Store
  leases: Leases
  /** the artifact store's */
  root: string
  settings: TrainSettings
  /** calls `listener` when a job's row has changed; returns a function that unsubscribes */
  subscribe: (jobId: string, listener: () => void) => () => void
  /** the traceparent of the request that created a job, if it is known and traced */
  traceOf: (jobId: string) => string | undefined
}

/** Ends a job that may no longer run. @returns true if the job is still open */
export async function stillOpen(
  parts: RunParts,
  key: JobKey,
  model: StoredModel | undefined,
): Promise<boolean> {
  const after = await changeJob(parts, key, async (row) => {
    if (!isOpen(row)) return undefined
    const last = await lastEvent(parts.store, key)
    const end = endOf(row, last, deleted(model))
    return end && (await ended(parts, row, end, (last?.number ?? 0) + 1))
  })
  return after !== undefined && isOpen(after)
}

/**
 * Runs a job on `node` until it is over, has to wait, or `stop` is aborted.
 * @param lost aborted when other workers may take the job
 */
export async function run(
  parts: RunParts,
  key: JobKey,
  model: StoredModel,
  node: AcquiredNode,
  stop: AbortSignal,
  lost: AbortSignal,
): Promise<void> {
  const claimed = await claim(parts, key, model)
  if (!claimed) return
  const { job, last } = claimed
  note(parts.store, job, 'info', `Attempt ${job.attempt} on the node at ${node.client.address}.`)
  const decided = new AbortController()
  const look = async () => {
    const row = await jobRow(parts.store, key).catch(() => undefined)
    if (row && (row.attempt !== job.attempt || row.status !== 'running' || row.stop_reason !== ''))
      decided.abort()
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  const unsubscribe = parts.subscribe(job.id, () => void look())
  try {
    const request = requestOf(job, model, parts.root, last - job.events_before, parts.settings)
    const signal = AbortSignal.any([stop, lost, decided.signal])
    const span = attemptSpan(job, node.client.address, parts.traceOf(job.id))
    const outcome = await spanOf(span, async () => {
      const ended = await attempt(parts, job, node.client, request, signal, lost)
      if (ended.how === 'failed') span?.end(ended.failure.code)
      return ended
    })
    if (lost.aborted || outcome.how === 'ended') return
    if (outcome.how === 'failed') return await setBack(parts, job, outcome.failure, lost)
    if (decided.signal.aborted) await node.client.cancel(job.id).catch(() => undefined)
    await giveBack(parts, job, model, lost)
  } catch (error) {
    if (!(error instanceof Fenced)) throw error
  } finally {
    clearInterval(timer)
    unsubscribe()
  }
}

/** A job that this worker has claimed, and the number of its newest event. */
interface Claimed {
  job: JobRow
  last: number
}

/** Claims a job. @returns undefined if the job is over */
async function claim(parts: RunParts, key: JobKey, model: StoredModel): Promise<Claimed | undefined> {
  let claimed: Claimed | undefined
  await changeJob(parts, key, async (row) => {
    if (!isOpen(row)) return undefined
    const last = await lastEvent(parts.store, key)
    const end = endOf(row, last, deleted(model))
    if (end) return ended(parts, row, end, (last?.number ?? 0) + 1)
    const job: JobRow = {
      ...row,
      ...(row.step === 0 && { ...(await begin(parts, model)), events_before: last?.number ?? 0 }),
      status: 'running',
      attempt: row.attempt + 1,
      failures: row.status === 'running' ? failuresOf(row, last) : row.failures,
      progress: last?.number ?? 0,
      retry_at: 0,
      started_at: row.started_at === 0 ? nowMicros() : row.started_at,
    }
    claimed = { job, last: job.progress }
    return job
  })
  return claimed
}

/** Decides once, for all attempts of a job, its step and the checkpoint that it starts from. */
async function begin({ store }: RunParts, model: StoredModel): Promise<Partial<JobRow>> {
  const [newest] = await checkpointList(store, model, { order: 'desc', limit: 1 })
  return {
    // Step numbers of deleted checkpoints are not reused.
    step: (await highestStep(store, model)) + 1,
    ...(newest && { start_address: newest.address, start_manifest: newest.manifest_sha256 }),
  }
}

/** Schedules another attempt, or ends the job. */
async function setBack(
  parts: RunParts,
  job: JobRow,
  failure: AttemptFailure,
  lost: AbortSignal,
): Promise<void> {
  const { code, message } = failure
  const after = await decide(parts, job, lost, async (row) => {
    const last = await lastEvent(parts.store, row)
    const stopped = row.stop_reason === '' ? undefined : endOf(row, last, false)
    const next = stopped ? { end: stopped } : afterFailure(row, last, failure)
    if ('end' in next) return ended(parts, row, next.end, (last?.number ?? 0) + 1)
    const later = { status: 'queued' as const, error_code: code, error_message: message }
    // A busy node doesn't count as a failure.
    if (ELSEWHERE.has(code)) return { ...row, ...later, retry_at: nowMicros() + BUSY_MS * 1000 }
    return { ...row, ...later, failures: next.failures, retry_at: nowMicros() + next.waitMs * 1000 }
  })
  const open = after !== undefined && isOpen(after)
  note(parts.store, job, open ? 'warn' : 'error', `${code}: ${message}${open ? ' (will be retried)' : ''}`)
}

/** Returns a job to the queue, or ends it if it was to be stopped. */
async function giveBack(parts: RunParts, job: JobRow, model: StoredModel, lost: AbortSignal): Promise<void> {
  await decide(parts, job, lost, async (row) => {
    const last = await lastEvent(parts.store, row)
    const end = row.stop_reason === '' ? undefined : endOf(row, last, deleted(model))
    if (end) return ended(parts, row, end, (last?.number ?? 0) + 1)
    return { ...row, status: 'queued', retry_at: 0 }
  })
}

/** @returns the row of a job that is over, after storing its last event if that is missing */
async function ended(parts: RunParts, row: JobRow, end: End, number: number): Promise<JobRow> {
  // If two writers use one event number, the later attempt wins, so this is one higher than any worker's.
  const attempt = row.attempt + 1
  if (!end.eventStored) {
    await addEvents(parts.store, row, attempt, [
      { number, type: 'training_failed', data: { error_message: end.message } },
    ])
  }
  return {
    ...{ ...row, attempt, status: end.status, error_code: end.code, error_message: end.message },
    finished_at: nowMicros(),
  }
}

const deleted = (model: StoredModel | undefined) => model === undefined || model.deleted_at !== 0
