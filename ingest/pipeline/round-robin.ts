/** A queue in which entities take turns, and within an entity its projects. */
import type { Tenant } from './tenant.js'

interface Project<Item> {
  readonly name: string
  readonly items: Item[]
}

interface Entity<Item> {
  readonly name: string
  /** the next one first */
  readonly projects: Project<Item>[]
}

export class RoundRobin<Item> {
  /** the next one first */
  private readonly entities: Entity<Item>[] = []

  push(tenant: Tenant, item: Item): void {
    const entity = named(this.entities, tenant.entity, () => ({ name: tenant.entity, projects: [] }))
    named(entity.projects, tenant.project, () => ({ name: tenant.project, items: [] })).items.push(item)
  }

  /** Takes the next item that `may` be taken; of a project in the order they came. */
  take(may: (item: Item) => boolean): Item | undefined {
    for (const [i, entity] of this.entities.entries()) {
      const j = entity.projects.findIndex(({ items }) => may(items[0]!))
      if (j < 0) continue
      const [project] = entity.projects.splice(j, 1) as [Project<Item>]
      const item = project.items.shift()!
      if (project.items.length > 0) entity.projects.push(project)
      this.entities.splice(i, 1)
      if (entity.projects.length > 0) this.entities.push(entity)
      return item
    }
    return undefined
  }
}

/** The one of that name, added if there is none. */
function named<T extends { name: string }>(list: T[], name: string, make: () => T): T {
  const known = list.find((one) => one.name === name)
  if (known) return known
  const made = make()
  list.push(made)
  return made
}
