/** Which call each row of a block is, so that the commit can look for stored rows of the same calls. */

import { ID_LIMIT } from '../../contract/limits.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { murmur2, murmur3 } from '../pipeline/id-hash.js'

/** Bytes of the longest identity: a project id, and characters of at most four bytes. */
const KEY_LIMIT = 64 + ID_LIMIT * 4

/** How a row came about. */
export const ROW = {
  /** a start alone */
  start: 1,
  /** an end alone */
  end: 2,
  /** a start and an end */
  pair: 3,
  /** among it a call that was sent whole: it replaces whatever is stored */
  whole: 4,
  /** a span of an exporter */
  span: 5,
  /** log records of a span */
  log: 6,
} as const

/** By row. Typed arrays, so that they pass between threads without copying. */
export interface RowKeys {
  readonly ids: string[]
  /** a value of {@link ROW} */
  readonly kinds: Uint8Array
  /** two a row: the hashes of the call's identity (`ingest/pipeline/id-hash.ts`) */
  readonly hashes: Uint32Array
  /** index of the last request that wrote to the row */
  readonly requests: Uint32Array
}

/** The two hashes of each identity, the bytes of the project's internal id and of the call's id. */
export function identityHashes(
  rows: readonly { readonly project: string; readonly id: string }[],
): Uint32Array {
  const hashes = new Uint32Array(rows.length * 2)
  const key = Buffer.allocUnsafe(KEY_LIMIT)
  rows.forEach(({ project, id }, row) => {
    let length = key.write(projectIdOf(project))
    length += key.write(id, length)
    hashes[row * 2] = murmur3(key, length)
    hashes[row * 2 + 1] = murmur2(key, length)
  })
  return hashes
}
