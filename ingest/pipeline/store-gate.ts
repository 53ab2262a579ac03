/**
 * Whether the store can be reached: work waits a little for it to come back, and what would be refused anyway is
 * refused early.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'
import type { Store } from '../../platform/clickhouse/store.js'
import { isOutOfMemory } from '../../platform/clickhouse/store-error.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'

const PROBE_MS = 100
/** A store that has no room for now is asked again after so long. */
const BUSY_MS = 250

/** The connection was never made, so nothing can have happened. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])

/** Its disk takes nothing, and won't soon. */
const DISK = new Set(['STORE_FULL', 'STORE_DISK_FAILED'])

export class StoreGate {
  private gone = false
  private waiting: (() => void)[] = []
  private probe: NodeJS.Timeout | undefined

  /** @param timeoutMs how long work waits for the store to come back */
  constructor(
    private readonly store: Store,
    private readonly timeoutMs: number,
  ) {}

  /** True while the store can't be reached. */
  get away(): boolean {
    return this.gone
  }

  /**
   * Runs `work`, again if it surely had no effect (or `repeatable` says that doing it twice does no harm) and the
   * store is back, or has room, in time. @throws what `work` throws, `STORE_UNAVAILABLE` (503)
   */
  async run<Result>(work: () => Promise<Result>, repeatable = false): Promise<Result> {
    const until = performance.now() + this.timeoutMs
    for (;;) {
      if (this.gone && !(await this.back(until - performance.now()))) throw errors.unavailable()
      try {
        return await work()
      } catch (error) {
        if (isBusy(error) && performance.now() + BUSY_MS < until) {
          // It is there, and others' work may well fit.
          await sleep(BUSY_MS)
          continue
        }
        if (!isUnavailable(error)) throw error
        this.lose()
        if (!(repeatable || hadNoEffect(error)) || performance.now() >= until) throw error
      }
    }
  }

  /** Stops asking whether the store is there. */
  stop(): void {
    clearTimeout(this.probe)
    this.open()
  }

  private lose(): void {
    if (this.gone) return
    this.gone = true
    this.ask()
  }

  private ask(): void {
    this.probe = setTimeout(async () => {
      const there = await this.store.alive().catch(() => false)
      if (there) this.open()
      else if (this.gone) this.ask()
    }, PROBE_MS)
  }

  private open(): void {
    this.gone = false
    const { waiting } = this
    this.waiting = []
    for (const go of waiting) go()
  }

  /** True when the store is back, false after `ms` without it. */
  private back(ms: number): Promise<boolean> {
    if (ms <= 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms)
      this.waiting.push(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }
}

/** True for the store being away, in distinction to its refusing a statement. */
function isUnavailable(error: unknown): boolean {
  return error instanceof HeddleError && error.code === 'STORE_UNAVAILABLE'
}

/** True for a store that takes nothing from anybody now. */
export function isStoresFault(error: unknown): boolean {
  return isUnavailable(error) || isBusy(error) || (error instanceof HeddleError && DISK.has(error.code))
}

/** True for a store that is there and is too busy for anybody; smaller work would not fare better. */
function isBusy(error: unknown): boolean {
  return error instanceof HeddleError && error.code === 'STORE_BUSY' && !isOutOfMemory(error)
}

function hadNoEffect(error: unknown): boolean {
  const cause = error instanceof HeddleError ? error.extra.cause : undefined
  if (cause instanceof ClickHouseError) return true
  return cause instanceof Error && 'code' in cause && NOT_CONNECTED.has(String(cause.code))
}
