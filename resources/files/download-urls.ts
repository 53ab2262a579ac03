/**
 * Signs addresses at which a file can be read without a key until they expire, and checks them. The secret is in the
 * store, so that any process can check what another signed. Knows nothing of HTTP.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'

/** ms that an address is valid. */
export const VALID_MS = 3_600_000
/** A wrong signature makes the secrets be read again at most this often, in ms: anyone can send one. */
const READ_AGAIN_MS = 1_000

/** What an address names. */
export interface Download {
  /** internal id */
  project: string
  digest: string
  /** ms since 1970 */
  expires: number
}

export class DownloadUrls {
  private secrets: Promise<readonly string[]> | undefined
  private readAt = 0

  constructor(private readonly store: Store) {}

  /** Path and query of the address. */
  async path(download: Download): Promise<string> {
    const [secret] = await this.read()
    const { project, digest, expires } = download
    const query = new URLSearchParams({
      project,
      expires: String(expires),
      signature: signed(secret!, download),
    })
    return `/files/download/${encodeURIComponent(digest)}?${query}`
  }

  /** @throws `BAD_LINK` (403) unless it was signed here and has not expired */
  async check(download: Download, signature: string): Promise<void> {
    const fits = (secrets: readonly string[]) =>
      secrets.some((one) => isEqual(signed(one, download), signature))
    if (download.expires < Date.now()) throw errors.badLink()
    if (fits(await this.read())) return
    // Another process may have made a secret since.
    if (!fits(await this.read(READ_AGAIN_MS))) throw errors.badLink()
  }

  /** @param maxAge of what is remembered, in ms */
  private read(maxAge = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    if (this.secrets === undefined || Date.now() - this.readAt > maxAge) {
      this.readAt = Date.now()
      this.secrets = this.stored()
      this.secrets.catch(() => {
        this.secrets = undefined
      })
    }
    return this.secrets
  }

  /** The oldest first; makes one if there is none. Two processes may make one each at once: both stay valid. */
  private async stored(): Promise<readonly string[]> {
    const read = () =>
      this.store.rows<{ secret: string }>(
        sql`SELECT DISTINCT secret FROM signing_secrets ORDER BY created_at, secret`,
      )
    let rows = await read()
    if (rows.length === 0) {
      const secret = randomBytes(32).toString('base64url')
      await this.store.insertRows('signing_secrets', [{ secret, created_at: new Date().toISOString() }])
      rows = await read()
    }
    return rows.map(({ secret }) => secret)
  }
}

function signed(secret: string, { project, digest, expires }: Download): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([project, digest, expires]))
    .digest('base64url')
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
