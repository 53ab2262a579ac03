/** Signs addresses at which a file can be read, or written, without a key until they expire, and checks them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'

/** ms that an address is valid. */
export const VALID_MS = 3_600_000
/** A wrong signature makes the secrets be read again at most this often, in ms: anyone can send one. */
const READ_AGAIN_MS = 1_000

/** What an address names. */
export interface FileAddress {
  /** internal id */
  project: string
  digest: string
  /** ms since 1970 */
  expires: number
  /** of a file that is to come: its size */
  bytes?: number
}

export class SignedUrls {
  private readonly secrets: SigningSecrets

  constructor(store: Store) {
    this.secrets = new SigningSecrets(store)
  }

  /** Path and query of the address. */
  async path(address: FileAddress): Promise<string> {
    const [secret] = await this.secrets.read()
    const { project, digest, expires, bytes } = address
    const query = new URLSearchParams({
      project,
      ...(bytes !== undefined && { bytes: String(bytes) }),
      expires: String(expires),
      signature: signed(secret!, address),
    })
    return `/files/${bytes === undefined ? 'download' : 'upload'}/${encodeURIComponent(digest)}?${query}`
  }

  /** @throws `BAD_LINK` (403) unless it was signed here and has not expired */
  async check(address: FileAddress, signature: string): Promise<void> {
    const fits = (secrets: readonly string[]) =>
      secrets.some((one) => isEqual(signed(one, address), signature))
    if (address.expires < Date.now()) throw errors.badLink()
    if (fits(await this.secrets.read())) return
    // Another process may have made a secret since.
    if (!fits(await this.secrets.read(READ_AGAIN_MS))) throw errors.badLink()
  }
}

function signed(secret: string, { project, digest, expires, bytes }: FileAddress): string {
  const of = [project, digest, expires, ...(bytes === undefined ? [] : [bytes])]
  return createHmac('sha256', secret).update(JSON.stringify(of)).digest('base64url')
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
