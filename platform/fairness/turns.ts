/**
 * Turns of accounts on the main thread. Work runs at once while the thread has time; beyond a few milliseconds in one
 * turn of the event loop it waits, and the account that has used the least goes first. Beside others, an account that
 * filled a turn rests as long as that took: else each step of theirs would wait for the end of its work. Notes work that
 * takes long.
 */
import { AsyncResource } from 'node:async_hooks'
import { FairLine } from './fair-line.js'
import { activeAccounts } from './recent-accounts.js'

/** Work in one turn of the event loop, in ms: then connections are read, and answers written. */
const SLICE_MS = 2
/** An account rests no longer than this, in ms, however long its work took. */
const MOST_REST_MS = 10
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
  /** whose work was the last */
  private last = ''
  /** the account that rests, and until when */
  private resting: { account: string; until: number } | undefined
  private timer: NodeJS.Timeout | undefined

  /**
   * @param long called with the name of work that took longer than 50 ms
   * @param hasOthers says whether others than an account ask for work
   */
  constructor(
    private readonly long: (name: string, ms: number) => void = () => undefined,
    private readonly hasOthers = (account: string) => activeAccounts.hasOthers(account),
  ) {}

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
    const isNext = this.resting ? this.resting.account !== account : this.line.length === 0
    if (isNext && this.spent < SLICE_MS) return this.timed(account, name, work)
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
      this.last = account
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
    this.rest()
    this.spent = 0
    this.began = performance.now()
    this.step()
  }

  /** Lets the account rest that has filled the turn, and ends a rest that is over. */
  private rest(): void {
    const now = performance.now()
    if (this.resting && now >= this.resting.until) this.resting = undefined
    if (this.spent >= SLICE_MS && this.hasOthers(this.last))
      this.resting = { account: this.last, until: now + Math.min(this.spent, MOST_REST_MS) }
  }

  private readonly step = () => {
    const found = this.line.take(this.resting?.account)
    if (!found) return this.idle()
    this.timed(found.account, found.item.name, found.item.run)
    // What awaits this work goes on before the next begins: it may be a caller's last step, or its next one in the line.
    if (performance.now() - this.began < SLICE_MS) queueMicrotask(this.afterMicrotasks)
  }

  private readonly afterMicrotasks = () => process.nextTick(this.step)

  /** Nothing waits but the work of the account that rests. */
  private idle(): void {
    if (this.resting === undefined) this.line.forget()
    else this.timer ??= setTimeout(this.wake, this.resting.until - performance.now())
  }

  private readonly wake = () => {
    this.timer = undefined
    this.plan()
  }
}
