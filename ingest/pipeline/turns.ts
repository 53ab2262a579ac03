/**
 * Things that wait, of entities that take turns, and within an entity of parts that do. Knows nothing of what they are.
 */

interface Part<Item> {
  readonly name: string
  readonly items: Item[]
}

interface Entity<Item> {
  readonly name: string
  /** whose turn it is within the entity, in order */
  readonly parts: Part<Item>[]
}

export class Turns<Item> {
  /** whose turn it is, in order */
  private readonly entities: Entity<Item>[] = []

  push(entity: string, part: string, item: Item): void {
    const own = found(this.entities, entity, () => ({ name: entity, parts: [] }))
    found(own.parts, part, () => ({ name: part, items: [] })).items.push(item)
  }

  /** The next one that `may` be taken; of a part in the order they came. Whoever had a turn comes last. */
  take(may: (item: Item) => boolean): Item | undefined {
    for (const [i, entity] of this.entities.entries()) {
      const j = entity.parts.findIndex(({ items }) => may(items[0]!))
      if (j < 0) continue
      const [part] = entity.parts.splice(j, 1) as [Part<Item>]
      const item = part.items.shift()!
      if (part.items.length > 0) entity.parts.push(part)
      this.entities.splice(i, 1)
      if (entity.parts.length > 0) this.entities.push(entity)
      return item
    }
    return undefined
  }
}

function found<T extends { name: string }>(list: T[], name: string, make: () => T): T {
  const there = list.find((one) => one.name === name)
  if (there) return there
  const made = make()
  list.push(made)
  return made
}
