/** The digests of objects, table rows, tables and files, equal to those the SDKs compute. Knows nothing of storage. */
import { createHash, hash } from 'node:crypto'
import type { JsonTree } from '../../platform/json/tree.js'
import { canonicalJson } from './canonical.js'

/** sha256 as base64url without padding, `-` and `_` replaced by letters: 43 characters that fit into a ref. */
function shortHash(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
}

/**
 * The digest of an object's value or of a table row: JSON text, or the tree of one. Refs inside must already be in
 * their internal form (see `refs.ts`). @throws JsonError
 */
export function objectDigest(value: JsonTree | Uint8Array): string {
  return shortHash(canonicalJson(value))
}

/** The digest of a value whose canonical form (see `canonical-bytes.ts`) is known. */
export function canonicalDigest(canonical: Uint8Array): string {
  return shortHash(canonical)
}

/** The digest of a table, from those of its rows in order, or from pieces in which they stand joined: 64 hex digits. */
export function tableDigest(rowDigests: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256')
  for (const digest of rowDigests) hash.update(digest)
  return hash.digest('hex')
}

/** The same of digests that come in pieces, joined. */
export async function tableDigestOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

/** The digest of a file's bytes. */
export function fileDigest(bytes: Uint8Array): string {
  return shortHash(bytes)
}
