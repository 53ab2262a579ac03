/**
 * Decides whether a job goes on, when a worker takes it and when an attempt ends. Depends only on its row and its newest
 * event, so that every worker decides alike.
 */
import type { EventRow } from '../domain/training/events.js'
import { isEnd } from '../domain/training/events.js'
import type { JobRow } from '../domain/training/jobs.js'
import { waitAfter } from '../platform/retry/backoff.js'
import { isDue } from '../platform/retry/due.js'

/** A job fails after more than this many consecutive attempts without progress. */
export const MOST_FAILURES = 5
const WAITS = { firstMs: 1000, longestMs: 60_000 }

/** Why a job is over, as shown to callers. */
export interface End {
  status: 'completed' | 'failed' | 'cancelled'
  /** stable; empty: completed */
  code: string
  message: string
  /** its last event is already stored */
  eventStored: boolean
}

type Last = Pick<EventRow, 'number' | 'type' | 'data'> | undefined

/** @returns the end of a job that is over; undefined: it can run */
export function endOf(row: JobRow, last: Last, modelDeleted: boolean): End | undefined {
  if (last && isEnd(last.type)) return endOfEvent(row, last)
  if (row.stop_reason === 'cancelled') return CANCELLED
  if (row.stop_reason === 'model_deleted' || modelDeleted) return MODEL_DELETED
  const failures = row.status === 'running' ? failuresOf(row, last) : row.failures
  if (failures <= MOST_FAILURES) return undefined
  return failed(
    'NO_PROGRESS',
    `The job was tried ${failures} times without progress, as its worker or node died each time; see its logs, and send it again with less data or another model.`,
  )
}

/** The end that the last event records: a worker died before it could write the row. */
function endOfEvent(row: JobRow, { type, data }: NonNullable<Last>): End {
  if (type === 'training_ended') return { status: 'completed', code: '', message: '', eventStored: true }
  const { error_message: message } = JSON.parse(data) as { error_message: string }
  const cancelled = row.stop_reason === 'cancelled' && message === CANCELLED.message
  return cancelled
    ? { ...CANCELLED, eventStored: true }
    : { status: 'failed', code: row.error_code || 'FAILED', message, eventStored: true }
}

const CANCELLED: End = { status: 'cancelled', code: 'CANCELLED', message: 'cancelled', eventStored: false }
const MODEL_DELETED: End = failed('MODEL_DELETED', 'The model was deleted.')

/** Counts consecutive attempts without progress, including the one that just ended. */
export function failuresOf(row: JobRow, last: Last): number {
  return (last?.number ?? 0) > row.progress ? 1 : row.failures + 1
}

/** Why an attempt ended before its job did. */
export interface AttemptFailure {
  code: string
  message: string
  /** another attempt may succeed */
  retriable: boolean
}

/** Decides what follows a failed attempt: the job's end, or a wait with the new count of failures. */
export function afterFailure(
  row: JobRow,
  last: Last,
  { code, message, retriable }: AttemptFailure,
): { end: End } | { failures: number; waitMs: number } {
  if (!retriable) return { end: failed(code, message) }
  const failures = failuresOf(row, last)
  if (failures > MOST_FAILURES)
    return { end: failed(code, `After ${failures} attempts without progress: ${message}`) }
  return { failures, waitMs: waitAfter(failures, WAITS) }
}

/** True when the wait of a job is over. @param now µs, as `retry_at` */
export const mayRetry = ({ retry_at }: Pick<JobRow, 'retry_at'>, now: number): boolean =>
  isDue(retry_at, now, WAITS.longestMs * 1000)

function failed(code: string, message: string): End {
  return { status: 'failed', code, message, eventStored: false }
}
