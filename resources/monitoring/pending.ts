/**
 * Debounced matches: calls of a trace or thread that wait until no other one has come for a while, and are then scored as
 * one. Pure; times are given.
 */

export interface Group {
  /** ids, in order; at least one */
  calls: string[]
  /** µs since the epoch, when the first one began */
  began: number
  /** when the last one began */
  lastBegan: number
  /** when the first one was stored */
  stored: number
  /** ms, when the last one came */
  at: number
  /** ms, when the first one came */
  since: number
}

/** Most calls that are scored as one; older ones are left out. */
const MOST_TOGETHER = 200

export class Pending {
  private readonly groups = new Map<string, Group>()

  /** @param group a trace or thread @param now ms */
  add(group: string, id: string, { began, stored }: Pick<Group, 'began' | 'stored'>, now: number): void {
    const known = this.groups.get(group) ?? {
      calls: [],
      began,
      stored,
      lastBegan: began,
      at: now,
      since: now,
    }
    known.began = Math.min(known.began, began)
    known.stored = Math.min(known.stored, stored)
    if (!known.calls.includes(id)) {
      known.calls = [...known.calls, id].slice(-MOST_TOGETHER)
      known.at = now
      known.lastBegan = began
    }
    this.groups.set(group, known)
  }

  /** The groups in which nothing came for so long, by name. */
  quiet(forMs: number, now: number): Map<string, Group> {
    return new Map([...this.groups].filter(([, { at }]) => now - at >= forMs))
  }

  delete(groups: Iterable<string>): void {
    for (const group of groups) this.groups.delete(group)
  }

  get size(): number {
    return this.groups.size
  }

  /** ms, since when the oldest group waits; undefined: none does */
  get oldest(): number | undefined {
    const first = [...this.groups.values()].map(({ since }) => since)
    return first.length === 0 ? undefined : Math.min(...first)
  }
}
