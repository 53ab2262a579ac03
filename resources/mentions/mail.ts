/**
 * Mails people who were mentioned, until it is delivered, or for a day: that they were, and where, not what was written. One
 * process at a time does it, by a lease. If it dies after a mail and before that is stored, the next one sends it again
 * with the same id, by which mail programs show it once.
 */
import type { Store } from '../../platform/clickhouse/store.js'
import { LeasedWork, type Turn } from '../../platform/leases/leased-work.js'
import { nextTry } from '../../platform/retry/over-a-day.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Mailer } from '../notifications/mailer.js'
import { type Mention, mailDue, noteKey, notesOf, putMentions } from './mention-table.js'
import type { Readers } from './readers.js'

const TICK_MS = 1_000
/** A day of attempts, and some time in which nobody could make one. */
const REMEMBERED_US = 3 * 86_400e6
/** Mails at a time: a server that hangs holds up few. */
const AT_ONCE = 16

export interface MentionMailOptions {
  store: Store
  readers: Readers
  mailer: Mailer
  redisUrl: string
  log: Log
  metrics: Metrics
  learn: (projectIds: readonly string[]) => Promise<void>
  nameOf: (projectId: string) => string | undefined
  /** of the page of a call of a project; empty: not known */
  urlOf: (project: string, callId: string) => string
}

type Outcome = 'delivered' | 'withdrawn' | { problem: string }

export class MentionMail {
  private readonly work: LeasedWork
  private readonly told

  constructor(private readonly options: MentionMailOptions) {
    const { redisUrl, metrics, log } = options
    this.told = metrics.counter('mention_mails_total', 'Tries to mail a mention, by their result.', [
      'result',
    ])
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'mentions', everyMs: TICK_MS, forget: () => undefined },
      work: (turn) => this.once(turn),
      failed: (error) => log.warn({ err: error }, 'could not look for mentions to mail; trying again'),
    })
  }

  start(): void {
    this.work.start()
  }

  stop(): Promise<void> {
    return this.work.stop()
  }

  private async once({ isMine }: Turn): Promise<void> {
    const { store, learn } = this.options
    const now = nowMicros()
    const due = await mailDue(store, now, now - REMEMBERED_US, AT_ONCE)
    if (due.length === 0) return
    await learn(due.map(({ projectId }) => projectId))
    const notes = await notesOf(store, due)
    await Promise.all(
      due.map(async (mention) => {
        if (!isMine()) return
        const outcome = notes.has(noteKey(mention)) ? await this.send(mention) : 'withdrawn'
        const after = afterTry(mention, outcome, nowMicros())
        await putMentions(store, [after], nextVersion())
        this.told.inc({ result: after.mail === 'waiting' ? 'failed' : after.mail })
      }),
    )
  }

  private async send(mention: Mention): Promise<Outcome> {
    const { readers, mailer, nameOf, urlOf } = this.options
    const project = nameOf(mention.projectId)
    const reader = project && (await readers.mayRead(mention.userId, project))
    // Who may not read it any more need not know of it.
    if (!project || !reader || reader.email === '') return 'withdrawn'
    const { id, by, callId } = mention
    const text = `${by} mentioned you in a note in ${project}.`
    try {
      await mailer.send([reader.email], { id, text, url: urlOf(project, callId) })
      return 'delivered'
    } catch (error) {
      // Its message may repeat what was sent.
      return { problem: `The mail server failed: ${(error as { code?: string }).code ?? 'unknown error'}.` }
    }
  }
}

/** @param now µs since the epoch */
function afterTry(mention: Mention, outcome: Outcome, now: number): Mention {
  const attempts = mention.attempts + 1
  if (outcome === 'delivered') return { ...mention, attempts, mail: 'delivered', problem: '' }
  if (outcome === 'withdrawn') return { ...mention, mail: 'none', problem: '' }
  const nextAt = nextTry(attempts, now)
  const { problem } = outcome
  if (nextAt === undefined) return { ...mention, attempts, mail: 'failed', problem }
  return { ...mention, attempts, nextAt, problem }
}
