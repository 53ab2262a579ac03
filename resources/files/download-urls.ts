/** Signs addresses at which a file can be read without a key until they expire, and checks them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
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
  private readonly secrets: SigningSecrets

  constructor(store: Store) {
    this.secrets = new SigningSecrets(store)
  }

  /** Path and query of the address. */
  async path(download: Download): Promise<string> {
    const [secret] = await this.secrets.read()
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
    if (fits(await this.secrets.read())) return
    // Another process may have made a secret since.
    if (!fits(await this.secrets.read(READ_AGAIN_MS))) throw errors.badLink()
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
