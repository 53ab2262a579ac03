/**
 * Sends lines of the audit log to the operator's webhook, each at least once and those of a chain in order. One process at
 * a time does it, by a lease; another one goes on from what was kept. What does not arrive is tried again for as long as
 * it takes.
 */

import { wireLine } from '../../domain/audit/formats.js'
import type { AuditLine } from '../../domain/audit/line.js'
import { keepCursors, linesAfter } from '../../domain/audit/table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { derivedId } from '../../platform/ids/derived.js'
import { LeasedWork, type Turn } from '../../platform/leases/leased-work.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import { waitAfter } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { type Outgoing, signedRequest } from '../notifications/requests.js'

export interface AuditStreamOptions {
  url: string
  /** `whsec_` and base64 */
  secret: string
  /** private networks that may be reached */
  allowPrivate: readonly string[]
  /** of the lease; undefined: no other process sends */
  redisUrl: string | undefined
  log: Log
  metrics: Metrics
}

const TICK_MS = 1000
const LINES = 200
const PATIENCE_MS = 15_000
const WAITS = { firstMs: 1000, longestMs: 300_000 }
/** Clocks of processes differ by less, and a line is readable so long after its time. */
const OVERLAP_US = 3600e6
/** Everything is looked at so often. */
const WHOLE_US = 600e6

export class AuditStream {
  private readonly work: LeasedWork
  private readonly outbound: Outbound
  private tries = 0
  /** performance.now() */
  private notBefore = 0
  /** µs since the epoch: all that was written before has arrived */
  private doneUntil = 0
  private wholeAt = 0
  /** µs since the epoch: of the oldest line that is to be sent; 0: there is none */
  private oldest = 0
  private readonly sent
  private readonly failures

  constructor(
    private readonly store: Store,
    private readonly options: AuditStreamOptions,
  ) {
    const { allowPrivate, redisUrl, metrics } = options
    this.outbound = new Outbound({ allowPrivate, timeoutMs: PATIENCE_MS, maxRedirects: 0 })
    this.sent = metrics.counter('audit_webhook_lines_total', 'Lines of the audit log that the webhook took.')
    this.failures = metrics.counter('audit_webhook_failures_total', 'Attempts to send lines that failed.')
    metrics.gauge('audit_webhook_late_seconds', 'How long the oldest line waits for the webhook.', () =>
      this.oldest === 0 ? 0 : Math.max(0, Date.now() / 1000 - this.oldest / 1e6),
    )
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'audit-webhook', everyMs: TICK_MS },
      forget: () => {
        this.wholeAt = 0
        this.oldest = 0
      },
      work: (turn) => this.tick(turn),
      failed: (error) => this.failed(error),
    })
  }

  start(): void {
    this.work.start()
  }

  async stop(): Promise<void> {
    await this.work.stop()
    await this.outbound.close()
  }

  private async tick({ isMine }: Turn): Promise<void> {
    if (performance.now() < this.notBefore) return
    const now = Date.now() * 1000
    // What another process or a late insert left is found at the next look at everything.
    const isWhole = now - this.wholeAt > WHOLE_US
    const since = isWhole ? 0 : this.doneUntil - OVERLAP_US
    for (;;) {
      const lines = await linesAfter(this.store, Math.max(0, since), LINES)
      this.oldest = lines.reduce((first, { at }) => Math.min(first, at), lines[0]?.at ?? 0)
      if (lines.length === 0) break
      await this.send(lines)
      if (!isMine()) return
    }
    this.doneUntil = now
    if (isWhole) this.wholeAt = now
  }

  private async send(lines: readonly AuditLine[]): Promise<void> {
    const { url, secret } = this.options
    const request = linesRequest(url, secret, lines, Math.floor(Date.now() / 1000))
    const { headers, body } = request
    const answer = await this.outbound.fetch(url, { method: 'POST', headers, body })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the receiver answered ${answer.status}`)
    // A process that dies here leaves them to be sent again, under the same id.
    await keepCursors(this.store, new Map(lines.map(({ chain, seq }) => [chain, seq])))
    this.sent.inc(lines.length)
    this.tries = 0
  }

  private failed(error: unknown): void {
    this.failures.inc()
    const waitMs = waitAfter(++this.tries, WAITS)
    this.notBefore = performance.now() + waitMs
    this.options.log.warn(
      { reason: (error as Error).message, waitMs },
      'lines of the audit log were not sent',
    )
  }
}

/** @param lines at least one @param seconds now, since the epoch */
function linesRequest(url: string, secret: string, lines: readonly AuditLine[], seconds: number): Outgoing {
  const id = derivedId(`audit ${lines.map(({ chain, seq }) => `${chain}:${seq}`).join(' ')}`)
  const content = { type: 'audit.lines', timestamp: isoOfMicros(lines[0]!.at), data: lines.map(wireLine) }
  return signedRequest(url, secret, id, content, seconds)
}
