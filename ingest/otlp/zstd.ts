/**
 * Bodies in Zstandard, by its authors' decoder compiled to WebAssembly, for Node.js 20 has none. Decodes in one go into room
 * of a given size, so whatever window a frame asks for takes no memory.
 */
import { ZSTDDecoder } from 'zstddec'

const decoder = new ZSTDDecoder()
await decoder.init()

/** The bytes inside `body`; undefined if it is not zstd, holds nothing, or has more than `most` bytes inside. */
export function unzstd(body: Uint8Array, most: number): Buffer | undefined {
  const { buffer, byteOffset, byteLength } = decoder.decode(body, most)
  return byteLength === 0 ? undefined : Buffer.from(buffer, byteOffset, byteLength)
}
