/**
 * Settles what was left between the two steps of a write: all of it at the start, halves every so often. In the
 * background, a little at a time. Knows nothing of how it is found or settled.
 */
import type { Store } from '../../common/clickhouse/store.js'
import type { Log } from '../../common/telemetry/log.js'
import { outlived, unjoined } from '../merge/left-over.js'
import { chunks, type Touch } from '../merge/touched.js'
import type { Lane } from './lane.js'
import type { VersionClock } from './version-clock.js'

const SWEEP_MS = 30_000

export class Sweep {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> = Promise.resolve()
  private stopping = false

  constructor(
    private readonly store: Store,
    private readonly lane: Lane,
    private readonly clock: VersionClock,
    private readonly log: Log,
  ) {}

  /** @param twice finds calls that may be stored twice; asked once */
  start(twice: () => Promise<Touch[]>): void {
    this.running = this.logged(async () => {
      await this.halves()
      await this.until(() => outlived(this.store))
      for (const touches of chunks(await twice(), 500)) if (!this.stopping) await this.lane.settle(touches)
    })
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.logged(() => this.halves()))
    }, SWEEP_MS)
  }

  async stop(): Promise<void> {
    this.stopping = true
    clearInterval(this.timer)
    await this.running
  }

  private halves(): Promise<void> {
    return this.until(() => unjoined(this.store, this.clock.reserve(1)))
  }

  /** Finds and settles until nothing is found that was not found before. */
  private async until(find: () => Promise<Touch[]>): Promise<void> {
    let last = ''
    while (!this.stopping) {
      const touches = await find()
      const found = touches.map(({ id }) => id).join()
      if (touches.length === 0 || found === last) return
      last = found
      await this.lane.settle(touches)
      this.log.info({ calls: touches.length }, 'settled calls that were left between two steps')
    }
  }

  private async logged(run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (!this.stopping) this.log.warn({ err: error }, 'the sweep did not get through; it is tried again')
    }
  }
}
