/**
 * Keeps apart what may not happen at the same time to calls of one project: the second steps of writes, grouped over all
 * projects, and changes of stored calls (update, delete), one after the other in a project. Projects don't wait for each
 * other; where changes of many wait, entities take turns. No Batcher: a group leaves out projects in which a call is
 * being changed.
 */
import { AsyncResource } from 'node:async_hooks'
import type { CallChange } from '../merge/call-change.js'
import type { Merged } from '../merge/merge.js'
import { RoundRobin } from './round-robin.js'
import { isStoresFault } from './store-gate.js'
import type { Tenant } from './tenant.js'

interface Work {
  readonly callChanges: readonly CallChange[]
  readonly projects: ReadonlySet<string>
  readonly resolve: (merged: Merged) => void
  readonly reject: (error: unknown) => void
}

interface Change {
  readonly projectId: string
  readonly entity: string
  readonly run: () => Promise<void>
}

/** Calls reconciled by one group of statements at most; more wait for the next. */
const GROUP = 5000
/** Changes under way at once, over all projects. One entity has one less, so that another need not wait for it. */
const CHANGES = 3

export class ReconcileQueue {
  private waiting: Work[] = []
  /** projects of the group that is being reconciled */
  private reconciling: ReadonlySet<string> | undefined
  private readonly changes = new RoundRobin<Change>()
  /** projects in which a change is under way, with their entities */
  private readonly changing = new Map<string, string>()
  /** projects whose second steps waited for a change: they come before the next one */
  private readonly deferred = new Set<string>()
  private planned = false

  /** @param merge reconciles a group */
  constructor(private readonly merge: (callChanges: readonly CallChange[]) => Promise<Merged>) {}

  /** Reconciles the calls of `callChanges`, whose rows are stored, with whatever else waits. */
  reconcile(callChanges: readonly CallChange[]): Promise<Merged> {
    return new Promise((resolve, reject) => {
      const projects = new Set(callChanges.map(({ projectId }) => projectId))
      this.waiting.push({ callChanges, projects, resolve, reject })
      this.plan()
    })
  }

  /**
   * Runs `change` while nothing else changes or reconciles calls of the project.
   * @param tenant whose turn it takes
   */
  change<Result>(projectId: string, tenant: Tenant, change: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      // It may be another request's work that starts it, and it is still charged to its own caller.
      const run = AsyncResource.bind(() => change().then(resolve, reject))
      this.changes.push(tenant, { projectId, entity: tenant.entity, run })
      this.plan()
    })
  }

  /** Starts what may start when this tick has brought all that it brings. */
  private plan(): void {
    if (this.planned) return
    this.planned = true
    queueMicrotask(() => {
      this.planned = false
      this.pump()
    })
  }

  private pump(): void {
    const isFree = (project: string) =>
      !this.changing.has(project) && !this.reconciling?.has(project) && !this.deferred.has(project)
    const has = (entity: string) => [...this.changing.values()].filter((one) => one === entity).length
    while (this.changing.size < CHANGES) {
      const next = this.changes.take(
        ({ projectId, entity }) => isFree(projectId) && has(entity) < CHANGES - 1,
      )
      if (!next) break
      void this.run(next)
    }
    if (this.reconciling) return
    const group = this.nextGroup()
    if (group.length > 0) void this.group(group)
  }

  private async run({ projectId, entity, run }: Change): Promise<void> {
    this.changing.set(projectId, entity)
    await run()
    this.changing.delete(projectId)
    if (this.waiting.some(({ projects }) => projects.has(projectId))) this.deferred.add(projectId)
    this.pump()
  }

  /** What waits of projects in which nothing changes, as much as makes a group. */
  private nextGroup(): Work[] {
    const group: Work[] = []
    const left: Work[] = []
    let size = 0
    for (const work of this.waiting) {
      const fits = size === 0 || size + work.callChanges.length <= GROUP
      if (fits && [...work.projects].every((project) => !this.changing.has(project))) {
        size += work.callChanges.length
        group.push(work)
      } else left.push(work)
    }
    this.waiting = left
    return group
  }

  private async group(group: readonly Work[]): Promise<void> {
    this.reconciling = new Set(group.flatMap(({ projects }) => [...projects]))
    for (const project of this.reconciling) this.deferred.delete(project)
    try {
      const merged = await this.merge(group.flatMap(({ callChanges }) => callChanges))
      for (const work of group) work.resolve(merged)
    } catch (error) {
      if (isStoresFault(error) || group.length === 1) for (const work of group) work.reject(error)
      // Something in one of them is too much for the store: the others must not suffer for it.
      else for (const work of group) await this.merge(work.callChanges).then(work.resolve, work.reject)
    }
    this.reconciling = undefined
    this.pump()
  }
}
