/**
 * Reconciles what was left between the two steps of a write: all of it at the start, halves every so often, what is owed as
 * soon as the store is there, and what several processes stored. In the background, a little at a time.
 */
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { VersionClock } from '../../platform/time/versions.js'
import type { CallChange } from '../merge/call-change.js'
import type { Inheritance } from '../merge/inheritance.js'
import type { JoinedHalves } from '../merge/joined-halves.js'
import {
  announced,
  answeredTwice,
  changesOf,
  doubled,
  hasWrites,
  joinedLogs,
  leftOvers,
  misnamed,
  outlived,
  uninherited,
  unjoined,
  waitingLogs,
} from '../merge/unreconciled.js'
import type { Unsettled } from '../merge/unsettled.js'
import { recentParts } from './preload.js'
import type { ReconcileBacklog } from './reconcile-backlog.js'
import type { ReconcileQueue } from './reconcile-queue.js'
import { isStoresFault, type StoreGate } from './store-gate.js'
import type { WriterElection } from './writer-election.js'

const INTERVAL_MS = 30_000
const OWED_MS = 500
const GROUP = 500
const MEET_MS = 10_000
const FORGET_MS = 5_000
/** Halves of calls that were joined stay for so long. */
const JOINED_MS = 1_000
/** A row is reconciled so many seconds after it was announced, or the process that announced it is gone. */
const GONE = 300
/** Writes take shorter than this; what is older was left. In µs. */
const LEFT = 5e6
/** A span comes within this after the last of its log records, or these are shown by themselves. In µs. */
const LONE = 600e6
/** A span isn't sent again later than this, in µs. */
const SENT_AGAIN = 3600e6
/** A row is there so much after it was given its version, at most; clocks may differ. In µs. */
const LATE = 300e6

/** A span inherits from an ancestor that is stored within this time of it, in s. */
const INHERIT_WITHIN = 3600
/** Batches with older versions may still be stored for this long, in µs. */
const UNDER_WAY = 30e6
/** Pause between two searches for such spans, as a multiple of what the last one took. */
const REST = 50

export interface ReconcilerParts {
  readonly store: Store
  readonly queue: ReconcileQueue
  readonly backlog: ReconcileBacklog
  readonly unsettled: Unsettled
  readonly joined: JoinedHalves
  readonly inheritance: Inheritance
  readonly gate: StoreGate
  readonly clock: VersionClock
  readonly log: Log
  /** undefined: no other process writes to this store */
  readonly writers: WriterElection | undefined
}

export class Reconciler {
  private timers: NodeJS.Timeout[] = []
  private running: Promise<void> = Promise.resolve()
  /** apart from the rest, which a large trace would hold up */
  private inheriting: Promise<void> = Promise.resolve()
  private stopping = false
  /** until when what others stored was looked at, as `performance.now()` */
  private lookedAt = performance.now()
  /** versions below this were searched for spans that inherit */
  private searchedTo = 0
  /** when the next search may begin, as `performance.now()` */
  private nextSearch = 0
  /** what was announced until then is there once, since the last look (seconds, the store's clock) */
  private once: number | undefined

  constructor(private readonly parts: ReconcilerParts) {}

