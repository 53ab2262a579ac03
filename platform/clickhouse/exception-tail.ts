/**
 * Finds the exception at the end of a result that ClickHouse could not finish. The status 200 is long sent by then, so
 * the error text comes at the end of the body, marked by a tag that the headers name.
 */
import { parseError } from '@clickhouse/client'
import { bufferOf } from '../bytes/buffer-of.js'

const MARK = '__exception__'

/** Longer messages are truncated. */
const MESSAGE_LIMIT = 64 << 10

/**
 * Passes `chunks` on without the exception at their end, and throws it.
 * @param tag value of the header `X-ClickHouse-Exception-Tag`; undefined if the server sends none
 */
export async function* withoutException(
  chunks: AsyncIterable<Uint8Array>,
  tag: string | undefined,
): AsyncGenerator<Uint8Array> {
  if (tag === undefined || tag === '') return yield* chunks
  const opening = Buffer.from(`\r\n${MARK}\r\n${tag}\r\n`)
  let held: Buffer = Buffer.alloc(0)
  let message: string | undefined
  try {
    for await (const chunk of chunks) {
      if (message !== undefined) {
        if (message.length < MESSAGE_LIMIT) message += Buffer.from(chunk).toString()
        continue
      }
      const bytes = held.length === 0 ? bufferOf(chunk) : Buffer.concat([held, chunk])
      const at = bytes.indexOf(opening)
      const end = at >= 0 ? at : bytes.length - openingLength(bytes, opening)
      if (end > 0) yield bytes.subarray(0, end)
      if (at >= 0) message = bytes.toString('utf8', at + opening.length)
      else held = bytes.subarray(end)
    }
  } catch (error) {
    // The server breaks off the connection after the exception; the exception says more.
    if (message === undefined) throw error
  }
  if (message !== undefined) throw parseError(message.split(`\n`)[0]!)
  if (held.length > 0) yield held
}

/** How many bytes at the end of `bytes` could be the start of `opening`. */
function openingLength(bytes: Buffer, opening: Buffer): number {
  const from = Math.max(bytes.length - opening.length + 1, 0)
  for (let at = bytes.indexOf(0x0d, from); at >= 0; at = bytes.indexOf(0x0d, at + 1))
    if (bytes.compare(opening, 0, bytes.length - at, at) === 0) return bytes.length - at
  return 0
}
