/**
 * Writes the outcomes of trials, each whole or not at all; concurrent ones share a block. Before each block it checks
 * that this worker still holds the run, and at intervals that the run wasn't deleted.
 */
import { deleteCalls } from '../domain/calls/delete.js'
import { recordCalls } from '../domain/calls/record.js'
import { turnRow } from '../domain/feedback/agent-monitor.js'
import { runnableRow } from '../domain/feedback/runnable.js'
import { Batcher } from '../platform/batch/batcher.js'
import type { Store } from '../platform/clickhouse/store.js'
import { projectIdOf } from '../platform/ids/project.js'
import { Deleted, Stopped } from './failure.js'
import type { Outcome } from './trial.js'

export interface CommitterParts {
  store: Store
  /** `entity/project` */
  project: string
  /** false: another worker may have the run by now */
  ours: () => boolean
  /** false: a user deleted the run */
  wanted: () => Promise<boolean>
}

/** Outcomes that are stored together, as far as their texts are no longer than that. */
const MOST = 2000
const MOST_CHARACTERS = 16 << 20
/** The longest time until a deletion is noticed. */
const LOOK_MS = 1000
/** The longest that a deletion takes. It misses rows written meanwhile, which are deleted once it is noticed. */
const DELETION_MS = 60_000

export class Committer {
  private readonly writes: Batcher<Outcome, undefined>
  private confirmedAt = Number.NEGATIVE_INFINITY
  /** rows that an unnoticed deletion may have missed */
  private written: { id: string; at: number }[] = []
  private deleted = false

  constructor(private readonly parts: CommitterParts) {
    this.writes = new Batcher((outcomes) => this.block(outcomes), {
      ...{ items: MOST, weight: MOST_CHARACTERS },
      weigh: ({ calls }) => calls.reduce((sum, { inputs, output }) => sum + inputs.length + output.length, 0),
    })
  }

  /** Resolves when it is stored. @throws Stopped if the run is no longer ours, Deleted if it was deleted */
  async write(outcome: Outcome): Promise<void> {
    await this.writes.ask(outcome)
  }

  /** Checks whether the run was deleted, and if so deletes the rows written lately. @throws Deleted */
  async confirm(): Promise<void> {
    const { wanted, store, project } = this.parts
    const now = performance.now()
    this.confirmedAt = now
    this.deleted ||= !(await wanted())
    const lately = this.written.filter(({ at }) => now - at < DELETION_MS)
    this.written = this.deleted ? [] : lately
    if (!this.deleted) return
    const ids = lately.map(({ id }) => id)
    if (ids.length > 0) await deleteCalls(store, projectIdOf(project), ids)
    throw new Deleted()
  }

  private async block(outcomes: readonly Outcome[]): Promise<undefined[]> {
    const { store, ours } = this.parts
    if (this.deleted || performance.now() - this.confirmedAt > LOOK_MS) await this.confirm()
    if (!ours()) throw new Stopped('another worker may have it')
    // Feedback first: a trial's calls mark it as done, and a trial that is repeated replaces its feedback.
    await store.insertRows(
      'feedback',
      outcomes.flatMap(({ feedback, turns = [] }) => [...feedback.map(runnableRow), ...turns.map(turnRow)]),
    )
    if (!ours()) throw new Stopped('another worker may have it')
    await recordCalls(
      store,
      outcomes.flatMap(({ calls }) => calls),
    )
    const at = performance.now()
    this.written.push(...outcomes.map(({ id }) => ({ id, at })))
    return outcomes.map(() => undefined)
  }
}
