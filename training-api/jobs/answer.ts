/** Answers with jobs, and with pages of items. Pure. */

import { isOpen, type JobRow } from '../../domain/training/jobs.js'
import type { StoredModel } from '../../domain/training/models.js'
import { isoOfMicros, isoOrNull } from '../../platform/time/iso.js'

export interface Steps {
  done: number
  total: number | null
}

export function jobAnswer(job: JobRow, model: StoredModel | undefined, steps: Steps | undefined) {
  return {
    id: job.id,
    model_id: job.model_id,
    entity: model?.entity ?? '',
    project: model?.project ?? '',
    model_name: model?.name ?? '',
    kind: job.kind,
    status: job.status,
    created_at: isoOfMicros(job.created_at),
    started_at: isoOrNull(job.started_at),
    finished_at: isoOrNull(job.finished_at),
    // While a job is retried, its last error is only in its logs.
    error_code: isOpen(job) || job.error_code === '' ? null : job.error_code,
    error_message: isOpen(job) || job.error_message === '' ? null : job.error_message,
    checkpoint_step: job.status === 'completed' ? job.step : null,
    preparing: job.status === 'queued' && job.preparing !== '' ? job.preparing : null,
    attempt: job.attempt,
    steps_done: steps?.done ?? 0,
    steps_total: steps?.total ?? null,
  }
}

/** A page of at most `limit` items. @param items one more than `limit` if there is another page */
export function pageAnswer<T extends { id: string }>(items: readonly T[], limit: number) {
  const data = items.slice(0, limit)
  return {
    object: 'list' as const,
    data,
    has_more: items.length > limit,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  }
}
