/**
 * Applies monitors: every second, or every few if the store is busy, it looks at the calls that were stored since the last
 * time, and gives those that a monitor matches to the evaluation workers. One process at a time does it, by a lease.
 *
 * Each match is scored once. Scores have ids that follow from the monitor and the call, and workers leave out those that are
 * there; so the calls of the last seconds may be looked at twice, which finds those that became readable late, and a process
 * that dies before it has noted how far it came costs nothing.
 */

import { newestWrites, READABLE_WITHIN_US } from '../../domain/calls/read/written.js'
import { figure } from '../../domain/evaluation/gate.js'
import { waitingIn } from '../../domain/evaluation/jobs.js'
import { AT_ONCE, type MatchesPlan, type ScorerPlan } from '../../domain/evaluation/plan.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { HeddleError } from '../../platform/errors/error.js'
import { LeasedWork, type Turn, type WatchOptions } from '../../platform/leases/leased-work.js'
import { today } from '../../platform/time/iso.js'
import { PartTime } from '../../platform/time/part-time.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import { Lookback } from './lookback.js'
import { TURN_ENDED } from './monitor.js'
import type { KnownMonitor, Monitors } from './monitors.js'
import { type Group, Pending } from './pending.js'
import {
  type Backfill,
  backfillsOf,
  hasBackfills,
  keepBackfill,
  keepProgress,
  type Progress,
  progressOf,
} from './progress.js'
import { spentToday } from './spending.js'
import { beganBefore, type Match, type Written, writtenSince } from './statements.js'

const TICK_MS = 1000
/** Of its time it works at most this part, so that writers of a busy store notice little of it, and rests at most so long. */
const WORKING = 1 / 20
const MOST_REST_MS = 4000
const PAGE = 5000
/** Monitors that one statement looks for. */
const CONDITIONS = 100
/** How often it is noted how far a project was looked at if nothing matched. */
const NOTE_MS = 10_000
/** How often it is read what scores cost. */
const SPENT_MS = 5000
/** Bytes of the calls that a worker reads at once, and most of these calls. */
const READ_BYTES = 32 << 20
const MOST_AT_ONCE = 2000
/** Calls of a backfill each time. */
const BACKFILL_PAGE = 200
/** A backfill waits while a project has more unfinished jobs. */
const MOST_WAITING = 4

export interface MonitorWatchOptions extends WatchOptions {
  monitors: Monitors
  runs: ServerRuns
  /** scores a day (UTC) and monitor, at most */
  perDay: number
  /** what scores may cost a day (UTC), in the currency of the prices; 0: no limit */
  cost: { monitor: number; project: number }
}

/** What is known of a project whose monitors are applied. */
interface Watched {
  progress: Map<string, Progress>
  lookback: Lookback
  notedAt: number
  /** by monitor, calls that were given to workers, and when they were stored (µs) */
  given: Map<string, Map<string, number>>
  pending: Map<string, Pending>
  /** what was spent today by monitor, and when that was read */
  spent: Map<string, number>
  spentAt: number
}

export class MonitorWatch {
  private readonly work: LeasedWork
  /** active monitors that can be applied */
  private active = new Map<string, KnownMonitor[]>()
  private mark = ''
  private readonly rests = new PartTime(WORKING, TICK_MS, MOST_REST_MS)
  private projects = new Map<string, Watched>()
  private readonly matched
  private readonly skipped
  private readonly failures

