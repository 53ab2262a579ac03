/**
 * Remembers what was compiled for a sequence of attribute keys. Instrumentation sends the same keys in the same order
 * over and over, so the keys of a span are followed down a tree of sequences, comparing bytes with what came last
 * time first. Bounded, by bytes above all: past the limits a sequence is compiled each time, or everything is forgotten.
 * Knows nothing of what is compiled.
 */

import { hashBytes } from '../../domain/calls/hash.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import type { Wire } from './wire.js'

const NO_KEY = viewOf(Buffer.alloc(0))
/** Of all keys and what was compiled for them, nearly. What clients really send takes less than a megabyte. */
const MAX_BYTES = 16 << 20
/** Of a node beside its key. */
const NODE_BYTES = 400
const MAX_CHILDREN = 256
const MAX_KEY = 256

/** A sequence of keys: its last key, and the sequences that go on from it. */
export interface Shape<T> {
  readonly key: DataView
  readonly hash: number
  readonly children: Shape<T>[]
  /** The child followed last. */
  likely: Shape<T> | undefined
  /** What was compiled for the sequence that ends here. */
  compiled: T | undefined
}

export class KeyTrie<T> {
  root = this.#node(NO_KEY, 0)
  #bytes = 0

  #node(key: DataView, hash: number): Shape<T> {
    return { key, hash, children: [], likely: undefined, compiled: undefined }
  }

  /** The sequence `shape` and then the key `[from, to)` of the wire; undefined if it can't be remembered. */
  next(shape: Shape<T>, wire: Wire, from: number, to: number): Shape<T> | undefined {
    const { likely } = shape
    if (likely !== undefined && isKey(likely.key, wire.view, from, to)) return likely
    const hash = hashBytes(0, wire.buf, from, to)
    for (const child of shape.children) {
      if (child.hash === hash && isKey(child.key, wire.view, from, to)) {
        shape.likely = child
        return child
      }
    }
    return this.#add(shape, hash, wire.buf, from, to)
  }

  /** That what is remembered takes `bytes` more. Sequences that nobody sends any more must not keep new ones out. */
  grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= MAX_BYTES) return
    this.#bytes = 0
    this.root = this.#node(NO_KEY, 0)
  }

  #add(shape: Shape<T>, hash: number, buf: Uint8Array, from: number, to: number): Shape<T> | undefined {
    if (shape.children.length >= MAX_CHILDREN || to - from > MAX_KEY) return undefined
    this.grow(NODE_BYTES + to - from)
    const child = this.#node(viewOf(Buffer.from(buf.subarray(from, to))), hash)
    shape.children.push(child)
    shape.likely = child
    return child
  }
}

function isKey(key: DataView, wire: DataView, from: number, to: number): boolean {
  const length = key.byteLength
  if (length !== to - from) return false
  const words = length - 3
  let i = 0
  for (; i < words; i += 4) if (key.getInt32(i) !== wire.getInt32(from + i)) return false
  for (; i < length; i++) if (key.getUint8(i) !== wire.getUint8(from + i)) return false
  return true
}
