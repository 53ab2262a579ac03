/** The routes of the audit log, bound. Each caller sees what it administers. */
import * as declared from '../../contract/audit.js'
import { cefLine, jsonLine } from '../../domain/audit/formats.js'
import { type AuditRow, lineOf } from '../../domain/audit/table.js'
import { verifyAudit } from '../../domain/audit/verify.js'
import { mustAdminister } from '../../domain/auth/grants.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { cursorOf, placeOf } from './cursor.js'
import { entryOf } from './entry.js'
import { type EntryRow, entriesStatement, linesStatement } from './statements.js'

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
        format === 'cef' ? cefLine(lineOf(row), version) : jsonLine(lineOf(row)),
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
  written: (row: AuditRow) => string,
): AsyncGenerator<Uint8Array> {
  for await (const rows of streamRows<AuditRow>(store, statement, options))
    if (rows.length > 0) yield Buffer.from(rows.map(written).join(''))
}
