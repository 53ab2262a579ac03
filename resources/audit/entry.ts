/** What was done, as the list of the audit log shows it. Pure. */
import type { AuditEntry } from '../../contract/audit.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { EntryRow } from './statements.js'

export function entryOf(row: EntryRow): AuditEntry {
  const target = JSON.parse(row.last_target) as Record<string, unknown>
  const { count } = target
  return {
    id: row.id,
    began_at: isoOfMicros(Number(row.began_micros)),
    ended_at: row.ended_micros === '0' ? null : isoOfMicros(Number(row.ended_micros)),
    outcome: row.outcome,
    action: row.last_action,
    category: row.last_category,
    user_id: row.last_user_id,
    username: row.last_username,
    key_id: row.last_key_id,
    remote_address: row.last_remote_address,
    forwarded_for: row.last_forwarded_for,
    entity: row.last_entity,
    project: row.last_project,
    target,
    status: row.last_status === 0 ? null : row.last_status,
    error_code: row.last_error_code === '' ? null : row.last_error_code,
    request_id: row.last_request_id,
    count: row.last_phase === 'counted' && typeof count === 'number' ? count : 1,
    lines: row.places.map(([at, chain, seq, phase, hash]) => ({
      ...{ chain, seq, phase, hash, at: isoOfMicros(Number(at)) },
    })),
  }
}
