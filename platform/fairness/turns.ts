/**
 * Turns of accounts on the main thread. Work runs at once while the thread has time; beyond a few milliseconds in one
 * turn of the event loop it waits, and the account that has used the least goes first. Notes work that takes long.
 */
import { AsyncResource } from 'node:async_hooks'
import { FairLine } from './fair-line.js'

/** Work in one turn of the event loop, in ms: then connections are read, and answers written. */
const SLICE_MS = 2
/** Work that takes longer is noted. */
const LONG_MS = 50

interface Waiting {
  name: string
  run: () => void
}

export class Turns {
  private readonly line = new FairLine<Waiting>()
  /** ms of work in this turn of the event loop */
  private spent = 0
  private planned = false
  /** when this turn's work from the line began */
  private began = 0

  /** @param long called with the name of work that took longer than 50 ms */
  constructor(private readonly long: (name: string, ms: number) => void = () => undefined) {}

  /** Number of pieces of work that wait. */
  get waiting(): number {
    return this.line.length
  }

  /**
   * Runs `work` in the turn of `account`, at once if the thread has time. Only its synchronous part counts.
   * @param name tells it from other work
   * @returns what it returns, or a promise of that
   */
  run<T>(account: string, name: string, work: () => T): T | Promise<Awaited<T>> {
    if (this.line.length === 0 && this.spent < SLICE_MS) return this.timed(account, name, work)
    return new Promise<Awaited<T>>((resolve, reject) => {
      const run = AsyncResource.bind(() => {
        try {
          resolve(work() as Awaited<T>)
        } catch (error) {
          reject(error)
        }
      })
      this.line.push(account, { name, run })
      this.plan()
    })
  }

  private timed<T>(account: string, name: string, work: () => T): T {
    const began = performance.now()
    try {
      return work()
    } finally {
      const ms = performance.now() - began
      this.spent += ms
      this.line.charge(account, ms)
      if (ms > LONG_MS) this.long(name, ms)
      this.plan()
    }
  }

  private plan(): void {
    if (this.planned) return
    this.planned = true
    setImmediate(this.next)
  }

  private readonly next = () => {
    this.planned = false
    this.spent = 0
    this.began = performance.now()
    this.step()
  }

  private readonly step = () => {
    const found = this.line.take()
    if (!found) return this.line.forget()
    this.timed(found.account, found.item.name, found.item.run)
    // What awaits this work goes on before the next begins: it may be a caller's last step, or its next one in the line.
    if (performance.now() - this.began < SLICE_MS) queueMicrotask(this.afterMicrotasks)
  }

  private readonly afterMicrotasks = () => process.nextTick(this.step)
}
