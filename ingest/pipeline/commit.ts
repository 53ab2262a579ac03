/**
 * One batch, from its requests to their answers: decode, stamp versions, store, reconcile what needs a second step. A
 * request is answered when all of it is stored and can be read.
 */
import { stampVersions } from '../../domain/calls/block-reader.js'
import { insertSettings } from '../../domain/calls/insert-settings.js'
import { type CallTable, insertTarget } from '../../domain/calls/schema.js'
import { writeRunnable } from '../../domain/feedback/runnable.js'
import type { Masks } from '../../domain/masking/masks.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { bodyBuffers } from '../../platform/http/body-buffers.js'
import { Reply } from '../../platform/http/request.js'
import type { Span } from '../../platform/telemetry/tracing.js'
import type { VersionClock } from '../../platform/time/versions.js'
import { type CallChange, callKey } from '../merge/call-change.js'
import type { Unsettled } from '../merge/unsettled.js'
import type { Decoded, Outcome, RawWrite, Rows } from '../threads/task.js'
import type { Threads } from '../threads/threads.js'
import type { BatchOrder } from './batch-order.js'
import { type Duplicate, duplicatesOf } from './duplicates.js'
import type { IngestMetrics } from './metrics.js'
import type { OpObjects } from './op-objects.js'
import type { RecentIds } from './recent-ids.js'
import type { ReconcileBacklog } from './reconcile-backlog.js'
import type { ReconcileQueue } from './reconcile-queue.js'
import { announceReplacing, expectedRows, isWhole } from './replacing.js'
import { isStoresFault, type StoreGate } from './store-gate.js'

/** A request that waits for its answer. */
export interface Job {
  readonly entity: string
  readonly write: RawWrite
  /** an end whose start is nowhere is an error, and is not kept */
  readonly mustPair: boolean
  /** of the request, where that is traced */
  readonly span: Span | undefined
  /** told when rows of it may take the place of others */
  readonly replaces: () => void
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

export interface CommitParts {
  readonly store: Store
  readonly threads: Threads
  readonly gate: StoreGate
  readonly queue: ReconcileQueue
  readonly batchOrder: BatchOrder
  readonly backlog: ReconcileBacklog
  readonly unsettled: Unsettled
  readonly clock: VersionClock
  readonly recent: RecentIds
  readonly projects: ProjectRegister
  readonly ops: OpObjects
  readonly metrics: IngestMetrics
  readonly masks: Pick<Masks, 'note'>
  /** an insert that takes longer is given up; what it stored after all is found when its requests are sent again */
  readonly insertTimeoutMs: number
}

export class Commit {
  constructor(private readonly parts: CommitParts) {}

  /**
   * Runs one batch to the answers of its jobs. Never rejects.
   * @param decoded called when the decode thread is free again
   * @returns when the batch is stored; second steps may still be under way
   */
  async run(jobs: readonly Job[], decoded: () => void): Promise<void> {
    let result: Decoded
    try {
      result = await this.parts.threads.decode(jobs.map(({ write }) => write))
    } catch (cause) {
      // The thread itself broke: nobody knows by which of them.
      for (const job of jobs) job.reject(errors.unavailable(cause))
      return
    } finally {
      decoded()
    }
    if (result.broken !== undefined) return this.failed(jobs, new Error(result.broken))
    this.count(jobs, result)
    this.parts.masks.note(result.masked)
    const cut = jobs.filter((_, i) => result.outcomes[i] === undefined)
    const { number, duplicates } = this.stamp(result)
    for (const { request, change } of duplicates) if (isWhole(change)) jobs[request]!.replaces()
    let doubtful: readonly Duplicate[]
    try {
      const { store, gate, unsettled } = this.parts
      doubtful = await gate.run(() => announceReplacing(store, unsettled, duplicates), true)
      await this.save(result)
    } catch (error) {
      this.parts.threads.stored(result.calls, true)
      this.parts.batchOrder.end(number)
      // Some of it may be stored all the same.
      this.parts.backlog.add(duplicates.map(({ change }) => change))
      return this.failed(jobs, error)
    }
    this.parts.threads.stored(result.calls)
    this.parts.batchOrder.end(number)
    for (const [i, { write }] of jobs.entries()) if (result.outcomes[i]) bodyBuffers.give(write.body)
    void this.answer(jobs, result, doubtful, number)
    // What found no room in the block is a batch of its own.
    if (cut.length > 0) await this.run(cut, () => undefined)
  }

  /** Versions are given in the order batches are numbered, so a later batch has later versions. */
  private stamp({ calls, open }: Decoded): { number: number; duplicates: Duplicate[] } {
    const { clock, recent, batchOrder } = this.parts
    const blocks = blocksOf(calls, open)
    for (const rows of blocks) stampVersions(rows, clock.reserve(rows.rows))
    return { number: batchOrder.begin(), duplicates: blocks.flatMap((rows) => duplicatesOf(rows, recent)) }
  }

