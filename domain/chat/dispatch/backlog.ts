/** Counts this process's waiting requests, and measures how fast workers take them. Pure counting. */
import { Counts } from '../../../platform/fairness/counts.js'
import type { Submitter } from './fair-queue.js'

/** The rate is measured over this window. */
const MEMORY_MS = 10_000

type Who = Partial<Pick<Submitter, 'entity' | 'key'>>

export class Backlog {
  private readonly counts = new Counts()
  private readonly takings = new Map<string, number[]>()

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {}

  queued(model: string, submitter: Submitter): void {
    this.count(model, submitter, 1)
  }

  /** A worker took a request. */
  taken(model: string, submitter: Submitter): void {
    this.left(model, submitter)
    const times = this.recent(model)
    times.push(this.now())
    this.takings.set(model, times)
  }

  /** A request left the queue. */
  left(model: string, submitter: Submitter): void {
    this.count(model, submitter, -1)
  }

  /** Waiting requests of a model, or of one entity or key among them. */
  waiting(model: string, who: Who = {}): number {
    return this.counts.of(nameOf(model, who))
  }

  /** Estimated seconds until a queue of `length` is served, 1 to 30. */
  secondsFor(model: string, length: number): number {
    const rate = this.recent(model).length / (MEMORY_MS / 1000)
    return Math.min(30, Math.max(1, Math.ceil(rate > 0 ? length / rate : 5)))
  }

  clear(): void {
    this.counts.clear()
  }

  private count(model: string, { entity, key }: Submitter, change: number): void {
    const names = [{}, { entity }, { key }].map((who) => nameOf(model, who))
    this.counts.add(names, change)
  }

  private recent(model: string): number[] {
    const since = this.now() - MEMORY_MS
    const times = this.takings.get(model) ?? []
    const first = times.findIndex((time) => time >= since)
    return first < 0 ? [] : times.slice(first)
  }
}

function nameOf(model: string, { entity, key }: Who): string {
  return JSON.stringify([model, entity ?? null, key ?? null])
}
