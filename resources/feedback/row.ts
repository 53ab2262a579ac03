/** Encodes rows of the table `feedback` in ClickHouse's RowBinary; of two rows with one key the higher `ver` wins. Pure. */

import type { RowBinary } from '../../platform/clickhouse/row-binary.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Entry } from './entry.js'

/** The key of feedback in the table. */
export interface RowKey {
  call_id: string
  weave_ref: string
  id: string
}

/** Feedback with its author and time. */
export interface Stored extends Entry {
  id: string
  user_id: string
  /** µs since the epoch */
  created: number
}

export const COLUMNS =
  'project_id, call_id, weave_ref, id, ver, deleted, feedback_type, canonical_type, payload, creator, user_id, created_at, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, scorer'

/** Appends feedback. */
export function addRow(rows: RowBinary, row: Stored, ver: number): void {
  addKey(rows, row.project, row)
  rows.uint64(ver)
  rows.byte(0)
  rows.text(row.feedback_type)
  rows.text(row.canonical_type)
  rows.text(row.payload)
  rows.text(row.creator)
  rows.text(row.user_id)
  rows.uint64(row.created)
  for (const name of ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'queue_id'] as const)
    rows.text(row[name])
  rows.text(row.scorer)
}

/** Appends a deletion of the feedback with this key. */
export function addDeletion(rows: RowBinary, project: string, key: RowKey, ver: number): void {
  addKey(rows, project, key)
  rows.uint64(ver)
  rows.byte(1)
  for (let i = 0; i < 5; i++) rows.text('')
  rows.uint64(0)
  for (let i = 0; i < 6; i++) rows.text('')
}

function addKey(rows: RowBinary, project: string, { call_id, weave_ref, id }: RowKey): void {
  rows.ascii(projectIdOf(project))
  rows.text(call_id)
  rows.text(weave_ref)
  rows.text(id)
}