  private async save({ calls, open, ops, feedback, outcomes }: Decoded): Promise<void> {
    const blocks = blocksOf(calls, open)
    if (blocks.length === 0) return
    const { store, projects, gate, metrics } = this.parts
    const names = new Set(outcomes.flatMap((outcome) => outcome?.projects ?? []))
    const ended = metrics.insertSeconds.startTimer()
    await Promise.all([
      gate.run(() => projects.note(names), true),
      gate.run(() => this.parts.ops.ensure(ops), true),
      gate.run(() => writeRunnable(store, feedback), true),
      this.insert('calls', calls),
      this.insert('calls_open', open),
    ])
    ended()
    metrics.batchRows.observe(blocks.reduce((sum, { rows }) => sum + rows, 0))
  }

  private async insert(table: CallTable, rows: Rows | undefined): Promise<void> {
    if (!rows) return
    const { gate, store, insertTimeoutMs } = this.parts
    await gate.run(() =>
      store.insert(insertTarget(table), 'Native', [rows.bytes], {
        signal: AbortSignal.timeout(insertTimeoutMs),
        settings: insertSettings(rows.rows),
      }),
    )
  }

  /** Answers what is done; what needs a second step after that. */
  private async answer(
    jobs: readonly Job[],
    { outcomes }: Decoded,
    duplicates: readonly Duplicate[],
    number: number,
  ): Promise<void> {
    const waiting = new Map<number, CallChange[]>()
    for (const { request, change } of duplicates) {
      const changes = waiting.get(request)
      if (changes) changes.push(change)
      else waiting.set(request, [change])
    }
    jobs.forEach((job, i) => {
      const outcome = outcomes[i]
      if (outcome && !waiting.has(i)) this.acknowledge(job, outcome)
    })
    if (duplicates.length === 0) return
    const { batchOrder, metrics } = this.parts
    const ended = metrics.reconcileSeconds.startTimer()
    await batchOrder.reached(number)
    // Each by itself, so that none waits for a project that is another's.
    await Promise.all([...waiting].map(([i, changes]) => this.reconcile(jobs[i]!, outcomes[i]!, changes)))
    ended()
  }

  /** Answers a request when its second step is done. Never rejects. */
  private async reconcile(job: Job, outcome: Outcome, changes: readonly CallChange[]): Promise<void> {
    const { queue, metrics, backlog, unsettled } = this.parts
    try {
      const { unpaired } = await queue.reconcile(
        changes.map((change) => ({ ...change, mustPair: job.mustPair })),
      )
      unsettled.release(expectedRows(changes))
      const alone = changes.some((change) => unpaired.has(callKey(change)))
      if (job.mustPair && alone) job.reject(errors.notFound('The call that this one ends'))
      else this.acknowledge(job, outcome)
      metrics.reconciled.inc(changes.length)
    } catch (error) {
      backlog.add(changes)
      job.reject(error)
    }
  }

  private acknowledge(job: Job, outcome: Outcome): void {
    const { status, contentType, body, headers, accepted, rejected, sampledOut, ignored = 0 } = outcome
    const { metrics } = this.parts
    if (ignored > 0) metrics.ignored.inc(ignored)
    if (accepted > 0) metrics.accepted.inc(accepted)
    if (rejected > 0) metrics.rejected.inc(rejected)
    if (sampledOut > 0) metrics.sampledOut.inc(sampledOut)
    job.resolve(new Reply(status, contentType, body, headers))
  }

  private count(jobs: readonly Job[], { ms, unwalked }: Decoded): void {
    const { metrics } = this.parts
    metrics.unwalked.inc(unwalked)
    metrics.decodeSeconds.observe(ms / 1000)
    metrics.bytes.inc(jobs.reduce((sum, { write }) => sum + write.body.length, 0))
  }

  /**
   * The store is away, or has no room: nobody is acknowledged. It refused the block, or a decoder broke: the batch is
   * cut in two until the request that is to blame stands alone.
   */
  private async failed(jobs: readonly Job[], error: unknown): Promise<void> {
    if (isStoresFault(error) || jobs.length === 1) {
      for (const job of jobs) job.reject(error)
      return
    }
    const middle = jobs.length >> 1
    await this.run(jobs.slice(0, middle), () => undefined)
    await this.run(jobs.slice(middle), () => undefined)
  }
}

function blocksOf(...blocks: readonly (Rows | undefined)[]): Rows[] {
  return blocks.filter((rows) => rows !== undefined)
}
