/**
 * The events of training jobs: numbered from 1 without gaps, with ids derived from job and number, so that repeated
 * events are stored once.
 */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { JobKey } from './jobs.js'

export type EventType =
  | 'group_rewarded'
  | 'group_refused'
  | 'held_out_check'
  | 'training_paused'
  | 'training_resumed'
  | 'training_started'
  | 'gradient_step'
  | 'checkpoint'
  | 'training_ended'
  | 'training_failed'

export interface JobEvent {
  number: number
  type: EventType
  data: Record<string, unknown>
  /** when it happened, µs since 1970; default: when it is stored */
  at?: number
}

export interface EventRow {
  number: number
  type: EventType
  /** JSON text */
  data: string
  /** µs since 1970 */
  created_at: number
}

/** The id of a job's event. */
export const eventId = (jobId: string, number: number) => `${jobId}-${number}`

/** The number in an id of `jobId`'s events; undefined if it is not one. */
export function eventNumber(jobId: string, id: string): number | undefined {
  const digits = id.startsWith(`${jobId}-`) ? /^[1-9]\d{0,14}$/.exec(id.slice(jobId.length + 1)) : null
  return digits ? Number(digits[0]) : undefined
}

export const isEnd = (type: string | undefined) => type === 'training_ended' || type === 'training_failed'

/** Stores events; resolves when they are readable. @param attempt the later attempt's event wins */
export async function addEvents(
  store: Store,
  { project_id, id }: JobKey,
  attempt: number,
  events: readonly JobEvent[],
): Promise<void> {
  const rows = events.map(({ number, type, data, at }) => ({
    project_id,
    job_id: id,
    number,
    type,
    data: JSON.stringify(data),
    attempt,
    created_at: at ?? nowMicros(),
  }))
  await store.insertRows('training_events', rows)
}

/** The events after number `after` that callers see, oldest first. */
export function eventsAfter(store: Store, key: JobKey, after: number, limit: number): Promise<EventRow[]> {
  return store.rows<EventRow>(
    sql`SELECT number, type, data, toUnixTimestamp64Micro(created_at) AS created_at FROM training_events FINAL
        WHERE ${of(key)} AND number > ${bind.uint(after)} AND type != 'checkpoint'
        ORDER BY number LIMIT ${bind.uint(limit)}`,
  )
}

/** The newest event of a job. */
export function lastEvent(store: Store, key: JobKey): Promise<EventRow | undefined> {
  return store.row<EventRow>(
    sql`SELECT number, type, data, toUnixTimestamp64Micro(created_at) AS created_at FROM training_events FINAL
        WHERE ${of(key)} ORDER BY number DESC LIMIT 1`,
  )
}

/** Gradient steps that jobs have completed, and their totals. */
export async function stepsOf(
  store: Store,
  projects: readonly string[],
  jobs: readonly string[],
): Promise<Map<string, { done: number; total: number | null }>> {
  if (jobs.length === 0) return new Map()
  const rows = await store.rows<{ job_id: string; done: number; total: string }>(
    sql`SELECT job_id, uniqExactIf(number, type = 'gradient_step') AS done,
               anyIf(JSONExtractRaw(data, 'num_sequences'), type = 'training_started') AS total
        FROM training_events
        WHERE project_id IN ${bind.strings(projects)} AND job_id IN ${bind.strings(jobs)} GROUP BY job_id`,
  )
  return new Map(
    rows.map(({ job_id, done, total }) => [
      job_id,
      { done: Number(done), total: total === '' ? null : Number(total) },
    ]),
  )
}

const of = ({ project_id, id }: JobKey) =>
  sql`project_id = ${bind.string(project_id)} AND job_id = ${bind.string(id)}`
