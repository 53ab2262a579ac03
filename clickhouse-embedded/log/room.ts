/**
 * Whether the disk has room for more rows. What was acknowledged needs room for its parts, so inserts are refused while
 * there is still enough of it: reads go on, and deletes can make room. Knows the log only by what it holds.
 */
import { statfs } from 'node:fs/promises'
import { leftFree } from '../../platform/clickhouse/disk-room.js'
import { failure } from '../engine/failure.js'

/** Deletes leave so much of that. */
const LEFT_BY_DELETES = 1 / 16
/** Parts of rows that can't be compressed, with their indexes, to the bytes of these in the log. */
const PART_SIZE = 1.3
/** How long a look at the disk counts. */
const FRESH_MS = 100

export class DiskRoom {
  #left = 0
  #free = Number.POSITIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #isStuck = false
  #waiting = new Set<() => void>()

  constructor(private readonly folder: string) {}

  /** True while the engine can't make parts of what the log holds, for want of room. */
  get isStuck(): boolean {
    return this.#isStuck
  }

  /** The engine could, or could not, make a part. */
  note(isStuck: boolean): void {
    this.#isStuck = isStuck
    if (!isStuck) return
    for (const tell of this.#waiting) tell()
    this.#waiting.clear()
  }

  /** Calls `tell` when the engine can't make a part, at once if that is so now. @returns to be called when it need not */
  whenStuck(tell: () => void): () => void {
    if (this.#isStuck) tell()
    else this.#waiting.add(tell)
    return () => void this.#waiting.delete(tell)
  }

  /**
   * @param bytes of rows that are to be stored
   * @param held bytes in the log that are in no part yet
   * @throws QueryFailure 243 where they would take the room of what is acknowledged
   */
  async check(bytes: number, held: number): Promise<void> {
    if (this.#isStuck) throw noRoom()
    await this.#look()
    this.#free -= bytes
    if (this.#free < this.#left + PART_SIZE * held) throw noRoom()
  }

  /** @throws QueryFailure 243 where not even deletes have room */
  async checkDelete(): Promise<void> {
    await this.#look()
    if (this.#free < this.#left * LEFT_BY_DELETES) throw noRoom()
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#lookedAt < FRESH_MS) return
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  async #ask(): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(this.folder)
    this.#left = leftFree(blocks * bsize)
    this.#free = bavail * bsize
    this.#lookedAt = performance.now()
  }
}

export function noRoom(): Error {
  return failure(
    243,
    'NOT_ENOUGH_SPACE',
    'The disk is full; what is left is kept for rows that were acknowledged',
  )
}
