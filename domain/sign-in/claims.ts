/**
 * What works once: links, and answers of providers. A claim is stored before its owner looks for others, so of those who
 * claim the same at most one finds itself alone, in whichever processes they are. Of two at the very same moment it may be
 * neither.
 */
import { randomBytes } from 'node:crypto'
import { LINEAR } from '../../platform/clickhouse/migration-lock.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { hashKey } from '../auth/api-key.js'

/**
 * Uses up `secret`.
 * @param expiresAt ms since the epoch, from when it would be refused anyway @returns false: somebody used it before
 */
export async function claimOnce(store: Store, secret: string, expiresAt: number): Promise<boolean> {
  const hash = hashKey(secret)
  const claim = randomBytes(16).toString('hex')
  await store.run(
    sql`INSERT INTO sign_in_claims (used_hash, claim, expires_at)
      SELECT ${bind.string(hash)}, ${bind.string(claim)}, fromUnixTimestamp64Milli(${bind.int(expiresAt)})`,
    { settings: LINEAR },
  )
  const other = await store.row(
    sql`SELECT claim FROM sign_in_claims
      WHERE used_hash = ${bind.string(hash)} AND claim != ${bind.string(claim)} LIMIT 1`,
    { settings: LINEAR },
  )
  return other === undefined
}
