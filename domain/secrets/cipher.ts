/**
 * Seals short texts with AES-256-GCM (NIST SP 800-38D) under the operator's key from the environment. The scope and
 * name are authenticated too, so a sealed value moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

const NONCE = 12
const TAG = 16

export class Cipher {
  private readonly key: Buffer

  /** @param secret the operator's key: any text of at least 16 characters */
  constructor(secret: string) {
    if (secret.length < 16) throw new Error('HEDDLE_SECRETS_KEY must have at least 16 characters')
    this.key = scryptSync(secret, 'heddle secrets v1', 32)
  }

  /** Base64 of nonce, tag and ciphertext. */
  seal(text: string, boundTo: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(boundTo))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** The sealed text; undefined if the key or row differs, or it is damaged. */
  open(sealed: string, boundTo: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes.length < NONCE + TAG) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}
