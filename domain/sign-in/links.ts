/** Links to sign in by, which are sent by mail: each works once, for a quarter of an hour. Only hashes are stored. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { hashKey, newKey } from '../auth/api-key.js'
import { claimOnce } from './claims.js'

export const LINK_MS = 15 * 60_000
/** Links that are sent to an address in the time of one. */
const MOST_LINKS = 5

/** Stores a new link for `email` and returns its secret; undefined: it was sent enough of them lately. */
export async function newLink(store: Store, email: string, next: string): Promise<string | undefined> {
  const now = Date.now()
  const sent = await store.row<{ sent: number }>(sql`
    SELECT toUInt32(uniqExact(link_hash)) AS sent FROM sign_in_links
    WHERE email = ${bind.string(email)} AND expires_at > fromUnixTimestamp64Milli(${bind.int(now)})`)
  if ((sent?.sent ?? 0) >= MOST_LINKS) return undefined
  const link = newKey()
  await store.run(sql`
    INSERT INTO sign_in_links (link_hash, email, next, created_at, expires_at)
    SELECT ${bind.string(hashKey(link))}, ${bind.string(email)}, ${bind.string(next)},
      fromUnixTimestamp64Milli(${bind.int(now)}), fromUnixTimestamp64Milli(${bind.int(now + LINK_MS)})`)
  return link
}

/** Uses up a link. @returns whose it is, and where that person goes @throws `SIGN_IN_BAD_LINK` (401) */
export async function useLink(store: Store, link: string): Promise<{ email: string; next: string }> {
  const found = await store.row<{ email: string; next: string; expiresAt: number }>(sql`
    SELECT email, next, toUnixTimestamp64Milli(expires_at) AS expiresAt
    FROM sign_in_links FINAL WHERE link_hash = ${bind.string(hashKey(link))}`)
  const expiresAt = found?.expiresAt ?? 0
  if (found === undefined || expiresAt <= Date.now() || !(await claimOnce(store, link, expiresAt)))
    throw errors.signInBadLink()
  return { email: found.email, next: found.next }
}
