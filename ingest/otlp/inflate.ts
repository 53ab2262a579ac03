/** A request's body as it was before compression, never above a limit. */
import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { ZSTDDecoder } from 'zstddec'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { type AnyEncoding, isZlib, MOST_TIMES, mostInflated } from '../../platform/http/inflation.js'
import { BadMessage } from './bad.js'

/** The body would be larger than the limit. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** The bytes inside `body`, `most` of them at most. @throws BadMessage, TooLarge */
export function inflated(body: Uint8Array, encoding: AnyEncoding, most: number): Buffer {
  const bytes = bufferOf(body)
  if (encoding === 'identity') {
    if (bytes.length > most) throw new TooLarge(`the body has more than ${most} bytes`)
    return bytes
  }
  const limit = Math.min(most, mostInflated(bytes.length))
  // The output comes in chunks that are joined at the end, so one chunk should hold most bodies.
  const chunkSize = Math.min(Math.max(bytes.length * 4, 16_384), 4 << 20, Math.max(limit, 64))
  const options: ZlibOptions = { maxOutputLength: limit, chunkSize }
  if (encoding === 'zstd') {
    const plain = unzstd(bytes, limit)
    if (plain === undefined)
      throw new BadMessage(`the body is not zstd, or has more than ${limit} bytes inside`)
    return plain
  }
  try {
    if (encoding !== 'deflate') return gunzipSync(bytes, options)
    // `deflate` means the zlib format, but some clients send the bare stream.
    return isZlib(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
  } catch (error) {
    if (isTooLarge(error)) {
      const growth = limit < most ? `, more than ${MOST_TIMES} times its size` : ''
      throw new TooLarge(`the body has more than ${limit} bytes when inflated${growth}`)
    }
    throw new BadMessage(`the body is not ${encoding}`)
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

// Zstandard by its authors' decoder compiled to WebAssembly, for Node.js 20 has none. It decodes in one go into room of a
// given size, so whatever window a frame asks for takes no memory.
const decoder = new ZSTDDecoder()
await decoder.init()

/** The bytes inside `body`; undefined if it is not zstd, holds nothing, or has more than `most` bytes inside. */
export function unzstd(body: Uint8Array, most: number): Buffer | undefined {
  const { buffer, byteOffset, byteLength } = decoder.decode(body, most)
  return byteLength === 0 ? undefined : Buffer.from(buffer, byteOffset, byteLength)
}
