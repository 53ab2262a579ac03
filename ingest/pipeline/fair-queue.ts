/**
 * A queue that tenants share by weight (deficit round robin): while others wait, an entity with a long queue gets its
 * part of each batch and no more, however many projects it has; within an entity, projects take turns by item.
 */
import type { Tenant } from './tenant.js'

/** Weight an entity may take in one turn. */
const QUANTUM = 256 * 1024

interface Project<Item> {
  readonly name: string
  /** not yet taken, from `next` on */
  items: Item[]
  next: number
}

interface Entity<Item> {
  readonly name: string
  /** the next one first */
  readonly projects: Project<Item>[]
  readonly byName: Map<string, Project<Item>>
  credit: number
}

export class FairQueue<Item> {
  private readonly byName = new Map<string, Entity<Item>>()
  /** the next one first */
  private readonly entities: Entity<Item>[] = []
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

  push(tenant: Tenant, item: Item): void {
    let entity = this.byName.get(tenant.entity)
    if (!entity) {
      entity = { name: tenant.entity, projects: [], byName: new Map(), credit: 0 }
      this.byName.set(entity.name, entity)
      this.entities.push(entity)
    }
    let project = entity.byName.get(tenant.project)
    if (!project) {
      project = { name: tenant.project, items: [], next: 0 }
      entity.byName.set(project.name, project)
      entity.projects.push(project)
    }
    project.items.push(item)
    this.count++
    this.sum += this.weightOf(item)
  }

  /** Up to `limit` of weight, at least one item if there is any; of each project in the order it came. */
  take(limit: number): Item[] {
    const taken: Item[] = []
    let left = limit
    while (this.entities.length > 0) {
      const entity = this.entities[0]!
      entity.credit += QUANTUM
      for (let project = entity.projects[0]; project !== undefined; project = entity.projects[0]) {
        const item = project.items[project.next]!
        const weight = this.weightOf(item)
        // What is larger than a whole batch would wait for ever: it goes alone.
        if (weight > left && taken.length > 0) {
          // It is first in the next batch, without the credit that this visit gave.
          entity.credit = Math.max(0, entity.credit - QUANTUM)
          return taken
        }
        if (weight > entity.credit) break
        entity.credit -= weight
        left -= weight
        this.remove(entity, project, weight)
        taken.push(item)
      }
      this.entities.shift()
      // Who has nothing to do saves up no credit.
      if (entity.projects.length === 0) this.byName.delete(entity.name)
      else this.entities.push(entity)
    }
    return taken
  }

  /** Up to `limit` of weight of the first entity whose next item may be taken: what `may` says no to stays, and what is behind it. */
  takeOfOne(limit: number, may: (item: Item) => boolean): Item[] {
    const taken: Item[] = []
    let left = limit
    const next = ({ projects: [project] }: Entity<Item>): Item | undefined => {
      const item = project?.items[project.next]
      return item !== undefined && this.weightOf(item) <= left && may(item) ? item : undefined
    }
    const at = this.entities.findIndex((entity) => next(entity) !== undefined)
    const entity = this.entities[at]
    if (!entity) return taken
    for (let item = next(entity); item !== undefined; item = next(entity)) {
      const weight = this.weightOf(item)
      left -= weight
      this.remove(entity, entity.projects[0]!, weight)
      taken.push(item)
    }
    if (entity.projects.length > 0) return taken
    this.entities.splice(at, 1)
    this.byName.delete(entity.name)
    return taken
  }

  /** Removes the first item of `project`, which is the entity's first. */
  private remove(entity: Entity<Item>, project: Project<Item>, weight: number): void {
    this.sum -= weight
    this.count--
    rotate(entity, project)
  }
}

/** Moves on past the first item of `project`, which is the entity's first. */
function rotate<Item>(entity: Entity<Item>, project: Project<Item>): void {
  project.next++
  entity.projects.shift()
  if (project.next === project.items.length) entity.byName.delete(project.name)
  else entity.projects.push(project)
  if (project.next > 512 && project.next * 2 > project.items.length) {
    project.items = project.items.slice(project.next)
    project.next = 0
  }
}
