/** What the log needs of files beside what Node.js has. */
import { writevSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import * as zlib from 'node:zlib'

/** CRC-32 of what had the sum `sum`, and `bytes` behind it. */
export function crc32(sum: number, bytes: Uint8Array): number {
  return zlib.crc32(bytes, sum)
}

/** So much goes into the page cache in less time than two threads need to wake each other. */
const AT_ONCE = 256 * 1024

/** Writes all of `buffers` at `position`, however many goes that takes. */
export async function writeAll(
  file: FileHandle,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let left = buffers.filter(({ length }) => length > 0)
  let at = position
  while (left.length > 0) {
    const bytes = left.reduce((sum, { length }) => sum + length, 0)
    let bytesWritten =
      bytes <= AT_ONCE ? writevSync(file.fd, left, at) : (await file.writev(left, at)).bytesWritten
    at += bytesWritten
    const next = left.findIndex(({ length }) => {
      if (bytesWritten < length) return true
      bytesWritten -= length
      return false
    })
    left = next < 0 ? [] : [left[next]!.subarray(bytesWritten), ...left.slice(next + 1)]
  }
}

/** True where the disk had no room. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
