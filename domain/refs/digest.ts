/** Computes digests of objects, table rows, tables and files, equal to the SDKs' digests. */
import { createHash, hash } from 'node:crypto'
import type { JsonTree } from '../../platform/json/tree.js'
import { canonicalJson } from './canonical.js'

function shortHash(bytes: Uint8Array | string): string {
  return digestOfHash(hash('sha256', bytes, 'base64url'))
}

/** A SHA-256 in unpadded base64url as a digest: `-` and `_` are replaced by letters, so that it fits into a ref. */
export function digestOfHash(sha256: string): string {
  return sha256.replaceAll('-', 'X').replaceAll('_', 'Y')
}

/**
 * The digest of an object's value or a table row, given as JSON text or a tree. Refs inside must already be in their
 * internal form (see `refs.ts`). @throws JsonError
 */
export function objectDigest(value: JsonTree | Uint8Array): string {
  return shortHash(canonicalJson(value))
}

/** The digest of a value in canonical form (see `canonical-bytes.ts`). */
export function canonicalDigest(canonical: Uint8Array): string {
  return shortHash(canonical)
}

/** The digest of a table: 64 hex digits. Takes the digests of its rows in order, one by one or concatenated. */
export function tableDigest(rowDigests: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256')
  for (const digest of rowDigests) hash.update(digest)
  return hash.digest('hex')
}

/** Like {@link tableDigest}, for a stream of concatenated digests. */
export async function tableDigestOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

/** The digest of a file's bytes. */
export function fileDigest(bytes: Uint8Array): string {
  return shortHash(bytes)
}
