/**
 * Halves that became part of whole calls. They go a moment after that, those of many requests at once: a patch costs 16 ms
 * of processor however few rows it takes away. Until then readers know by what was announced that the call is there once.
 * What a killed process leaves is found by the next look for halves.
 */
import { type Leaving, noteMoved } from '../../domain/calls/moved.js'
import type { ExpectedRow } from '../../domain/calls/unsettled.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { dropHalves, type StoredHalf } from './stored.js'
import type { Unsettled } from './unsettled.js'

interface Joined {
  readonly halves: readonly StoredHalf[]
  /** those of which the call now begins at another time */
  readonly moved: readonly Leaving[]
  /** what was announced of the calls */
  readonly expected: readonly ExpectedRow[]
}

export class JoinedHalves {
  private waiting: Joined[] = []

  constructor(
    private readonly store: Store,
    private readonly unsettled: Unsettled,
  ) {}

  /** Keeps halves whose calls are stored. */
  add(joined: Joined): void {
    if (joined.halves.length > 0) this.waiting.push(joined)
  }

  /** Takes away all that wait. */
  async drop(): Promise<void> {
    const some = [...this.waiting]
    if (some.length === 0) return
    // Lists know which calls were elsewhere by their rows.
    await noteMoved(
      this.store,
      some.flatMap(({ moved }) => moved),
    )
    await dropHalves(
      this.store,
      some.flatMap(({ halves }) => halves),
    )
    this.waiting = this.waiting.slice(some.length)
    this.unsettled.release(some.flatMap(({ expected }) => expected))
  }
}
