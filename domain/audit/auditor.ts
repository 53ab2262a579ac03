/** Keeps the audit log of a process: what is begun, ended and refused. */
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { AuditEvent, Auditor, End, Result } from '../../platform/http/audit.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { retryWhileAway } from '../../platform/retry/while-away.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { nowMicros } from '../../platform/time/iso.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import type { Entry, Phase } from './line.js'
import type { AuditLog } from './log.js'
import { Refusals } from './refusals.js'

/** Counted refusals are written so often. */
const COUNTED_MS = 60_000
/** For the result of what was done, which can't be undone. */
const INSIST_MS = 5000
const UNKNOWN: Result = { status: 0, errorCode: '' }

export class LogAuditor implements Auditor {
  private readonly refusals = new Refusals<AuditEvent>()
  private readonly counting = new RepeatedWork(() => this.writeCounted(), COUNTED_MS)
  private readonly written
  private readonly failures

  constructor(
    private readonly audit: AuditLog,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.written = metrics.counter('audit_lines_total', 'Lines of the audit log, by their phase.', ['phase'])
    this.failures = metrics.counter('audit_failures_total', 'Lines that could not be written.', ['phase'])
  }

  /** Begins the chain, so that what is cut off from an older one is found. */
  start(): void {
    this.counting.start()
    void this.audit
      .open()
      .catch((error: unknown) => this.log.warn({ err: error }, 'the audit log has no chain yet'))
  }

  async stop(): Promise<void> {
    await this.counting.stop()
    await this.writeCounted()
  }

  async begin(event: AuditEvent): Promise<End> {
    const id = uuid7()
    const beganAt = nowMicros()
    await this.must(entryOf('begin', id, beganAt, event, UNKNOWN))
    return (later, result) => this.end(entryOf('end', id, beganAt, later, result))
  }

  async done(event: AuditEvent, result: Result): Promise<void> {
    await this.must(entryOf('done', uuid7(), nowMicros(), event, result))
  }

  async refused(event: AuditEvent, result: Result): Promise<void> {
    const now = nowMicros()
    if (!this.refusals.admits(event.keyId || event.remoteAddress, event, now)) return
    await this.try(entryOf('refused', uuid7(), now, event, result))
  }

  private async must(entry: Entry): Promise<void> {
    try {
      await this.audit.write(entry)
      this.written.inc({ phase: entry.phase })
    } catch (error) {
      this.failed(entry, error)
      // Callers know what to do about a full disk.
      const isFull = error instanceof HeddleError && error.code === 'STORE_FULL'
      throw isFull ? error : errors.auditUnavailable(error)
    }
  }

  /** What was done stays done; without its end, its outcome is unknown. */
  private async end(entry: Entry): Promise<void> {
    await this.try(entry, AbortSignal.timeout(INSIST_MS))
  }

  private async try(entry: Entry, signal: AbortSignal = AbortSignal.abort()): Promise<void> {
    try {
      await retryWhileAway(() => this.audit.write(entry), signal)
      this.written.inc({ phase: entry.phase })
    } catch (error) {
      this.failed(entry, error)
    }
  }

  private async writeCounted(): Promise<void> {
    for (const { who, count, since } of this.refusals.take()) {
      const event = { ...(who ?? NOBODY), target: { count } }
      await this.try(entryOf('counted', uuid7(), since, event, { status: 429, errorCode: '' }))
    }
  }

  private failed({ phase, action, id }: Entry, error: unknown): void {
    this.failures.inc({ phase })
    this.log.error({ err: error, action, phase, audit: id }, 'a line of the audit log could not be written')
  }
}

const NOBODY: AuditEvent = {
  ...{ action: 'several', category: '', userId: '', username: '', keyId: '', remoteAddress: '' },
  ...{ forwardedFor: '', requestId: '', entity: '', project: '', target: {} },
}

/** @param beganAt µs since the epoch */
export function entryOf(phase: Phase, id: string, beganAt: number, event: AuditEvent, result: Result): Entry {
  return { ...event, ...result, phase, id, beganAt, target: JSON.stringify(event.target) }
}
