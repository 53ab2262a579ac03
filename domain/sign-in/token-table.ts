/** What providers gave for sessions: read and written under the session's lease, so that no refresh token is lost. */

import { z } from 'zod'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { parsedAs } from '../../platform/json/parse.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Cipher } from '../secrets/cipher.js'

/** What is sealed. Empty: there is none. */
const sealedSchema = z.object({ refresh: z.string(), id: z.string() })
export type SealedTokens = z.infer<typeof sealedSchema>

export interface TokenRow {
  sessionHash: string
  provider: string
  /** as the provider calls the user */
  subject: string
  /** as the provider calls its session; empty: it does not say */
  providerSession: string
  sealed: string
  canRefresh: boolean
  /** ms since the epoch */
  checkedAt: number
  /** ms since the epoch: of the session */
  expiresAt: number
}

/** Stores the tokens of a session, in place of earlier ones. */
export async function putTokens(store: Store, row: TokenRow): Promise<void> {
  await store.run(sql`
    INSERT INTO session_tokens (session_hash, provider, subject, provider_session, sealed, can_refresh, checked_at,
      expires_at, ver)
    SELECT ${bind.string(row.sessionHash)}, ${bind.string(row.provider)}, ${bind.string(row.subject)},
      ${bind.string(row.providerSession)}, ${bind.string(row.sealed)}, ${bind.uint(row.canRefresh ? 1 : 0)},
      fromUnixTimestamp64Milli(${bind.int(row.checkedAt)}), fromUnixTimestamp64Milli(${bind.int(row.expiresAt)}),
      ${bind.uint(nextVersion())}`)
}

/** The tokens of the session with this hash; undefined: it was not opened by a provider. */
export function tokensOf(store: Store, sessionHash: string): Promise<TokenRow | undefined> {
  return store.row<TokenRow>(sql`
    SELECT toString(session_hash) AS sessionHash, provider, subject, provider_session AS providerSession, sealed,
      CAST(can_refresh, 'Bool') AS canRefresh, toUnixTimestamp64Milli(checked_at) AS checkedAt,
      toUnixTimestamp64Milli(expires_at) AS expiresAt
    FROM session_tokens FINAL WHERE session_hash = ${bind.string(sessionHash)}`)
}

/** The sessions that a provider opened for a user, or that it calls so itself; hashes. */
export async function sessionsOfProvider(
  store: Store,
  provider: string,
  { subject, providerSession }: Pick<TokenRow, 'subject' | 'providerSession'>,
): Promise<string[]> {
  const named =
    providerSession === ''
      ? sql`subject = ${bind.string(subject)}`
      : sql`provider_session = ${bind.string(providerSession)}`
  const rows = await store.rows<{ hash: string }>(sql`
    SELECT toString(session_hash) AS hash FROM session_tokens FINAL
    WHERE provider = ${bind.string(provider)} AND ${named} AND expires_at > now64(6)`)
  return rows.map(({ hash }) => hash)
}

/** Seals tokens to a session; empty without a key. */
export function sealTokens(cipher: Cipher | undefined, tokens: SealedTokens, sessionHash: string): string {
  return cipher?.seal(JSON.stringify(tokens), boundTo(sessionHash)) ?? ''
}

/** The sealed tokens of a row; empty ones if they can't be read. */
export function openTokens(cipher: Cipher | undefined, { sealed, sessionHash }: TokenRow): SealedTokens {
  const text = cipher?.open(sealed, boundTo(sessionHash))
  return (text === undefined ? undefined : parsedAs(sealedSchema, text)) ?? { refresh: '', id: '' }
}

const boundTo = (sessionHash: string) => `session tokens\n${sessionHash}`
