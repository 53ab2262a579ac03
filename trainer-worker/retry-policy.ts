/**
 * What becomes of a job: when it is taken, and when an attempt is over. Functions of its row and its newest event alone,
 * so that every worker decides alike. Knows no clock, store or node.
 */
import type { EventRow } from '../domain/training/events.js'
import { isEnd } from '../domain/training/events.js'
import type { JobRow } from '../domain/training/jobs.js'
import { waitAfter } from '../platform/retry/backoff.js'

/** Attempts in a row that come no further; then the job fails. */
export const MOST_FAILURES = 5
const WAITS = { firstMs: 1000, longestMs: 60_000 }

/** Why a job is over, as callers read it. */
export interface End {
  status: 'completed' | 'failed' | 'cancelled'
  /** stable; empty: it completed */
  code: string
  message: string
  /** its last event is there already */
  told: boolean
}

type Last = Pick<EventRow, 'number' | 'type' | 'data'> | undefined

/** The end of a job that nobody may work on any more; undefined: it is to be worked on. */
export function endOf(row: JobRow, last: Last, modelDeleted: boolean): End | undefined {
  if (last && isEnd(last.type)) return toldEnd(row, last)
  if (row.stop_reason === 'cancelled') return CANCELLED
  if (row.stop_reason === 'model_deleted' || modelDeleted) return MODEL_DELETED
  const failures = row.status === 'running' ? failuresOf(row, last) : row.failures
  if (failures <= MOST_FAILURES) return undefined
  return failed(
    'NO_PROGRESS',
    `The job was taken up ${failures} times and came no further, as its worker or node died each time; see its logs, and send it again with less data or another model.`,
  )
}

/** A worker ended between the last event and the row. */
function toldEnd(row: JobRow, { type, data }: NonNullable<Last>): End {
  if (type === 'training_ended') return { status: 'completed', code: '', message: '', told: true }
  const { error_message: message } = JSON.parse(data) as { error_message: string }
  const cancelled = row.stop_reason === 'cancelled' && message === CANCELLED.message
  return cancelled
    ? { ...CANCELLED, told: true }
    : { status: 'failed', code: row.error_code || 'FAILED', message, told: true }
}

const CANCELLED: End = { status: 'cancelled', code: 'CANCELLED', message: 'cancelled', told: false }
const MODEL_DELETED: End = failed('MODEL_DELETED', 'The model was deleted.')

/** Attempts in a row, the one that is over included, that came no further than the one before. */
export function failuresOf(row: JobRow, last: Last): number {
  return (last?.number ?? 0) > row.progress ? 1 : row.failures + 1
}

/** Why an attempt ended before its job did. */
export interface AttemptFailure {
  code: string
  message: string
  /** another attempt may do it */
  retriable: boolean
}

/** What becomes of a job after a failed attempt: it is over, or waits for so many ms with so many failures behind it. */
export function afterFailure(
  row: JobRow,
  last: Last,
  { code, message, retriable }: AttemptFailure,
): { end: End } | { failures: number; waitMs: number } {
  if (!retriable) return { end: failed(code, message) }
  const failures = failuresOf(row, last)
  if (failures > MOST_FAILURES)
    return { end: failed(code, `After ${failures} attempts that came no further: ${message}`) }
  return { failures, waitMs: waitAfter(failures, WAITS) }
}

function failed(code: string, message: string): End {
  return { status: 'failed', code, message, told: false }
}
