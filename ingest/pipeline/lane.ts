/**
 * One thing at a time: the second steps of writes, grouped, and changes of stored calls (update, delete) between
 * them. Whatever came while one runs is settled together by the next. Knows no SQL.
 */
import type { Merge, Merged } from '../merge/merge.js'
import type { Touch } from '../merge/touched.js'
import { isBusy, isUnavailable, type StoreGate } from './store-gate.js'

interface Work {
  readonly touches: readonly Touch[]
  readonly resolve: (merged: Merged) => void
  readonly reject: (error: unknown) => void
}

/** Calls settled by one group of statements at most; more wait for the next. */
const GROUP = 5000

export class Lane {
  private tail: Promise<unknown> = Promise.resolve()
  private waiting: Work[] = []

  constructor(
    private readonly merge: Merge,
    private readonly gate: StoreGate,
  ) {}

  /** Settles the calls of `touches`, whose rows are stored, with whatever else waits. */
  settle(touches: readonly Touch[]): Promise<Merged> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ touches, resolve, reject })
      if (this.waiting.length === 1) void this.alone(() => this.group())
    })
  }

  /** Runs `change` while nothing else of this lane runs. */
  alone<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.tail.then(change)
    this.tail = result.catch(() => undefined)
    return result
  }

  private async group(): Promise<void> {
    const group: Work[] = []
    let size = 0
    while (this.waiting.length > 0 && (size === 0 || size + this.waiting[0]!.touches.length <= GROUP)) {
      const work = this.waiting.shift()!
      size += work.touches.length
      group.push(work)
    }
    if (this.waiting.length > 0) void this.alone(() => this.group())
    try {
      const merged = await this.run(group.flatMap(({ touches }) => touches))
      for (const work of group) work.resolve(merged)
    } catch (error) {
      if (isUnavailable(error) || isBusy(error) || group.length === 1)
        for (const work of group) work.reject(error)
      // Something in one of them is too much for the store: the others must not suffer for it.
      else for (const work of group) await this.run(work.touches).then(work.resolve, work.reject)
    }
  }

  private run(touches: readonly Touch[]): Promise<Merged> {
    return this.gate.run(() => this.merge.settle(touches), true)
  }
}
