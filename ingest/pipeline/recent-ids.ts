/**
 * Which ids were written lately: two generations of fingerprints in open-addressed tables. An id that is not found was
 * surely not written since {@link RecentIds.since}; one that is found almost surely was. Fixed memory.
 */

import { hashesOf, SPAN_ID_LENGTH } from './id-hash.js'

/** Ids of clients whose clocks are ahead that are kept until their time comes. */
const AHEAD = 100_000

/** Filled beyond this, a generation becomes the older one. */
const LOAD = 0.7

/** An empty slot; a fingerprint that would be 0 is stored as 1. */
const EMPTY = 0

class Generation {
  readonly slots: Uint32Array
  count = 0

  constructor(
    size: number,
    /** ms since the epoch from which on every id is in here or in a later generation */
    public since: number,
  ) {
    this.slots = new Uint32Array(size)
  }

  /** Index of the slot that holds the fingerprint, or of the empty one where it would go. */
  find(at: number, print: number): number {
    const { slots } = this
    const mask = slots.length - 1
    let index = at & mask
    while (slots[index] !== EMPTY && slots[index] !== print) index = (index + 1) & mask
    return index
  }
}

export class RecentIds {
  /** how many ids are surely kept */
  readonly capacity: number
  private current: Generation
  private previous: Generation
  /** Ids that say they were made later than now, by their hashes, and when (ms since the epoch). */
  private readonly ahead = new Map<string, { hash: number; print: number; born: number }>()

  /**
   * @param capacity ids a generation holds at least; rounded up so that the table's size is a power of two, of
   *   4 bytes a slot, twice
   * @param now ms since the epoch
   */
  constructor(
    capacity: number,
    private readonly now: () => number = Date.now,
  ) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(capacity, 16) / LOAD))
    this.capacity = Math.floor(size * LOAD)
    this.current = new Generation(size, now())
    this.previous = new Generation(size, now())
  }

  /** ms since the epoch: ids written later than this are known for sure. -Infinity: all ids are. */
  get since(): number {
    return this.previous.since
  }

  /**
   * Keeps an id that was added, and that says it was made at `born`, in the time to come: when that time has come, it
   * would otherwise count as written after {@link RecentIds.since} although it was written, and forgotten, before.
   */
  keepUntil(born: number, hash: number, print: number): void {
    if (this.ahead.size < AHEAD) this.ahead.set(`${hash} ${print}`, { hash, print, born })
  }

  /** Says that everything written since `ms` was added (after a preload). */
  coverFrom(ms: number): void {
    this.previous.since = Math.min(this.previous.since, ms)
  }

  /** Adds the id with these hashes; true if it (or, once in billions, another one) was there. */
  add(hash: number, print: number): boolean {
    const key = print >>> 0 || 1
    const slot = this.current.find(hash, key)
    const { slots } = this.current
    if (slots[slot] === key) return true
    const { previous } = this
    const before = previous.count > 0 && previous.slots[previous.find(hash, key)] === key
    // An id of the older generation moves into the newer one, so that what is repeated stays known.
    slots[slot] = key
    if (++this.current.count > slots.length * LOAD) this.turn()
    return before
  }

  /**
   * True if the call may have been written since {@link RecentIds.since}.
   * @param projectId internal @param traceId of a span; undefined: nobody knows
   */
  mayHave(projectId: string, id: string, traceId: string | undefined): boolean {
    if (this.has(...hashesOf(projectId, id))) return true
    if (Buffer.byteLength(id) !== SPAN_ID_LENGTH) return false
    return traceId === undefined || this.has(...hashesOf(projectId, id, traceId))
  }

  /** True if the id with these hashes (or, once in billions, another one) was added, of as many as are kept. */
  private has(hash: number, print: number): boolean {
    const key = print >>> 0 || 1
    return [this.current, this.previous].some(
      (generation) => generation.slots[generation.find(hash, key)] === key,
    )
  }

  private turn(): void {
    const { previous } = this
    this.previous = this.current
    previous.slots.fill(EMPTY)
    previous.count = 0
    previous.since = this.now()
    this.current = previous
    for (const [key, { hash, print, born }] of this.ahead)
      if (born > this.since) this.put(hash, print)
      else this.ahead.delete(key)
  }

  private put(hash: number, print: number): void {
    const key = print >>> 0 || 1
    const slot = this.current.find(hash, key)
    if (this.current.slots[slot] === key) return
    this.current.slots[slot] = key
    this.current.count++
  }
}
