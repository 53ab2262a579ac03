/** Work that one process at a time does again and again, by a lease in Redis; if it dies, another one goes on. */
import type { Redis } from 'ioredis'
import type { ChangeMarks } from '../clickhouse/change-marks.js'
import type { Store } from '../clickhouse/store.js'
import { failFastConnection, whyAway } from '../redis/connection.js'
import type { Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { RepeatedWork } from '../time/repeated-work.js'
import { RenewedLease } from './renewed-lease.js'

/** What work knows of its turn. */
export interface Turn {
  /** false: it has to stop, since another process may do it by now, or this one ends */
  isMine: () => boolean
  /** aborts when this process ends */
  signal: AbortSignal
}

export interface LeasedWorkOptions {
  /** of the lease; undefined: no other process does the work */
  redisUrl: string | undefined
  /** of the lease */
  name: string
  /** from the end of the work to its next start */
  everyMs: number
  /** called while another process may be the one: what is known will be old */
  forget: () => void
  /** called when the lease was taken, before the work */
  taken?: () => Promise<void>
  work: (turn: Turn) => Promise<void>
  /** what the work threw, or Redis did; not while it stops */
  failed: (error: unknown) => void
}

/** What a watch over all projects works with. */
export interface WatchOptions {
  store: Store
  marks: ChangeMarks
  redisUrl: string
  log: Log
  metrics: Metrics
}

export class LeasedWork {
  readonly redis: Redis | undefined
  private readonly repeated: RepeatedWork
  private lease: RenewedLease | undefined

  constructor(private readonly options: LeasedWorkOptions) {
    this.redis = options.redisUrl === undefined ? undefined : failFastConnection(options.redisUrl)
    this.repeated = new RepeatedWork(async (signal) => {
      await this.once(signal).catch((error: unknown) => {
        if (!signal.aborted) options.failed(error)
      })
    }, options.everyMs)
  }

  /** Whether this process is the one, for sure. */
  get isHeld(): boolean {
    return this.lease?.sure ?? false
  }

  /** Why no process does it now, as {@link whyAway}; undefined: one does. */
  async whyNobody(): Promise<string | undefined> {
    return this.redis && whyAway(this.redis)
  }

  start(): void {
    this.repeated.start()
  }

  /** @param idle resolves when nothing is under way any more that the work began */
  async stop(idle: () => Promise<unknown> = async () => undefined): Promise<void> {
    await this.repeated.stop()
    await idle()
    await this.lease?.release()
    this.redis?.disconnect()
  }

  private async once(signal: AbortSignal): Promise<void> {
    if (this.redis === undefined) return this.options.work({ isMine: () => !signal.aborted, signal })
    const lease = this.lease?.sure ? this.lease : await this.take(this.redis)
    if (lease === undefined) return
    await this.options.work({ isMine: () => lease.sure && this.lease === lease && !signal.aborted, signal })
  }

  private async take(redis: Redis): Promise<RenewedLease | undefined> {
    await this.lease?.release()
    this.lease = undefined
    this.options.forget()
    const lease = await RenewedLease.take(redis, this.options.name)
    if (lease === undefined) return undefined
    try {
      await this.options.taken?.()
    } catch (error) {
      await lease.release()
      throw error
    }
    this.lease = lease
    return lease
  }
}
