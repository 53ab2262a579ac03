/**
 * Remembers what was compiled for a sequence of attribute keys. Instrumentation sends the same keys in the same order
 * over and over, so the keys of a span are followed down a tree of sequences, comparing bytes with what came last
 * time first. Bounded: past the limits a sequence is compiled each time. Knows nothing of what is compiled.
 */
import { hashBytes } from '../../common/calls/hash.js'

const MAX_NODES = 16_384
const MAX_CHILDREN = 256
const MAX_KEY = 256

/** A sequence of keys: its last key, and the sequences that go on from it. */
export interface Shape<T> {
  readonly key: Buffer
  readonly hash: number
  readonly children: Shape<T>[]
  /** The child followed last. */
  likely: Shape<T> | undefined
  /** What was compiled for the sequence that ends here. */
  compiled: T | undefined
}

export class Shapes<T> {
  root = this.#node(Buffer.alloc(0), 0)
  #nodes = 0

  #node(key: Buffer, hash: number): Shape<T> {
    return { key, hash, children: [], likely: undefined, compiled: undefined }
  }

  /** The sequence `shape` and then the key `buf[from, to)`; undefined if it can't be remembered. */
  next(shape: Shape<T>, buf: Uint8Array, from: number, to: number): Shape<T> | undefined {
    const { likely } = shape
    if (likely !== undefined && isKey(likely.key, buf, from, to)) return likely
    const hash = hashBytes(0, buf, from, to)
    for (const child of shape.children) {
      if (child.hash === hash && isKey(child.key, buf, from, to)) {
        shape.likely = child
        return child
      }
    }
    return this.#add(shape, hash, buf, from, to)
  }

  #add(shape: Shape<T>, hash: number, buf: Uint8Array, from: number, to: number): Shape<T> | undefined {
    if (shape.children.length >= MAX_CHILDREN || to - from > MAX_KEY) return undefined
    if (this.#nodes >= MAX_NODES) {
      // Sequences that nobody sends any more must not keep new ones out for ever.
      this.#nodes = 0
      this.root = this.#node(Buffer.alloc(0), 0)
      return undefined
    }
    this.#nodes++
    const child = this.#node(Buffer.from(buf.subarray(from, to)), hash)
    shape.children.push(child)
    shape.likely = child
    return child
  }
}

function isKey(key: Buffer, buf: Uint8Array, from: number, to: number): boolean {
  const { length } = key
  if (length !== to - from) return false
  for (let i = 0; i < length; i++) if (key[i] !== buf[from + i]) return false
  return true
}
