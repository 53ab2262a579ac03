/**
 * The leaf index: a UInt32 hash of (path, text) per leaf in `inputs`, `output` and `attributes`, and in the attributes of
 * an exporter's span, so that `path = text` can rule out nearly all rows before parsing JSON. The writers of calls and the query compiler must compute the same
 * hashes.
 *
 * A leaf is a string (its unescaped UTF-8 bytes) or a boolean (`true`, `false`). Numbers, null, the empty string and
 * strings over `LEAF_TEXT_LIMIT` bytes are not leaves. The path is the column followed by the keys and list indexes
 * down to the leaf: `inputs.a.0.b`; a dot in a key is written `\.`. A call with more leaves than `LEAF_LIMIT` has
 * `TRUNCATED` among its hashes, so readers test `hasAny(leaves, [hash, TRUNCATED])`.
 *
 * A leaf of a span that stands in another column, too, is not indexed twice: `domain/conventions/leaf-paths.ts` says
 * which paths it may have. Rows whose `span_indexed` is 0 lack leaves of their span.
 */
import type { UInt32ArrayColumn } from './column.js'
import { hashBytes } from './hash.js'

/** The longest leaf text, in bytes. */
export const LEAF_TEXT_LIMIT = 256

/** Most hashes per call, including `TRUNCATED`. */
export const LEAF_LIMIT = 256

/** In a call's leaves if some were left out. No leaf hashes to it. */
export const TRUNCATED = 0

/**
 * The hash of a leaf. `path` as above (`inputs.a.0.b`, `output`), `text` its string form. Path hashes are folded
 * segment by segment, so that writers can carry them down a tree.
 */
export function leafHash(path: string, text: string): number {
  return leafHashOf(pathSegments(path), text)
}

/** The same of a path in segments. */
export function leafHashOf(path: readonly string[], text: string): number {
  let hash = ROOT
  for (const segment of path) {
    const bytes = Buffer.from(segment)
    hash = pathHash(hash, bytes, 0, bytes.length)
  }
  const bytes = Buffer.from(text)
  return leafHashAt(hash, bytes, 0, bytes.length)
}

/**
 * True if leaves equal to `text` are always indexed, so that a missing hash rules out a row. False for texts that a
 * number, null, an object or a list could have too, and for empty and long ones.
 */
export function isIndexedText(text: string): boolean {
  if (text === '' || text === 'null' || Buffer.byteLength(text) > LEAF_TEXT_LIMIT) return false
  return !NO_STRING.test(text)
}

/** Text forms of lists, objects and numbers. Ids and dates only start like numbers. */
const NO_STRING = /^(?:[[{]|[-+]?(?:nan|inf)|[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$)/i

/** The segments of a dotted path; `\.` is a dot within a segment. */
export function pathSegments(path: string): string[] {
  return path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
}

/** The initial hash of a path. */
export const ROOT = 0x2545f491

/** The hash of the path `parent` followed by the segment `source[from, to)` (UTF-8, unescaped). */
export function pathHash(parent: number, source: Uint8Array, from: number, to: number): number {
  return hashBytes(parent, source, from, to)
}

/** The hash of the leaf `source[from, to)` (UTF-8, unescaped) at the path with the hash `path`. */
export function leafHashAt(path: number, source: Uint8Array, from: number, to: number): number {
  const hash = hashBytes(path ^ 0x5bd1e995, source, from, to)
  return hash === TRUNCATED ? 1 : hash
}

/** Adds a leaf to the current row; beyond `LEAF_LIMIT` it adds `TRUNCATED` once, then nothing. */
export function addLeaf(leaves: UInt32ArrayColumn, hash: number): void {
  const leaf = oneMoreLeaf(leaves.pending, hash)
  if (leaf !== undefined) leaves.add(leaf)
}

/** What a row that has `count` leaves is given for another one. */
export function oneMoreLeaf(count: number, hash: number): number | undefined {
  if (count < LEAF_LIMIT - 1) return hash
  return count === LEAF_LIMIT - 1 ? TRUNCATED : undefined
}
