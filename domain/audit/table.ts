/** The table of audit lines: adds them, reads them for the next chain and to be checked, and those not sent elsewhere yet. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { AuditLine, Head } from './line.js'

/** A line as {@link AUDIT_COLUMNS} read it. */
export interface AuditRow {
  chain: string
  seq: number
  /** µs since the epoch, as the next; called unlike its column, which conditions mean */
  at_micros: string
  began_micros: string
  phase: AuditLine['phase']
  id: string
  request_id: string
  action: string
  category: AuditLine['category']
  user_id: string
  username: string
  key_id: string
  remote_address: string
  forwarded_for: string
  entity: string
  project: string
  target: string
  status: number
  error_code: string
  prev_hash: string
  hash: string
}

/** What {@link lineOf} reads, of `FROM audit`. */
export const AUDIT_COLUMNS: Sql = sql`chain, seq, toString(toUnixTimestamp64Micro(at)) AS at_micros,
  toString(toUnixTimestamp64Micro(began_at)) AS began_micros, phase, id, request_id, action, category, user_id, username,
  key_id, remote_address, forwarded_for, entity, project, target, status, error_code, prev_hash, hash`

/** Adds lines, all or none. */
export async function insertLines(
  store: Store,
  lines: readonly AuditLine[],
  options?: StatementOptions,
): Promise<void> {
  await store.insertRows('audit', lines.map(rowOf), options)
}

function rowOf(line: AuditLine): object {
  const { chain, seq, phase, id, action, category, username, entity, project, target, status, hash } = line
  return {
    ...{ chain, seq, phase, id, action, category, username, entity, project, target, status, hash },
    at: isoOfMicros(line.at),
    began_at: isoOfMicros(line.beganAt),
    request_id: line.requestId,
    user_id: line.userId,
    key_id: line.keyId,
    remote_address: line.remoteAddress,
    forwarded_for: line.forwardedFor,
    error_code: line.errorCode,
    prev_hash: line.prevHash,
  }
}

/** The line of a row. */
export function lineOf(row: AuditRow): AuditLine {
  const { chain, seq, phase, id, action, category, username, entity, project, target, status, hash } = row
  return {
    ...{ chain, seq, phase, id, action, category, username, entity, project, target, status, hash },
    at: Number(row.at_micros),
    beganAt: Number(row.began_micros),
    requestId: row.request_id,
    userId: row.user_id,
    keyId: row.key_id,
    remoteAddress: row.remote_address,
    forwardedFor: row.forwarded_for,
    errorCode: row.error_code,
    prevHash: row.prev_hash,
  }
}

/** The end of every chain. */
export async function chainHeads(store: Store, options?: StatementOptions): Promise<Head[]> {
  const rows = await store.rows<{ chain: string; last: number; head: string }>(
    sql`SELECT chain, max(seq) AS last, argMax(hash, seq) AS head FROM audit GROUP BY chain ORDER BY chain`,
    options,
  )
  return rows.map(({ chain, last, head }) => ({ chain, seq: last, hash: head }))
}

/** The lines that begin chains. */
export function headLines(
  store: Store,
  options?: StatementOptions,
): Promise<Pick<AuditLine, 'phase' | 'target'>[]> {
  return store.rows(sql`SELECT phase, target FROM audit WHERE phase = 'heads'`, options)
}

/** Notes how far each chain was sent. @param cursors the last line of each chain that arrived */
export async function keepCursors(store: Store, cursors: ReadonlyMap<string, number>): Promise<void> {
  const ver = nextVersion()
  await store.insertRows(
    'audit_cursors',
    [...cursors].map(([chain, seq]) => ({ chain, seq, ver })),
  )
}

/**
 * Lines that have not arrived, chain by chain.
 * @param since µs since the epoch: those that were written earlier are not looked at
 */
export async function linesAfter(store: Store, since: number, limit: number): Promise<AuditLine[]> {
  const rows = await store.rows<AuditRow>(sql`
    SELECT ${AUDIT_COLUMNS} FROM audit
    LEFT ANY JOIN (SELECT chain AS known, seq AS sent FROM audit_cursors FINAL) AS cursors ON audit.chain = cursors.known
    WHERE at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC') AND seq > sent
    ORDER BY chain, seq LIMIT ${bind.uint(limit)}`)
  return rows.map(lineOf)
}
