/**
 * Writes the calls of evaluations; concurrent ones share a block. Knows the tables' rules, and nothing of the calls'
 * meaning.
 */
import { type CallEnd, type Ending, endCalls, startCalls } from '../../domain/calls/own.js'
import { type FinishedCall, recordCalls, type StartedCall } from '../../domain/calls/record.js'
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Workers } from '../workers/workers.js'

export interface Written {
  finished: readonly FinishedCall[]
  started: readonly StartedCall[]
}

const BATCH_BYTES = 16 << 20

export class Journal {
  private readonly writes: Batcher<Written, undefined>
  private readonly ends: Batcher<readonly [Ending, CallEnd], undefined>

  /** @param workers encode large blocks of calls */
  constructor(
    private readonly store: Store,
    private readonly workers: Workers,
  ) {
    this.ends = new Batcher(
      async (ends) => {
        const bytes = sum(ends, ([, { output }]) => output.length)
        await endCalls(this.store, ends, (rows) => this.workers.run('endedBlock', rows, bytes))
        return ends.map(() => undefined)
      },
      { weight: BATCH_BYTES, weigh: ([, { output }]) => output.length },
    )
    this.writes = new Batcher((items) => this.add(items), {
      concurrency: 2,
      weight: BATCH_BYTES,
      weigh: ({ finished, started }) => sum(started, bytesOf) + sum(finished, bytesOf),
    })
  }

  /** Resolves when the calls are stored and can be read. */
  async write(calls: Partial<Written>): Promise<void> {
    await this.writes.ask({ finished: calls.finished ?? [], started: calls.started ?? [] })
  }

  /** Ends a stored call, or replaces its end. Hold a lease: only one write per call at a time. */
  async end(call: Ending, end: CallEnd): Promise<void> {
    await this.ends.ask([call, end])
  }

  private async add(items: readonly Written[]): Promise<undefined[]> {
    // Parents come before their children.
    const started = items.flatMap((item) => item.started)
    await startCalls(this.store, started, (calls) =>
      this.workers.run('startedBlock', calls, sum(started, bytesOf)),
    )
    const finished = items.flatMap((item) => item.finished)
    await recordCalls(this.store, finished, (calls) =>
      this.workers.run('finishedBlock', calls, sum(finished, bytesOf)),
    )
    return items.map(() => undefined)
  }
}

/** The approximate bytes of user data. */
function bytesOf({ inputs, output = '' }: { inputs: string; output?: string }): number {
  return inputs.length + output.length
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0)
}
