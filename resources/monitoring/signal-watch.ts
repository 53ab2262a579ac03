/**
 * Runs the built-in signals: every few seconds it takes some of the calls that were stored since the last time, and gives
 * them to the evaluation workers. One process at a time does it, by a lease. Nobody asked for it, so it takes no more calls
 * than it may, leaves the rest, and rests longer while the store is busy.
 */
import { SIGNALS } from '../../contract/monitors.js'
import { READABLE_WITHIN_US, type Written, writtenAfter } from '../../domain/calls/read/written.js'
import { waitingIn } from '../../domain/evaluation/jobs.js'
import { SIGNALS_USER } from '../../domain/evaluation/monitored.js'
import type { Signal } from '../../domain/evaluation/scoring/signals.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { LeasedWork, type Turn, type WatchOptions } from '../../platform/leases/leased-work.js'
import { PartTime } from '../../platform/time/part-time.js'
import { ownRequester } from '../evaluation/parts.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import { CONDITIONS, matchesOf } from './built-in.js'
import { Lookback } from './lookback.js'
import { signalsOff } from './signal-setting.js'
import { type Match, newestWritten } from './statements.js'

const TICK_MS = 5000
/** Of its time it works at most this part, and rests at most so long. */
const WORKING = 1 / 50
const MOST_REST_MS = 60_000
/** Calls each time: of all projects together at most, and of one of many at least. */
const MOST = 200
const LEAST = 10
/** Calls of a project among which they are sought. Calls that were stored together lie together, so little else is read. */
const SOUGHT = 5000
/** A project that has more unfinished jobs is left alone. */
const MOST_WAITING = 4
/** What was stored so long before a process took this up may not have been looked at. */
const BEFORE_US = 60e6

export interface SignalWatchOptions extends WatchOptions {
  runs: ServerRuns
  register: ProjectRegister
}

export class SignalWatch {
  private readonly work: LeasedWork
  private readonly rests = new PartTime(WORKING, TICK_MS, MOST_REST_MS)
  private lookback: Lookback | undefined
  /** calls that were given to workers, and when they were stored (µs) */
  private given = new Map<string, number>()
  private readonly looked

  constructor(private readonly options: SignalWatchOptions) {
    const { redisUrl, log, metrics } = options
    this.looked = metrics.counter('signal_calls_total', 'Calls that the built-in signals looked at.')
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'signals', everyMs: TICK_MS },
      forget: () => {
        this.lookback = undefined
        this.given.clear()
      },
      work: (turn) => this.rests.run(() => this.once(turn)),
      failed: (error) => log.debug({ err: error }, 'could not look for signals; trying again later'),
    })
  }

  start(): void {
    this.work.start()
  }

  stop(): Promise<void> {
    return this.work.stop()
  }

  private async once({ isMine }: Turn): Promise<void> {
    const { store, register } = this.options
    const now = Date.now() * 1000
    this.lookback ??= new Lookback(now - BEFORE_US)
    const { from, last, done } = this.lookback.next(now)
    const written = await writtenAfter(store, from)
    if (written.length > 0) {
      const off = await signalsOff(store)
      await register.learn(written.map(({ projectId }) => projectId))
      const most = Math.max(LEAST, Math.floor(MOST / written.length))
      for (const one of written) {
        if (!isMine()) return
        const project = register.nameOf(one.projectId)
        if (project === undefined) continue
        await this.lookAt(one.projectId, project, startOf(one, from), most, off.get(project) ?? [])
      }
    }
    this.lookback.reached = now
    done()
    for (const [id, at] of this.given) if (at < last - 2 * READABLE_WITHIN_US) this.given.delete(id)
  }

  private async lookAt(
    projectId: string,
    project: string,
    from: number,
    most: number,
    off: readonly Signal[],
  ): Promise<void> {
    const { store, runs } = this.options
    if (off.length === SIGNALS.length) return
    if ((await waitingIn(store, projectId)) > MOST_WAITING) return
    const found = await store.rows<Match>(newestWritten(projectId, from, CONDITIONS, 2 * most))
    const fresh = found.filter(({ id }) => !this.given.has(`${projectId} ${id}`)).slice(0, most)
    if (fresh.length === 0) return
    await runs.scoreMatches(ownRequester(SIGNALS_USER, project), 0, matchesOf(fresh, off))
    for (const { id, written } of fresh) this.given.set(`${projectId} ${id}`, Number(written))
    this.looked.inc({}, fresh.length)
  }
}

/** From when on about {@link SOUGHT} calls were stored, or `from` if there are fewer. */
function startOf({ newest, count }: Written, from: number): number {
  const share = Math.min(1, SOUGHT / count)
  return Math.round(newest - (newest - from) * share)
}
