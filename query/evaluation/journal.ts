/**
 * Writes the calls of evaluations; those that come at the same time go into one block. Knows the tables' rules and
 * nothing of what the calls mean.
 */
import { type CallEnd, type Ending, endCalls, type StartedCall, startCalls } from '../../common/calls/own.js'
import { type FinishedCall, recordCalls } from '../../common/calls/record.js'
import type { Store } from '../../common/clickhouse/store.js'
import { Gather } from '../gather.js'

export interface Written {
  finished: readonly FinishedCall[]
  started: readonly StartedCall[]
}

const BATCH_BYTES = 16 << 20

export class Journal {
  private readonly writes: Gather<Written, undefined>
  private readonly ends: Gather<readonly [Ending, CallEnd], undefined>

  constructor(private readonly store: Store) {
    this.ends = new Gather(
      async (ends) => {
        await endCalls(this.store, ends)
        return ends.map(() => undefined)
      },
      { weight: BATCH_BYTES, weigh: ([, { output }]) => output.length },
    )
    this.writes = new Gather((items) => this.add(items), {
      lanes: 2,
      weight: BATCH_BYTES,
      weigh: ({ finished, started }) =>
        [...finished, ...started].reduce((sum, { inputs }) => sum + inputs.length, 0) +
        finished.reduce((sum, { output }) => sum + output.length, 0),
    })
  }

  /** Resolves when the calls are stored and can be read. */
  async write(calls: Partial<Written>): Promise<void> {
    await this.writes.ask({ finished: calls.finished ?? [], started: calls.started ?? [] })
  }

  /** Ends a call that is stored, or gives it another end. One at a time a call: hold a lease. */
  async end(call: Ending, end: CallEnd): Promise<void> {
    await this.ends.ask([call, end])
  }

  private async add(items: readonly Written[]): Promise<undefined[]> {
    // Parents are there before their children.
    await startCalls(
      this.store,
      items.flatMap(({ started }) => started),
    )
    await recordCalls(
      this.store,
      items.flatMap(({ finished }) => finished),
    )
    return items.map(() => undefined)
  }
}
