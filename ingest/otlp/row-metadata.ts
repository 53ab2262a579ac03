/** What the pipeline has to know of each row beside its bytes, in typed arrays that grow. Knows no spans. */

import type { CallBlock } from '../../domain/calls/block.js'
import { doubled } from '../../domain/calls/column.js'
import { murmur2, murmur3, SPAN_ID_LENGTH } from '../pipeline/id-hash.js'
import type { Project } from './projects.js'

export class RowMetadata {
  count = 0
  #hashes = new Uint32Array(8192)
  #born = new Float64Array(4096)
  #requests = new Uint32Array(4096)
  #key = Buffer.allocUnsafeSlow(2048)

  clear(): void {
    this.count = 0
  }

  /** Drops what was added after `count`. */
  cut(count: number): void {
    this.count = count
  }

  /** Adds the metadata of the row that `block` ended last. `born` in ms since the epoch. */
  add(block: CallBlock, project: Project, born: number, request: number): void {
    const row = this.count++
    if (row === this.#born.length) this.#grow()
    const { id, trace_id: trace } = block
    const key = this.#key
    let length = append(key, 0, project.id, 0, project.id.length)
    length = append(key, length, id.buf, id.pos - id.lastLength, id.pos)
    if (id.lastLength === SPAN_ID_LENGTH) {
      length = append(key, length, trace.buf, trace.pos - trace.lastLength, trace.pos)
    }
    this.#hashes[row * 2] = murmur3(key, length)
    this.#hashes[row * 2 + 1] = murmur2(key, length)
    this.#born[row] = born
    this.#requests[row] = request
  }

  /** Adds the metadata of rows whose hashes are known: two a row. `born` in µs since the epoch, as two halves each. */
  addRows(hashes: Uint32Array, born: Uint32Array, request: number): void {
    const rows = hashes.length / 2
    while (this.count + rows > this.#born.length) this.#grow()
    this.#hashes.set(hashes, this.count * 2)
    for (let i = 0; i < rows; i++) {
      const micros = born[i * 2 + 1]! * 0x100000000 + born[i * 2]!
      this.#born[this.count + i] = micros / 1000
    }
    this.#requests.fill(request, this.count, this.count + rows)
    this.count += rows
  }

  #grow(): void {
    this.#hashes = doubled(this.#hashes)
    this.#born = doubled(this.#born)
    this.#requests = doubled(this.#requests)
  }

  /** Copies of the metadata so far. */
  taken() {
    const { count } = this
    return {
      rows: count,
      hashes: this.#hashes.slice(0, count * 2),
      born: this.#born.slice(0, count),
      requests: this.#requests.slice(0, count),
    }
  }
}

function append(key: Buffer, at: number, source: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) key[at++] = source[i]!
  return at
}
