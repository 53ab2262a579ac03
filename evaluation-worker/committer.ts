/**
 * Writes what comes of trials, each whole or not at all; those that come at the same time go in one block. Before each
 * block it is made sure that the run is still ours, and now and then that it is still wanted. Knows nothing of models.
 */
import { deleteCalls } from '../domain/calls/delete.js'
import { recordCalls } from '../domain/calls/record.js'
import { writeRunnable } from '../domain/feedback/runnable.js'
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
  /** false: whoever asked for it deleted it */
  wanted: () => Promise<boolean>
}

const MOST = 200
/** What was deleted is noticed after so long. */
const LOOK_MS = 1000
/** A deletion may take so long, and does not see what is written meanwhile: that is taken back when it is noticed. */
const DELETION_MS = 60_000

export class Committer {
  private readonly writes: Batcher<Outcome, undefined>
  private confirmedAt = Number.NEGATIVE_INFINITY
  /** what a deletion that is not noticed yet may have missed */
  private written: { id: string; at: number }[] = []
  private deleted = false

  constructor(private readonly parts: CommitterParts) {
    this.writes = new Batcher((outcomes) => this.block(outcomes), { items: MOST })
  }

  /** Resolves when it is stored. @throws Stopped where the run is not ours, Deleted where it is not wanted any more */
  async write(outcome: Outcome): Promise<void> {
    await this.writes.ask(outcome)
  }

  /** Looks whether the run is still wanted; takes back what was written lately if it was deleted. @throws Deleted */
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
    // Feedback first: a trial counts as done by its calls, and what is done again replaces its feedback.
    await writeRunnable(
      store,
      outcomes.flatMap(({ feedback }) => feedback),
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
