/**
 * Runs the batches that have not ended, in the service's own process: each in one process at a time, under a lease that
 * another takes over soon after its holder died. The tables hold the work.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { asCaller, service } from '../../platform/fairness/caller.js'
import { RenewedLease } from '../../platform/leases/renewed-lease.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { type BatchRow, openBatches } from './batch-table.js'
import { BatchRun, Ending, type RunParts } from './run.js'

/** How often the tables are read, and places looked for that became idle. */
const POLL_MS = 1000
const CLEAN_MS = 3_600_000
/** Most batches that one process runs at once; the others wait. */
const MOST = 500
/** How long a batch rests that was interrupted. */
const REST_MS = 2000

export class BatchRunner {
  private readonly running = new Map<string, BatchRun | undefined>()
  private readonly stopping = new AbortController()
  private readonly timers: NodeJS.Timeout[] = []
  private works: Promise<void>[] = []
  private polling = false
  private open = 0

  constructor(
    private readonly parts: RunParts,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    metrics.gauge('batches_open', 'Batches that have not ended.', () => this.open)
    metrics.gauge('batches_running', 'Batches that this process runs.', () => this.running.size)
  }

  start(): void {
    this.timers.push(
      setInterval(() => this.poll(), POLL_MS),
      setInterval(() => this.parts.chat.idle.look(), POLL_MS),
      setInterval(() => void this.clean(), CLEAN_MS),
    )
  }

  /** Stops what runs; another process goes on with it, or this one when it is back. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    this.stopping.abort(new Error('This process is stopping.'))
    await Promise.all(this.works)
  }

  /** Reads the tables now: a batch was created or changed. */
  poll(): void {
    if (this.polling || this.stopping.signal.aborted) return
    this.polling = true
    const look = () =>
      this.look()
        .catch((error: unknown) => this.log.debug({ err: error }, 'could not read the batches'))
        .finally(() => {
          this.polling = false
        })
    void asCaller(service('batches'), look)
  }

  private async look(): Promise<void> {
    const open = await openBatches(this.parts.store)
    this.open = open.length
    for (const row of open) {
      if (this.running.has(row.id)) {
        if (row.status === 'cancelling') this.running.get(row.id)?.end(new Ending('cancelled'))
      } else if (this.running.size < MOST && !this.stopping.signal.aborted) this.begin(row)
    }
  }

  private begin(row: BatchRow): void {
    this.running.set(row.id, undefined)
    const work = this.run(row)
      .catch((error: unknown) => {
        const { signal } = this.stopping
        if (signal.aborted) return
        this.log.warn({ err: error, batch: row.id }, 'a batch was interrupted; will go on')
        return pause(REST_MS, undefined, { signal }).catch(() => undefined)
      })
      .finally(() => {
        this.running.delete(row.id)
        this.works = this.works.filter((one) => one !== work)
      })
    this.works.push(work)
  }

  private async run(row: BatchRow): Promise<void> {
    const lease = await RenewedLease.take(this.parts.chat.dispatcher.redis, `batch ${row.id}`)
    if (!lease) return
    try {
      const run = new BatchRun(this.parts, row, AbortSignal.any([this.stopping.signal, lease.signal]))
      this.running.set(row.id, run)
      await run.toItsEnd()
      this.log.info({ batch: row.id }, 'a batch has ended')
    } finally {
      await lease.release()
    }
  }

  private async clean(): Promise<void> {
    await this.parts.leases
      .hold('batch-files-cleaning', () => this.parts.files.clean())
      .catch((error: unknown) => this.log.warn({ err: error }, 'could not remove expired files; will retry'))
  }
}
