/**
 * Gives the places of a model's nodes that live requests leave free to background requests, in turns between their
 * owners, and takes places back when live requests need them. Pure bookkeeping.
 */
import { Counts } from '../../../platform/fairness/counts.js'

/** The places of a model's nodes, and who takes them. */
export interface Places {
  all: number
  /** live requests of this process, waiting ones included */
  live: number
  /** requests of all processes, as the nodes last announced */
  busy: number
  /** of those, the ones that wait for a place */
  waiting: number
}

/** A place. Release it when the request is over. */
export interface IdleSlot {
  /** aborted when a live request needs the place */
  signal: AbortSignal
  /** idempotent */
  release(): void
}

interface Held {
  owner: string
  taken: AbortController
}

interface Waiting {
  owner: string
  admit: (held: Held) => void
}

interface Model {
  /** the youngest last */
  held: Held[]
  waiting: Waiting[]
  counts: Counts
  /** requests of this process at the last look, which announcements count by now */
  announced: number
}

/** Of so many places one stays free, so that a live request rarely finds all of them taken. */
const SPARE_OF = 8

export class IdleSlots {
  private readonly models = new Map<string, Model>()

  constructor(private readonly places: (model: string) => Places) {}

  /** Waits for an idle place. Call {@link look} regularly: places become idle unnoticed. @throws when `signal` aborts */
  take(model: string, owner: string, signal: AbortSignal): Promise<IdleSlot> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const one = this.models.get(model) ?? { held: [], waiting: [], counts: new Counts(), announced: 0 }
      this.models.set(model, one)
      const leave = () => {
        one.waiting = one.waiting.filter((other) => other !== waiting)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        owner,
        admit: (held) => {
          signal.removeEventListener('abort', leave)
          resolve({ signal: held.taken.signal, release: () => this.release(model, held) })
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      one.waiting.push(waiting)
      this.give(model, one)
    })
  }

  /** A live request was queued: takes places back at once if all are taken. */
  makeRoom(model: string): void {
    const one = this.models.get(model)
    if (!one || one.held.length === 0) return
    const { all, live } = this.places(model)
    this.takeBack(one, live + one.held.length - all)
  }

  /** Takes places back for requests of other processes that wait, and gives idle ones away. */
  look(): void {
    for (const [model, one] of this.models) {
      const { all, live, busy, waiting } = this.places(model)
      this.takeBack(one, Math.min(waiting, busy - all))
      one.announced = live + one.held.length
      this.give(model, one)
      if (one.held.length + one.waiting.length === 0) this.models.delete(model)
    }
  }

  private takeBack(one: Model, count: number): void {
    for (let left = count; left > 0 && one.held.length > 0; left--) {
      const held = one.held.pop()!
      one.counts.add([held.owner], -1)
      held.taken.abort(new Error('A live request needs the place.'))
    }
  }

  private release(model: string, held: Held): void {
    const one = this.models.get(model)
    const at = one?.held.indexOf(held) ?? -1
    if (!one || at < 0) return
    one.held.splice(at, 1)
    one.counts.add([held.owner], -1)
    this.give(model, one)
  }

  private give(model: string, one: Model): void {
    if (one.waiting.length === 0) return
    const { all, live, busy } = this.places(model)
    // Announcements lag behind: a request that has just begun is not among them, one that has just ended still is.
    const elsewhere = Math.max(0, busy - Math.min(one.announced, live + one.held.length))
    const idle = all - Math.floor(all / SPARE_OF) - live - elsewhere
    while (one.held.length < idle && one.waiting.length > 0) {
      const next = one.waiting.reduce((best, other) =>
        one.counts.of(other.owner) < one.counts.of(best.owner) ? other : best,
      )
      one.waiting.splice(one.waiting.indexOf(next), 1)
      const held = { owner: next.owner, taken: new AbortController() }
      one.held.push(held)
      one.counts.add([held.owner], 1)
      next.admit(held)
    }
  }
}
