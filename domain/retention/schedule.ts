/** Deletes expired calls every hour while the process runs. */
import type { Store } from '../../platform/clickhouse/store.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { applyRetention } from './apply.js'

const HOUR_MS = 3_600_000

export class RetentionSchedule {
  private timer: NodeJS.Timeout | undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private readonly deleted
  private readonly failures

  /** @param everyMs from the end of a run to the start of the next */
  constructor(
    private readonly store: Store,
    private readonly log: Log,
    metrics: Metrics,
    private readonly everyMs = HOUR_MS,
  ) {
    this.deleted = metrics.counter('retention_deleted_calls_total', 'Calls deleted by retention.', ['reason'])
    this.failures = metrics.counter('retention_failures_total', 'Failed deletes by retention.')
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.once().finally(() => {
        if (!this.stopping.signal.aborted) this.start()
      })
    }, this.everyMs)
    this.timer.unref()
  }

  /** A delete in progress continues in the store. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.stopping.abort()
    await this.running
  }

  private async once(): Promise<void> {
    try {
      for (const { reason, rows } of await applyRetention(this.store, { signal: this.stopping.signal })) {
        this.deleted.inc({ reason }, rows.calls)
        this.log.info({ reason, ...rows }, 'deleted expired calls')
      }
    } catch (error) {
      if (this.stopping.signal.aborted) return
      this.failures.inc()
      this.log.warn({ err: error }, 'could not delete expired calls; retrying in an hour')
    }
  }
}
