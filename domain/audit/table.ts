/** The table of audit lines: adds them, reads them for the next chain and to be checked, and those not sent elsewhere yet. */
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { AuditLine, Head } from './line.js'

/** The columns of an {@link AuditLine}, of `FROM audit`; conditions mean the column `audit.at`. */
export const AUDIT_COLUMNS: Sql = sql`chain, seq, toUnixTimestamp64Micro(audit.at) AS at,
  toUnixTimestamp64Micro(began_at) AS beganAt, phase, id, request_id AS requestId, action, category, user_id AS userId,
  username, key_id AS keyId, remote_address AS remoteAddress, forwarded_for AS forwardedFor, entity, project, target,
  status, error_code AS errorCode, prev_hash AS prevHash, hash`

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

/** The end of every chain. */
export function chainHeads(store: Store, options?: StatementOptions): Promise<Head[]> {
  return store.rows<Head>(
    sql`SELECT chain, max(audit.seq) AS seq, argMax(audit.hash, audit.seq) AS hash FROM audit GROUP BY chain ORDER BY chain`,
    options,
  )
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
export function linesAfter(store: Store, since: number, limit: number): Promise<AuditLine[]> {
  return store.rows<AuditLine>(sql`
    SELECT ${AUDIT_COLUMNS} FROM audit
    LEFT ANY JOIN (SELECT chain AS known, seq AS sent FROM audit_cursors FINAL) AS cursors ON audit.chain = cursors.known
    WHERE audit.at >= ${instant(since)} AND seq > sent
    ORDER BY chain, seq LIMIT ${bind.uint(limit)}`)
}
