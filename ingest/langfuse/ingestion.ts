/**
 * Langfuse's ingestion: events become spans, and take the way of spans. A part that comes later replaces the span by one
 * that says both.
 */
import { availableParallelism } from 'node:os'
import { checkedScore } from '../../domain/feedback/langfuse-score.js'
import { LangfuseScores } from '../../domain/feedback/langfuse-scores.js'
import { configsById } from '../../domain/feedback/score-configs.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { FairSemaphore } from '../../platform/fairness/fair-semaphore.js'
import { activeAccounts } from '../../platform/fairness/recent-accounts.js'
import { nextTurn } from '../../platform/http/next-request.js'
import type { Principal } from '../../platform/http/principal.js'
import type { Reply } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { MAX_MESSAGES } from '../otlp/limits.js'
import type { Batch } from './events.js'
import { type MayBeNew, storedRows } from './stored.js'
import { callsIn, type Target } from './targets.js'
import { LangfuseThreads } from './work.js'

/** Stores a body of OTLP in JSON. */
export type SubmitSpans = (body: Uint8Array) => Promise<Reply>

/** Spans of one body: an answer names no more rejected ones than these, and the sender hears of each. */
const SPANS = MAX_MESSAGES
/** Batches under way at once, of all accounts. */
const BATCHES = 64
/** Those of one account, on average, while others ask for anything: what is replaced costs the store more than its sender. */
const SHARE = Math.max(1, availableParallelism() / 2)
/** Bodies that are stored at once. They share batches: one by one, each replaces stored spans by statements of its own. */
const TOGETHER = 64

type Answer = { successes: object[]; errors: object[] } | Reply

export class LangfuseIngestion {
  private readonly threads = new LangfuseThreads()

  private readonly batches = new FairSemaphore(BATCHES, 0, SHARE)

  private readonly scores: LangfuseScores

  constructor(
    private readonly store: Store,
    private readonly mayBeNew: MayBeNew,
  ) {
    this.scores = new LangfuseScores(store)
  }

  /**
   * Stores a batch, in the turn of its sender. @returns the answer's body, or the reply to spans that were refused altogether
   * @param project `entity/project`
   * @param bytes the body; handed to a thread if it is long
   */
  async take(sender: Principal, project: string, bytes: Uint8Array, submit: SubmitSpans): Promise<Answer> {
    const { account, caller } = sender
    const permit = await this.batches.acquire(caller, undefined, activeAccounts.hasOthers(account))
    try {
      return await this.write(sender, project, bytes, submit)
    } finally {
      permit.release()
    }
  }

  private async write(
    { userId }: Principal,
    project: string,
    bytes: Uint8Array,
    submit: SubmitSpans,
  ): Promise<Answer> {
    const { length } = bytes
    const batch = await this.threads.run('read', bytes, length, [bytes.buffer as ArrayBuffer])
    const { traces, observations } = batch
    const rows = await storedRows(this.store, projectIdOf(project), callsIn(batch), this.mayBeNew)
    const stored = rows.reduce((sum, { text }) => sum + text.length, 0)
    const targets = await this.threads.run('targets', { traces, observations, rows }, length + stored)
    const failed = await storeAll(targets, submit)
    if (!(failed instanceof Map)) return failed
    await this.checkConfigured(project, batch)
    await this.scores.write(project, userId, batch.scores)
    const good = [...batch.others]
    for (const [target, ids] of batch.events) {
      const reason = failed.get(target)
      if (reason === undefined) good.push(...ids)
      else batch.errors.push(...ids.map((id) => ({ id, status: 400, message: reason })))
    }
    return { successes: good.map((id) => ({ id, status: 201 })), errors: batch.errors }
  }

  /** Adds the scores that their configs allow, and the errors of the others. */
  private async checkConfigured(project: string, batch: Batch): Promise<void> {
    const { configured } = batch
    const ids = configured.map(({ configId }) => configId)
    const configs = await configsById(this.store, project, ids)
    for (const { eventId, given } of configured) {
      const score = checkedScore(given, eventId, configs)
      if (typeof score === 'string') batch.errors.push({ id: eventId, status: 400, message: score })
      else {
        batch.scores.push(score)
        batch.others.push(eventId)
      }
    }
  }

  async stop(): Promise<void> {
    this.scores.stop()
    await this.threads.stop()
  }
}

/** Stores the spans. @returns why some of them could not be, by what they are about, or the reply that refused a body */
async function storeAll(
  targets: readonly Target[],
  submit: SubmitSpans,
): Promise<Map<string, string> | Reply> {
  const failed = new Map<string, string>()
  let refused: Reply | undefined
  let next = 0
  const lane = async () => {
    while (next < targets.length && refused === undefined) {
      const some = targets.slice(next, next + SPANS)
      next += SPANS
      const spans = some.map(({ text }) => text).join(',')
      const reply = await submit(Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans}]}]}]}`))
      if (reply.status !== 200) refused = reply
      else for (const [target, reason] of rejected(reply, some)) failed.set(target, reason)
      await nextTurn()
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, lane))
  return refused ?? failed
}

/** The targets whose spans were rejected, and why: by what the answer says of their ids. */
function rejected({ body }: Reply, targets: readonly Target[]): [string, string][] {
  // An answer from a thread is a plain array of bytes, whose `toString` lists numbers.
  const text = typeof body === 'string' ? body : bufferOf(body as Uint8Array).toString()
  const answer = JSON.parse(text) as { partialSuccess?: { errorMessage?: string } }
  const message = answer.partialSuccess?.errorMessage
  if (message === undefined) return []
  return targets.flatMap(({ id, spanId }): [string, string][] =>
    message.includes(`span ${spanId}:`) ? [[id, message]] : [],
  )
}