  /**
   * Resolves when what was left before the start is reconciled.
   * @param twice finds calls that may be stored twice; asked once
   */
  async start(twice: () => Promise<CallChange[]>): Promise<void> {
    this.running = this.logged(async () => {
      // However fresh: their writer may have been killed a moment ago.
      await this.halves(0)
      await this.until(() => outlived(this.parts.store))
      await this.announced(this.parts.writers ? GONE : 0)
      await this.logs()
      await this.reconcile(await twice())
    })
    await this.running
    if (this.stopping) return
    this.inherit()
    if (this.parts.writers) {
      const writers = this.parts.writers
      this.next(() => this.doubles(writers))
      this.timers.push(setInterval(() => this.next(() => this.doubles(writers)), MEET_MS))
    }
    this.timers.push(
      setInterval(() => {
        this.next(async () => {
          await this.debts(true)
          const { open, unsettled } = await leftOvers(this.parts.store)
          if (open > 0) await this.halves(LEFT)
          if (unsettled > 0) await this.announced(GONE)
          if (open > 0) await this.logs()
        })
      }, INTERVAL_MS),
      setInterval(() => this.inherit(), INTERVAL_MS),
      setInterval(() => this.next(() => this.parts.joined.drop()), JOINED_MS),
      setInterval(() => this.next(() => this.parts.unsettled.forget()), FORGET_MS),
      setInterval(() => {
        if (this.parts.backlog.waiting > 0 && !this.parts.gate.away) this.next(() => this.debts(false))
      }, OWED_MS),
    )
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const timer of this.timers) clearInterval(timer)
    await Promise.all([this.running, this.inheriting])
    await this.parts.joined.drop().catch(() => undefined)
    await this.parts.writers?.leave().catch(() => undefined)
  }

  private next(run: () => Promise<void>): void {
    this.running = this.running.then(() => this.logged(run))
  }

  private inherit(): void {
    this.inheriting = this.inheriting.then(() => this.logged(() => this.inheritance()))
  }

  private async debts(again: boolean): Promise<void> {
    const changes = this.parts.backlog.take(again)
    for (const some of pieces(changes, GROUP)) {
      try {
        await this.reconcile(some)
      } catch (error) {
        if (isStoresFault(error)) this.parts.backlog.add(some)
        // One of them is too much for the store; the others can be reconciled without it.
        else for (const one of some) await this.logged(() => this.reconcile([one]))
      }
    }
    if (changes.length > 0)
      this.parts.log.info({ calls: changes.length }, 'looked at calls whose writes had failed')
  }

  /** The others know the ids that they stored themselves; one process looks for those that several of them did. */
  private async doubles(writers: WriterElection): Promise<void> {
    const now = performance.now()
    if ((await writers.meet()) === 'first') {
      const seconds = Math.ceil((now - this.lookedAt + MEET_MS) / 1000)
      const newest = sql`ver >= ${bind.uint(this.parts.clock.reserve(1) - LATE)}`
      const recent = sql`${await recentParts(this.parts.store, seconds)} AND ${newest}`
      await this.reconcile(await misnamed(this.parts.store, recent))
      for await (const changes of doubled(this.parts.store, recent)) {
        await this.reconcile(changes)
        this.parts.log.info({ calls: changes.length }, 'reconciled calls that several processes had stored')
      }
    }
    this.lookedAt = now
  }

  /**
   * Spans are given what they have of ancestors that came in other requests, and answers that spans of several requests
   * tell of count once. One process does it for all.
   */
  private async inheritance(): Promise<void> {
    const { store, clock, writers } = this.parts
    let begun = performance.now()
    if (begun < this.nextSearch) return
    const now = clock.reserve(1)
    const oldest = now - INHERIT_WITHIN * 1e6
    const since = Math.max(this.searchedTo, oldest)
    if ((await writers?.meet()) !== 'another' && (await hasWrites(store, since))) {
      const stored = sql`${await recentParts(store, INHERIT_WITHIN)} AND ver >= ${bind.uint(oldest)}`
      for (const found of [uninherited(store, stored, since), answeredTwice(store, stored, since)])
        for await (const traces of found) {
          const paused = performance.now()
          await this.parts.inheritance.settle(traces, () => this.stopping)
          if (this.stopping) return
          // However long that was, what others wait for is looked for as soon as ever.
          begun += performance.now() - paused
          this.parts.log.info({ traces: traces.length }, 'spans inherited from ancestors of other requests')
        }
    }
    this.searchedTo = now - UNDER_WAY
    this.nextSearch = performance.now() + REST * (performance.now() - begun)
  }

  private async reconcile(changes: readonly CallChange[]): Promise<void> {
    for (const some of pieces(changes, GROUP)) if (!this.stopping) await this.parts.queue.reconcile(some)
  }

  /** @param age of halves that were left, in µs */
  private halves(age: number): Promise<boolean> {
    return this.until(() => unjoined(this.parts.store, this.parts.clock.reserve(1) - age))
  }

  /** Joins log records whose spans another process stored, shows those whose spans don't come, and forgets old ones. */
  private async logs(): Promise<void> {
    const { store, clock } = this.parts
    const now = clock.reserve(1)
    await this.reconcile(changesOf(await waitingLogs(store, now - LONE, now), 'log'))
    await this.reconcile(changesOf(await waitingLogs(store, 0, now - LONE), 'lone'))
    await this.until(async () => changesOf(await joinedLogs(store, now - SENT_AGAIN), 'joined'))
  }

  /** Reconciles what any process announced `seconds` ago. */
  private async announced(seconds: number): Promise<void> {
    const { store, unsettled, joined } = this.parts
    const now = await store.row<{ now: number }>(sql`SELECT toUnixTimestamp(now()) AS now`)
    const moment = now!.now - seconds
    const allOnce = await this.until(() => announced(store, moment))
    // Halves that were joined are still there, and counted unless readers know of them.
    await joined.drop()
    if (!allOnce) return
    // A statement may have read the rows that have just gone, and looks at what was announced last.
    if (this.once !== undefined) await unsettled.forgetBefore(this.once)
    this.once = moment
  }

  /**
   * Finds and reconciles until nothing is found that was not found before.
   * @returns false if something is left
   */
  private async until(find: () => Promise<CallChange[]>): Promise<boolean> {
    let last = ''
    while (!this.stopping) {
      const changes = await find()
      if (changes.length === 0) return true
      const found = changes.map(({ id }) => id).join()
      if (found === last) return false
      last = found
      await this.parts.queue.reconcile(changes)
      // Else they would be found again, in the place of those behind them.
      await this.parts.joined.drop()
      this.parts.log.info({ calls: changes.length }, 'reconciled calls that were left between two steps')
    }
    return false
  }

  private async logged(run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (!this.stopping) this.parts.log.warn({ err: error }, 'calls could not be reconciled; trying again')
    }
  }
}