  constructor(private readonly options: MonitorWatchOptions) {
    const { redisUrl, metrics, log } = options
    this.matched = metrics.counter('monitor_matches_total', 'Calls that monitors matched.')
    this.skipped = metrics.counter('monitor_skipped_total', 'Matches beyond the limit of a day.')
    this.failures = metrics.counter('monitor_failures_total', 'Times that calls could not be looked at.')
    metrics.gauge('monitors_active', 'Monitors that this process applies.', () =>
      this.work.isHeld ? [...this.active.values()].flat().length : 0,
    )
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'monitors', everyMs: TICK_MS },
      forget: () => {
        this.projects = new Map()
        this.mark = ''
      },
      work: (turn) => this.rests.run(() => this.once(turn)),
      failed: (error) => {
        this.failures.inc()
        log.debug({ err: error }, 'could not apply monitors; trying again in a second')
      },
    })
  }

  start(): void {
    this.work.start()
  }

  stop(): Promise<void> {
    return this.work.stop()
  }

  private async once({ isMine }: Turn): Promise<void> {
    await this.refresh()
    for (const [projectId, monitors] of await this.toLookAt()) {
      if (!isMine()) return
      await this.lookAt(projectId, monitors, isMine)
    }
    if (!(await hasBackfills(this.options.marks))) return
    for (const backfill of await backfillsOf(this.options.store)) {
      if (!isMine()) return
      await this.goOn(backfill)
    }
  }

  private async refresh(): Promise<void> {
    const { store, monitors, marks } = this.options
    const mark = await monitors.mark(marks)
    if (mark === this.mark) return
    const active = groupBy(
      (await monitors.read()).filter(({ monitor, condition }) => monitor?.active && condition !== undefined),
      ({ row }) => row.project_id,
    )
    const fresh = [...active.keys()].filter((id) => !this.projects.has(id))
    const kept = fresh.length > 0 ? await progressOf(store) : []
    for (const id of fresh) {
      const own = kept.filter(({ projectId }) => projectId === id)
      const made = Math.min(...active.get(id)!.map(({ row }) => Number(row.written_ver)))
      this.projects.set(id, {
        progress: new Map(own.flatMap((one) => (one.monitor === '' ? [] : [[one.monitor, one]]))),
        // What was stored before its first monitor isn't looked at.
        lookback: new Lookback(
          own.find(({ monitor }) => monitor === '')?.reached ?? made + READABLE_WITHIN_US,
        ),
        notedAt: Number.NEGATIVE_INFINITY,
        given: new Map(),
        pending: new Map(),
        spent: new Map(),
        spentAt: Number.NEGATIVE_INFINITY,
      })
    }
    for (const id of this.projects.keys()) if (!active.has(id)) this.projects.delete(id)
    this.active = active
    this.mark = mark
  }

  /** The projects in which calls were stored lately, or whose groups may have become quiet. */
  private async toLookAt(): Promise<Map<string, KnownMonitor[]>> {
    if (this.active.size < 2) return this.active
    const ids = [...this.active.keys()]
    const oldest = Math.min(...ids.map((id) => this.projects.get(id)!.lookback.reached))
    const written = await newestWrites(this.options.store, ids, Math.max(0, oldest - READABLE_WITHIN_US))
    const isDue = (id: string) => {
      const { lookback, pending } = this.projects.get(id)!
      const isWaiting = [...pending.values()].some(({ size }) => size > 0)
      return isWaiting || (written.get(id) ?? 0) > lookback.reached - READABLE_WITHIN_US
    }
    return new Map([...this.active].filter(([id]) => isDue(id)))
  }

  private async lookAt(
    projectId: string,
    monitors: readonly KnownMonitor[],
    isMine: Turn['isMine'],
  ): Promise<void> {
    const watched = this.projects.get(projectId)!
    const now = Date.now() * 1000
    const { from, last, done } = watched.lookback.next(now)
    for (let i = 0; i < monitors.length; i += CONDITIONS)
      await this.find(projectId, watched, monitors.slice(i, i + CONDITIONS), from, isMine)
    // What was not read is left to whoever does this now.
    if (!isMine()) return
    const quiet: Taken[] = []
    for (const monitor of monitors) quiet.push(...(await this.quiet(watched, monitor)))
    await this.give(watched, monitors, quiet)
    watched.lookback.reached = now
    done()
    for (const calls of watched.given.values())
      for (const [id, at] of calls) if (at < last - 2 * READABLE_WITHIN_US) calls.delete(id)
    await this.note(projectId, watched)
  }

  private async find(
    projectId: string,
    watched: Watched,
    monitors: readonly KnownMonitor[],
    from: number,
    isMine: Turn['isMine'],
  ): Promise<void> {
    const conditions = monitors.map(({ condition }) => condition!)
    const ofOps = monitors.map(({ ofItsOps }) => ofItsOps)
    const early = ofOps.every((one) => one !== undefined) ? ofOps : []
    let after: Written = { ver: String(from), id: '' }
    for (;;) {
      const found = await this.options.store.rows<Match>(
        writtenSince(projectId, after, conditions, PAGE, early),
      )
      const taken: Taken[] = []
      for (const [position, monitor] of monitors.entries()) {
        const since = Number(monitor.row.written_ver)
        const calls = found.filter(({ met, written }) => met.includes(position) && Number(written) >= since)
        taken.push(...(await this.take(watched, monitor, calls)))
      }
      await this.give(watched, monitors, taken)
      const last = found.at(-1)
      if (!last || found.length < PAGE || !isMine()) return
      after = { ver: last.written, id: last.id }
    }
  }

  /** What to give to workers of what a monitor matched; those that it debounces wait. */
  private async take(watched: Watched, monitor: KnownMonitor, found: readonly Match[]): Promise<Taken[]> {
    const given = watched.given.get(monitor.name) ?? new Map<string, number>()
    watched.given.set(monitor.name, given)
    const fresh = found.filter(({ id }) => !given.has(id))
    if (fresh.length === 0) return []
    const { debounce } = monitor.monitor!
    const note = () => {
      for (const { id, written } of fresh) given.set(id, Number(written))
    }
    if (debounce === undefined) return [await this.within(watched, monitor, fresh.map(alone), note)]
    const pending = watched.pending.get(monitor.name) ?? new Pending()
    watched.pending.set(monitor.name, pending)
    for (const call of fresh)
      pending.add(call[debounce.aggregation_field] || call.trace_id, call.id, alone(call), Date.now())
    note()
    return []
  }

  /** Groups in which nothing came for a while. */
  private async quiet(watched: Watched, monitor: KnownMonitor): Promise<Taken[]> {
    const debounce = monitor.monitor?.debounce
    const groups = watched.pending.get(monitor.name)
    if (debounce === undefined || groups === undefined) return []
    const quiet = groups.quiet(debounce.timeout_seconds * 1000, Date.now())
    if (quiet.size === 0) return []
    return [await this.within(watched, monitor, [...quiet.values()], () => groups.delete(quiet.keys()))]
  }

  /** What of these groups a monitor may have scored today. @param note called when they are with the workers */
  private async within(
    watched: Watched,
    monitor: KnownMonitor,
    groups: readonly Scored[],
    note: () => void,
  ): Promise<Taken> {
    const { perDay } = this.options
    const progress = progressIn(watched, monitor)
    const count = (matches: Taken['matches'], taken: number, problem: string): Taken => ({
      matches,
      since: Math.min(...groups.map(({ stored }) => stored)) - CLOCKS_US,
      atOnce: atOnceOf(groups),
      note: () => {
        note()
        const skipped = groups.length - taken
        progress.matched += groups.length
        progress.queued += taken * (matches?.scorers.length ?? 0)
        progress.skipped += skipped
        progress.problem = problem
        this.matched.inc({}, groups.length)
        this.skipped.inc({}, skipped)
      },
    })
    try {
      const plans = await monitor.plans()
      const tooMuch = plans.some(asksModel) ? await this.overspent(watched, monitor) : undefined
      if (tooMuch !== undefined) return count(undefined, 0, tooMuch)
      const room = Math.max(0, Math.floor((perDay - progress.queued) / plans.length))
      const some = groups.slice(0, room)
      const problem = `It has had its ${perDay} scores of ${progress.day}; the next ones come tomorrow (UTC).`
      const matches = some.length === 0 ? undefined : matchesOf(monitor, plans, some)
      return count(matches, some.length, some.length < groups.length ? problem : '')
    } catch (error) {
      if (!(error instanceof HeddleError) || error.status >= 500) throw error
      return count(undefined, 0, error.message)
    }
  }

  /** Why a monitor whose scores cost something scores nothing more today; undefined: it may go on. */
  private async overspent(watched: Watched, { name, row }: KnownMonitor): Promise<string | undefined> {
    const { store, cost } = this.options
    const now = performance.now()
    if (now - watched.spentAt > SPENT_MS) {
      watched.spent = await spentToday(store, row.project_id)
      watched.spentAt = now
    }
    const own = watched.spent.get(name) ?? 0
    const all = [...watched.spent.values()].reduce((sum, one) => sum + one, 0)
    const isOwn = cost.monitor > 0 && own >= cost.monitor
    if (!isOwn && (cost.project === 0 || all < cost.project)) return undefined
    const [whose, spent, limit] = isOwn
      ? ['its scores', own, cost.monitor]
      : ['the scores of all monitors of this project', all, cost.project]
    return `Today ${whose} cost ${figure(spent)}, and may cost ${limit}; the next ones come tomorrow (UTC).`
  }

  /** Gives what monitors of a project matched to the workers, as one job. */
  private async give(
    watched: Watched,
    monitors: readonly KnownMonitor[],
    taken: readonly Taken[],
  ): Promise<void> {
    if (taken.length === 0) return
    const matches = taken.flatMap((one) => one.matches ?? [])
    const since = Math.min(...taken.map((one) => one.since))
    const atOnce = Math.min(...taken.map((one) => one.atOnce))
    if (matches.length > 0)
      await this.options.runs.scoreMatches(monitors[0]!.requester, since, matches, atOnce)
    for (const { note } of taken) note()
    watched.notedAt = Number.NEGATIVE_INFINITY
  }

  private async note(projectId: string, watched: Watched): Promise<void> {
    const now = performance.now()
    if (now - watched.notedAt < NOTE_MS) return
    const own: Progress = { ...none(projectId, ''), reached: this.safe(watched) }
    await keepProgress(this.options.store, [own, ...watched.progress.values()])
    watched.notedAt = now
  }

  /** How far another process need not look: groups that wait are lost with this one. */
  private safe({ lookback, pending }: Watched): number {
    const waiting = [...pending.values()].map((one) => one.oldest).filter((at) => at !== undefined)
    return Math.min(lookback.reached, ...waiting.map((ms) => ms * 1000))
  }

  /** The next calls of a backfill. */
  private async goOn(backfill: Backfill): Promise<void> {
    const { store } = this.options
    const monitor = (await this.options.monitors.read(backfill.projectId)).find(
      ({ name }) => name === backfill.monitor,
    )
    if (!monitor?.condition) return keepBackfill(store, { ...backfill, state: 'cancelled' })
    if ((await waitingIn(store, backfill.projectId)) > MOST_WAITING) return
    const { since, at } = backfill
    const found = await store.rows<Match>(
      beganBefore(backfill.projectId, { since, before: at }, monitor.condition, BACKFILL_PAGE),
    )
    const last = found.at(-1)
    try {
      if (last) {
        const matches = matchesOf(monitor, await monitor.plans(), found.map(alone))
        await this.options.runs.scoreMatches(monitor.requester, since, [matches])
      }
    } catch (error) {
      if (!(error instanceof HeddleError) || error.status >= 500) throw error
      return keepBackfill(store, { ...backfill, state: 'paused' })
    }
    // Whoever paused it meanwhile is heard at the next page.
    const now = (await backfillsOf(store, backfill.projectId)).find((one) => one.monitor === backfill.monitor)
    if (now?.state !== 'running' || now.since !== since) return
    await keepBackfill(store, {
      ...backfill,
      state: found.length < BACKFILL_PAGE ? 'done' : 'running',
      matched: backfill.matched + found.length,
      ...(last && { at: { started: Number(last.began), id: last.id } }),
    })
  }
}

