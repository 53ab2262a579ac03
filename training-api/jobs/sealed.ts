/** A file that only the request which writes it can read: its key is in memory alone. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The key is used for one file, read and written from its start, so each counter is used once. */
const CIPHER = 'aes-256-ctr'
const START = Buffer.alloc(16)

export class SealedFile {
  private readonly key = randomBytes(32)
  private readonly cipher = createCipheriv(CIPHER, this.key, START)

  /** The next piece, as it is stored. */
  readonly seal = (piece: Uint8Array): Uint8Array => this.cipher.update(piece)

  /** What was sealed. */
  async *opened(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const decipher = createDecipheriv(CIPHER, this.key, START)
    for await (const chunk of chunks) yield decipher.update(chunk)
  }
}
