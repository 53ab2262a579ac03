/**
 * Writes what comes of cells, each whole or not at all; those that come at the same time go in one block. Before each
 * block it is made sure that the run is still ours, and now and then that it is still wanted. Knows nothing of models.
 */
import { deleteCalls } from '../domain/calls/delete.js'
import { recordCalls } from '../domain/calls/record.js'
import { writeRunnable } from '../domain/feedback/runnable.js'
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
/** What was deleted is noticed after so long, and what was written in between taken back. */
const LOOK_MS = 1000

interface Waiting {
  outcome: Outcome
  done: () => void
  failed: (error: unknown) => void
}

export class Committer {
  private waiting: Waiting[] = []
  private writing = false
  private lookedAt = Number.NEGATIVE_INFINITY
  private unsure: string[] = []
  private deleted = false

  constructor(private readonly parts: CommitterParts) {}

  /** Resolves when it is stored. @throws Stopped where the run is not ours, Deleted where it is not wanted any more */
  write(outcome: Outcome): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ outcome, done, failed })
      if (!this.writing) void this.drain()
    })
  }

  /** Looks a last time whether it is wanted; takes back what was written since it was not. @throws Deleted */
  async settle(): Promise<void> {
    const { wanted, store, project } = this.parts
    this.lookedAt = performance.now()
    const ids = this.unsure
    this.unsure = []
    this.deleted ||= !(await wanted())
    if (!this.deleted) return
    if (ids.length > 0) await deleteCalls(store, projectIdOf(project), ids)
    throw new Deleted()
  }

  private async drain(): Promise<void> {
    this.writing = true
    // What ends in this turn goes along.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, MOST)
      try {
        await this.block(some.map(({ outcome }) => outcome))
        for (const { done } of some) done()
      } catch (error) {
        for (const { failed } of some) failed(error)
      }
    }
    this.writing = false
  }

  private async block(outcomes: readonly Outcome[]): Promise<void> {
    const { store, ours } = this.parts
    if (this.deleted || performance.now() - this.lookedAt > LOOK_MS) await this.settle()
    if (!ours()) throw new Stopped('another worker may have it')
    // Feedback first: a cell counts as done by its calls, and what is done again replaces its feedback.
    await writeRunnable(
      store,
      outcomes.flatMap(({ feedback }) => feedback),
    )
    if (!ours()) throw new Stopped('another worker may have it')
    await recordCalls(
      store,
      outcomes.flatMap(({ calls }) => calls),
    )
    for (const { id } of outcomes) this.unsure.push(id)
  }
}
