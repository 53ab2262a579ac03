/** The routes of the audit log, bound. Each caller sees what it administers. */

import type { AuditEntry } from '../../contract/audit.js'
import * as declared from '../../contract/audit.js'
import { cefLine, jsonLine } from '../../domain/audit/formats.js'
import type { AuditLine } from '../../domain/audit/line.js'
import { verifyAudit } from '../../domain/audit/verify.js'
import { mustAdminister } from '../../domain/auth/grants.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'
import { type EntryRow, entriesStatement, linesStatement, type Place } from './statements.js'

/** @param version of this program */
export function auditRoutes({ store, limits }: Parts, version: string): Bound[] {
  return [
    serve(declared.auditQuery, async ({ body, principal, signal }) => {
      mustAdminister(principal, body.scope)
      const before = body.cursor === null ? undefined : placeOf(body.cursor)
      const rows = await store.rows<EntryRow>(entriesStatement(body, before), { signal, limits })
      const shown = rows.slice(0, body.limit)
      return {
        entries: shown.map(entryOf),
        next_cursor: rows.length > shown.length ? cursorOf(shown.at(-1)!) : null,
      }
    }),
    serve(declared.auditExport, async ({ body, principal, signal }) => {
      mustAdminister(principal, body.scope)
      const { format } = body
      const lines = exported(store, linesStatement(body), { signal, limits }, (row) =>
        format === 'cef' ? cefLine(row, version) : jsonLine(row),
      )
      return new Reply(200, format === 'cef' ? 'text/plain' : 'application/jsonl', lines)
    }),
    serve(declared.auditVerify, async ({ body, principal, signal }) => {
      principal.must('admin', '*')
      const { problemCount, ...found } = await verifyAudit(store, body.heads, { signal })
      return { ...found, problem_count: problemCount }
    }),
  ]
}

async function* exported(
  store: Store,
  statement: Sql,
  options: StatementOptions,
  written: (line: AuditLine) => string,
): AsyncGenerator<Uint8Array> {
  for await (const rows of streamRows<AuditLine>(store, statement, options))
    if (rows.length > 0) yield Buffer.from(rows.map(written).join(''))
}

/** Where a page of the audit log ends, as callers send it back. Pure. */
export const cursorOf = ({ began_micros, id }: Pick<EntryRow, 'began_micros' | 'id'>): string =>
  `${began_micros}.${id}`

/** @throws 400 for what {@link cursorOf} did not make */
export function placeOf(cursor: string): Place {
  const [, beganAt, id] = /^(\d{1,16})\.([\w-]{1,60})$/.exec(cursor) ?? []
  if (beganAt === undefined || id === undefined)
    throw errors.badRequest('The cursor is not the next_cursor of a page; leave it out to begin anew.')
  return { beganAt: Number(beganAt), id }
}

/** What was done, as the list of the audit log shows it. Pure. */
function entryOf(row: EntryRow): AuditEntry {
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
