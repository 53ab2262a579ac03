/**
 * Work that waits, taken in turns by weight (deficit round robin): an entity with a long queue gets its part of every
 * batch and no more while others wait, whatever the number of its projects; within it projects take turns by item. Knows
 * nothing of what the work is.
 */

/** Weight an entity may take in one turn. */
const QUANTUM = 256 * 1024

/** Whose turn something takes. */
export interface Turn {
  readonly entity: string
  /** a project of the entity, or a key where none is known */
  readonly part: string
}

interface Part<Item> {
  readonly name: string
  /** not yet taken, from `next` on */
  items: Item[]
  next: number
}

interface Waiting<Item> {
  readonly entity: string
  /** whose turn it is within it, in order */
  readonly parts: Part<Item>[]
  readonly byName: Map<string, Part<Item>>
  credit: number
}

export class FairQueue<Item> {
  private readonly byEntity = new Map<string, Waiting<Item>>()
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

  push({ entity, part: name }: Turn, item: Item): void {
    let waiting = this.byEntity.get(entity)
    if (!waiting) {
      waiting = { entity, parts: [], byName: new Map(), credit: 0 }
      this.byEntity.set(entity, waiting)
      this.turns.push(waiting)
    }
    let part = waiting.byName.get(name)
    if (!part) {
      part = { name, items: [], next: 0 }
      waiting.byName.set(name, part)
      waiting.parts.push(part)
    }
    part.items.push(item)
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
      for (let part = waiting.parts[0]; part !== undefined; part = waiting.parts[0]) {
        const item = part.items[part.next]!
        const weight = this.weightOf(item)
        // What is larger than a whole batch would wait for ever: it goes alone.
        if (weight > left && taken.length > 0) {
          // Who was cut off keeps the turn, without the credit that this visit gave.
          waiting.credit = Math.max(0, waiting.credit - QUANTUM)
          return taken
        }
        if (weight > waiting.credit) break
        waiting.credit -= weight
        left -= weight
        this.sum -= weight
        this.count--
        taken.push(item)
        rotate(waiting, part)
      }
      this.turns.shift()
      // Credit is not saved up by who has nothing to do.
      if (waiting.parts.length === 0) this.byEntity.delete(waiting.entity)
      else this.turns.push(waiting)
    }
    return taken
  }
}

/** The first item of `part`, which is first, has been taken. */
function rotate<Item>(waiting: Waiting<Item>, part: Part<Item>): void {
  part.next++
  waiting.parts.shift()
  if (part.next === part.items.length) waiting.byName.delete(part.name)
  else waiting.parts.push(part)
  if (part.next > 512 && part.next * 2 > part.items.length) {
    part.items = part.items.slice(part.next)
    part.next = 0
  }
}