interface Scored extends Pick<Group, 'calls' | 'began' | 'lastBegan' | 'stored'> {
  /** of a call that is scored alone; default: unknown */
  bytes?: number
}

/** Matches of a monitor on their way to the workers. */
interface Taken {
  /** undefined: none of them may be scored */
  matches: MatchesPlan | undefined
  /** µs since the epoch; none of their scores began before */
  since: number
  /** how many of them may be read at once */
  atOnce: number
  note: () => void
}

const alone = ({ id, began, written, bytes }: Match): Scored => ({
  ...{ calls: [id], began: Number(began), lastBegan: Number(began), stored: Number(written) },
  bytes: Number(bytes),
})

/** How many of these calls a worker may hold in memory, even if all were as large as the largest. */
function atOnceOf(groups: readonly Scored[]): number {
  const largest = Math.max(...groups.map(({ bytes = Number.POSITIVE_INFINITY }) => bytes))
  return Math.max(AT_ONCE, Math.min(MOST_AT_ONCE, Math.floor(READ_BYTES / Math.max(1, largest))))
}

/** By how much clocks of this service's machines may differ. */
const CLOCKS_US = 60e6

/** The feedback is on the last call of a group. */
function matchesOf(
  { ref, name, monitor }: KnownMonitor,
  scorers: ScorerPlan[],
  groups: readonly Scored[],
): MatchesPlan {
  const isWhole = monitor?.debounce?.aggregation_method === 'all_messages'
  const calls = groups.map((group): [string, number] => [
    group.calls.at(-1)!,
    isWhole ? group.began : group.lastBegan,
  ])
  const together = isWhole
    ? Object.fromEntries(groups.map((group) => [group.calls.at(-1)!, group.calls]))
    : {}
  const turns = monitor?.ops.includes(TURN_ENDED) ?? false
  return { ref, name, calls, together, scorers, turns, foundOnly: false }
}

/** Whether a score costs something. */
const asksModel = ({ rule }: ScorerPlan): boolean => 'model' in rule

const none = (projectId: string, monitor: string): Progress => ({
  ...{ projectId, monitor, reached: 0, day: today(), matched: 0, queued: 0, skipped: 0, problem: '' },
})

/** The counts of a monitor; those of a day begin anew with it. */
function progressIn(watched: Watched, { name, row }: KnownMonitor): Progress {
  const progress = watched.progress.get(name) ?? none(row.project_id, name)
  const day = today()
  // A clock that is set back gives nobody a second day.
  if (progress.day < day) Object.assign(progress, { day, queued: 0, skipped: 0 })
  watched.progress.set(name, progress)
  return progress
}
