/** From a decoder's block to what a thread sends back. */
import type { CallBlock } from '../../domain/calls/block.js'
import type { Rows } from './task.js'

/** What is known of consecutive rows of a block beside their bytes; see {@link Rows}. */
export type RowMetadata = Pick<Rows, 'kinds' | 'hashes' | 'born' | 'requests'>

/**
 * The encoded block with the metadata of its rows, part after part in the order they were appended.
 * @param buffer memory to encode into, if it is large enough
 */
export function rowsOf(
  block: CallBlock,
  parts: readonly RowMetadata[],
  buffer?: SharedArrayBuffer,
): Rows | undefined {
  if (block.rows === 0) return undefined
  const filled = parts.filter(({ kinds }) => kinds.length > 0)
  const metadata = filled.length === 1 ? filled[0]! : joined(filled, block.rows)
  return { ...block.layout(buffer), ...metadata }
}

function joined(parts: readonly RowMetadata[], rows: number): RowMetadata {
  const metadata = {
    kinds: new Uint8Array(rows),
    hashes: new Uint32Array(rows * 2),
    born: new Float64Array(rows),
    requests: new Uint32Array(rows),
  }
  let at = 0
  for (const part of parts) {
    metadata.kinds.set(part.kinds, at)
    metadata.hashes.set(part.hashes, at * 2)
    metadata.born.set(part.born, at)
    metadata.requests.set(part.requests, at)
    at += part.kinds.length
  }
  return metadata
}
