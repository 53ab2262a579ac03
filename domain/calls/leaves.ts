/**
 * The index of leaves: for each leaf in `inputs`, `output` and `attributes` one UInt32 hash of (path, text), so that
 * `path = text` can rule out nearly all rows before it looks into JSON. Used by the writers of calls and by the
 * query compiler, which must compute the same. Knows nothing of SQL.
 *
 * A leaf is a string (its unescaped UTF-8 bytes) or a boolean (`true`, `false`). Numbers, null and the empty string
 * are no leaves, nor are strings over `LEAF_TEXT_LIMIT` bytes. The path is the column and then the keys and list
 * indexes down to the leaf: `inputs.a.0.b`, a dot inside a key written `\.`. A call with more leaves than
 * `LEAF_LIMIT` has `TRUNCATED` among its hashes, so a reader asks `hasAny(leaves, [hash, TRUNCATED])`.
 */
import type { UInt32ArrayColumn } from './column.js'
import { hashBytes } from './hash.js'

/** Longest text, in bytes, that is a leaf. */
export const LEAF_TEXT_LIMIT = 256

/** Most hashes that a call has, `TRUNCATED` included. */
export const LEAF_LIMIT = 256

/** Stands in a call's leaves if some were left out. No leaf hashes to it. */
export const TRUNCATED = 0

/**
 * The hash of a leaf. `path` as above (`inputs.a.0.b`, `output`), `text` its string form.
 * The hash of a path is folded segment by segment, so that a writer carries it down a tree.
 */
export function leafHash(path: string, text: string): number {
  let hash = ROOT
  for (const segment of pathSegments(path)) {
    const bytes = Buffer.from(segment)
    hash = pathHash(hash, bytes, 0, bytes.length)
  }
  const bytes = Buffer.from(text)
  return leafHashAt(hash, bytes, 0, bytes.length)
}

/**
 * True if a leaf whose string form equals `text` is sure to be in the index, so that its absence there proves a row
 * wrong. Not so for texts that a number, null, an object or a list could also have, nor for empty and long ones.
 */
export function isIndexedText(text: string): boolean {
  if (text === '' || text === 'null' || Buffer.byteLength(text) > LEAF_TEXT_LIMIT) return false
  return !NO_STRING.test(text)
}

/** How lists, objects and numbers are written. Ids and dates only begin like a number. */
const NO_STRING = /^(?:[[{]|[-+]?(?:nan|inf)|[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$)/i

/** The segments of a dotted path, `\.` being a dot inside a segment. */
export function pathSegments(path: string): string[] {
  return path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
}

/** Where the fold of a path begins. */
export const ROOT = 0x2545f491

/** The hash of the path that is `parent` and then the segment `source[from, to)` (UTF-8, unescaped). */
export function pathHash(parent: number, source: Uint8Array, from: number, to: number): number {
  return hashBytes(parent, source, from, to)
}

/** The hash of the leaf `source[from, to)` (UTF-8, unescaped) under the path that hashes to `path`. */
export function leafHashAt(path: number, source: Uint8Array, from: number, to: number): number {
  const hash = hashBytes(path ^ 0x5bd1e995, source, from, to)
  return hash === TRUNCATED ? 1 : hash
}

/** Adds a leaf to the row being built; past `LEAF_LIMIT` it adds `TRUNCATED` once and then nothing. */
export function addLeaf(leaves: UInt32ArrayColumn, hash: number): void {
  const { pending } = leaves
  if (pending < LEAF_LIMIT - 1) leaves.add(hash)
  else if (pending === LEAF_LIMIT - 1) leaves.add(TRUNCATED)
}
