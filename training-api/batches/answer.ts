/** Answers with files and batches, as OpenAI's interface has them. Pure. */
import type { BatchAnswer } from '../../contract/batches.js'
import { type BatchRow, isOpen } from './batch-table.js'
import type { FileRow } from './file-table.js'
import type { BatchError } from './problems.js'
import type { Counts } from './result-table.js'

export function fileAnswer({ id, bytes, created_at, expires_at, filename, batch_id }: FileRow) {
  return {
    id,
    object: 'file' as const,
    bytes,
    created_at,
    expires_at,
    filename,
    purpose: batch_id === '' ? ('batch' as const) : ('batch_output' as const),
    status: 'processed' as const,
  }
}

/** @param counts of an open batch */
export function batchAnswer(row: BatchRow, counts: Counts | undefined): BatchAnswer {
  const { id, endpoint, input_file_id, status, total } = row
  const given = (text: string) => (text === '' ? null : text)
  const time = (at: number) => (at === 0 ? null : at)
  const endedAs = (final: string) => (status === final ? row.ended_at : null)
  const errors = row.errors === '' ? [] : (JSON.parse(row.errors) as BatchError[])
  const { completed, failed } = isOpen(row) ? (counts ?? { completed: 0, failed: 0 }) : row
  return {
    id,
    object: 'batch',
    endpoint,
    input_file_id,
    completion_window: '24h',
    status,
    errors:
      errors.length === 0
        ? null
        : { object: 'list', data: errors.map((error) => ({ ...error, param: null, line: null })) },
    output_file_id: given(row.output_file_id),
    error_file_id: given(row.error_file_id),
    created_at: row.created_at,
    in_progress_at: time(row.in_progress_at),
    expires_at: row.expires_at,
    finalizing_at: endedAs('completed'),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: time(row.cancelling_at),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total, completed, failed },
    metadata: row.metadata === '' ? null : (JSON.parse(row.metadata) as Record<string, string>),
  }
}
