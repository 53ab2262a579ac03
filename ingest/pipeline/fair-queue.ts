/**
 * Work that waits, per project, taken in turns by weight (deficit round robin): a project with a long queue gets its
 * part of every batch and no more while others wait. Knows nothing of what the work is.
 */

/** Weight a project may take in one turn. */
const QUANTUM = 256 * 1024

interface Waiting<Item> {
  readonly project: string
  /** not yet taken, from `next` on */
  items: Item[]
  next: number
  credit: number
}

export class FairQueue<Item> {
  private readonly byProject = new Map<string, Waiting<Item>>()
  /** whose turn it is, in order */
  private readonly turns: Waiting<Item>[] = []
  private count = 0
  private sum = 0

  /** @param weightOf what an item costs, in the unit of {@link take}'s limit (bytes) */
  constructor(private readonly weightOf: (item: Item) => number) {}

  get length(): number {
    return this.count
  }

  /** Weight of all that waits. */
  get weight(): number {
    return this.sum
  }

  push(project: string, item: Item): void {
    let waiting = this.byProject.get(project)
    if (!waiting) {
      waiting = { project, items: [], next: 0, credit: 0 }
      this.byProject.set(project, waiting)
      this.turns.push(waiting)
    }
    waiting.items.push(item)
    this.count++
    this.sum += this.weightOf(item)
  }

  /** Up to `limit` of weight, at least one item if there is any; of each project in the order it came. */
  take(limit: number): Item[] {
    const taken: Item[] = []
    let left = limit
    while (this.turns.length > 0) {
      const waiting = this.turns[0]!
      waiting.credit += QUANTUM
      while (waiting.next < waiting.items.length) {
        const item = waiting.items[waiting.next]!
        const weight = this.weightOf(item)
        // What is larger than a whole batch would wait for ever: it goes alone.
        if (weight > left && taken.length > 0) return this.compacted(waiting, taken)
        if (weight > waiting.credit) break
        waiting.credit -= weight
        waiting.next++
        left -= weight
        this.sum -= weight
        this.count--
        taken.push(item)
      }
      this.turns.shift()
      // Credit is not saved up by who has nothing to do.
      if (waiting.next === waiting.items.length) this.byProject.delete(waiting.project)
      else this.turns.push(this.trimmed(waiting))
    }
    return taken
  }

  /** The batch is full: who was cut off keeps the turn, without the credit that this visit gave. */
  private compacted(waiting: Waiting<Item>, taken: Item[]): Item[] {
    waiting.credit = Math.max(0, waiting.credit - QUANTUM)
    this.trimmed(waiting)
    return taken
  }

  private trimmed(waiting: Waiting<Item>): Waiting<Item> {
    if (waiting.next > 512 && waiting.next * 2 > waiting.items.length) {
      waiting.items = waiting.items.slice(waiting.next)
      waiting.next = 0
    }
    return waiting
  }
}
