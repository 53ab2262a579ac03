/**
 * Runs one attempt at a job on one node. Stores the node's events in order: a checkpoint's row before its event, its
 * event before the end. Every attempt ends with an outcome.
 */

import { NodeFailure } from '../domain/nodes/failure.js'
import type { TrainClient } from '../domain/nodes/train-client.js'
import { checkpointId, putCheckpoints, type StoredCheckpoint } from '../domain/training/checkpoints.js'
import { heldOutOf } from '../domain/training/checks.js'
import { addEvents, type JobEvent } from '../domain/training/events.js'
import { changeJob, type JobRow } from '../domain/training/jobs.js'
import { addLog, type Level } from '../domain/training/logs.js'
import type { Store } from '../platform/clickhouse/store.js'
import type { Leases } from '../platform/leases/lease.js'
import { retryWhileAway } from '../platform/retry/while-away.js'
import { nowMicros } from '../platform/time/iso.js'
import { nextVersion } from '../platform/time/versions.js'
import type { TrainEvent, TrainRequest, WrittenCheckpoint } from '../proto/heddle/node/v1/train-messages.js'
import { Journal } from './journal.js'
import type { AttemptFailure } from './retry-policy.js'

/** `ended`: the job has completed, and its row says so. `stopped`: `signal` was aborted. */
export type Outcome = { how: 'ended' } | { how: 'stopped' } | { how: 'failed'; failure: AttemptFailure }

export interface AttemptParts {
  store: Store
  leases: Leases
}

/** Another worker has the job, or the job is over. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/** The node's number of its first gradient step: the start is before it. */
const FIRST_STEP = 2

/** Error codes after which another attempt, on this node or another, may succeed. */
const RETRIABLE = new Set([
  'NODE_LOST',
  'TRAINER_BUSY',
  'TRAINER_DIED',
  'DRAINING',
  'UNHEALTHY',
  'INTERNAL',
  'OUT_OF_MEMORY',
  'ARTIFACTS_UNREACHABLE',
  'NODE_TOO_OLD',
  'TOO_LATE',
  'FENCED',
])

/**
 * Runs `job`, whose current attempt is ours, on a node.
 * @param signal stops the work; events received until then are stored
 * @param lost aborted when other workers may take the job; ends the retries while the store is unreachable
 * @throws Fenced, and the store's error when it refuses a write
 */
export async function attempt(
  parts: AttemptParts,
  job: JobRow,
  client: TrainClient,
  request: TrainRequest,
  signal: AbortSignal,
  lost: AbortSignal,
): Promise<Outcome> {
  // A node numbers its own events from 1.
  const before = job.events_before
  const journal = new Journal(parts.store, job, job.attempt, before + request.after, lost)
  const heldOut = job.guidance === '' ? undefined : await heldOutOf(parts.store, job)
  const say = (level: Level, message: string) => note(parts.store, job, level, message)
  let outcome: Outcome | undefined
  // Nodes repeat the reason every few seconds.
  let waitsFor = ''
  try {
    for await (const event of client.train(request, signal)) {
      if (event.number > 0 && before + event.number <= journal.last && event.event !== 'failed') continue
      outcome = await take(event)
      if (outcome) break
    }
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error
    if (!signal.aborted) outcome = { how: 'failed', failure: failureOf(error) }
  }
  await journal.flush()
  if (outcome) return outcome
  if (signal.aborted) return { how: 'stopped' }
  return {
    how: 'failed',
    failure: { code: 'NODE_LOST', message: 'The node ended before the job did.', retriable: true },
  }

  async function take(event: TrainEvent): Promise<Outcome | undefined> {
    const number = before + event.number
    switch (event.event) {
      case 'started':
        await journal.add({
          number,
          type: 'training_started',
          data: { num_sequences: event.started!.numSequences },
        })
        return undefined
      case 'gradientStep':
        await journal.add({ number, type: 'gradient_step', data: metricsOf(event) })
        return undefined
      case 'checkpoint': {
        await journal.flush()
        if (!journal.count(number))
          throw new Error(`event ${number} came after ${journal.last}: some are missing`)
        await store(parts, job, number, event.checkpoint!, lost)
        say('info', `Checkpoint of step ${event.checkpoint!.step} written.`)
        return undefined
      }
      case 'ended':
        await journal.flush()
        await end(parts, job, { number, type: 'training_ended', data: {} }, lost)
        return { how: 'ended' }
      case 'failed':
        return { how: 'failed', failure: event.failed! }
      case 'waiting':
        if (event.waiting!.reason !== waitsFor) {
          waitsFor = event.waiting!.reason
          say('info', `The node says: ${waitsFor}`)
        }
        return undefined
      default:
        // An event of a later release.
        return undefined
    }
  }

  /** The first step tells beside its reward what the same model scored on held-out rows. */
  function metricsOf({ number, gradientStep }: TrainEvent): Record<string, number> {
    const metrics = finite(gradientStep!.metrics)
    return number === FIRST_STEP && heldOut !== undefined ? { ...metrics, held_out: heldOut } : metrics
  }
}

/** Stores the checkpoint's row first, then its event. */
function store(
  parts: AttemptParts,
  job: JobRow,
  number: number,
  { step, address, manifestSha256, bytes, metrics }: WrittenCheckpoint,
  signal: AbortSignal,
): Promise<unknown> {
  const checkpoint: StoredCheckpoint = {
    ...{ project_id: job.project_id, model_id: job.model_id, step, id: checkpointId(job.id, step) },
    ...{ metrics: JSON.stringify(finite(metrics)), address, manifest_sha256: manifestSha256, bytes },
    ...{ job_id: job.id, created_at: nowMicros(), deleted_at: 0, files_deleted_at: 0 },
  }
  return decide(parts, job, signal, async () => {
    await putCheckpoints(parts.store, [checkpoint], nextVersion())
    await addEvents(parts.store, job, job.attempt, [{ number, type: 'checkpoint', data: { step } }])
    return undefined
  })
}

function end(parts: AttemptParts, job: JobRow, event: JobEvent, signal: AbortSignal): Promise<unknown> {
  return decide(parts, job, signal, async (row) => {
    await addEvents(parts.store, job, job.attempt, [event])
    return { ...row, status: 'completed', error_code: '', error_message: '', finished_at: nowMicros() }
  })
}

/** Changes a job while it is ours. @throws Fenced when it no longer is */
export function decide(
  parts: AttemptParts,
  job: JobRow,
  signal: AbortSignal,
  work: (row: JobRow) => Promise<JobRow | undefined> | JobRow | undefined,
): Promise<JobRow | undefined> {
  return retryWhileAway(
    () =>
      changeJob(parts, job, (row) => {
        if (row.attempt !== job.attempt || row.status !== 'running')
          throw new Fenced('another worker has the job')
        return work(row)
      }),
    signal,
  )
}

/** Adds a line to the job's log. A failed write is ignored. */
export function note(store_: Store, job: JobRow, level: Level, message: string): void {
  addLog(store_, job, job.attempt, level, message).catch(() => undefined)
}

function failureOf({ code, message }: NodeFailure): AttemptFailure {
  return { code, message, retriable: RETRIABLE.has(code) }
}

/** Clients convert every metric to a float. */
function finite(metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)))
}
