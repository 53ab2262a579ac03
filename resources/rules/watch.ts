/**
 * Applies rules: every second, or every few if the store is busy, it looks at what was stored since the last time, keeps
 * what rules are to do because of it, and does it. One process at a time does so, by a lease.
 *
 * Ids follow from the rule and from what happened, so what was stored in the last seconds may be looked at twice: that finds
 * what became readable late, and a process that dies before it has noted how far it came costs nothing.
 */

import { newestWrites, READABLE_WITHIN_US } from '../../domain/calls/read/written.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { LeasedWork, type Turn, type WatchOptions } from '../../platform/leases/leased-work.js'
import { today } from '../../platform/time/iso.js'
import { PartTime } from '../../platform/time/part-time.js'
import { Lookback } from '../monitoring/lookback.js'
import { type Match as Call, countsWritten, type Written, writtenSince } from '../monitoring/statements.js'
import type { Actions } from './actions/action.js'
import { allEventsSince, EVENT_TYPES, meant } from './events.js'
import type { KnownRule, KnownRules } from './known.js'
import { type Match, matchId, runId } from './match.js'
import { Performer } from './performer.js'
import { keepProgress, progressOf, type RuleProgress } from './progress.js'
import { type ActionRun, chainsOf, keepRuns, knownMatches } from './runs.js'
import type { Subjects } from './subjects.js'

const TICK_MS = 1000
/** Of its time it looks at most this part, so that writers of a busy store notice little of it, and rests at most so long. */
const WORKING = 1 / 10
const MOST_REST_MS = 4000
const PAGE = 1000
/** How often it is noted how far a project was looked at if nothing matched. */
const NOTE_MS = 10_000
/** Rules that one statement looks for. */
const AT_ONCE = 100
/** Rules that lead from one to the next, at most. */
const LONGEST_CHAIN = 10

export interface RuleWatchOptions extends WatchOptions {
  rules: KnownRules
  subjects: Subjects
  actions: Actions
  register: ProjectRegister
}

/** What is known of a project whose rules are applied. */
interface Watched {
  /** by rule */
  progress: Map<string, RuleProgress>
  lookback: Lookback
  /** whether how far it is, and what rules matched, is kept */
  isNoted: boolean
  /** by rule, keys of matches that were kept, and when they were stored */
  kept: Map<string, Map<string, number>>
  /** by rule that has had its matches of the day: until when (µs) what it skips was counted */
  counted: Map<string, number>
}

export class RuleWatch {
  private readonly work: LeasedWork
  private readonly performer: Performer
  /** by project and name: whether it is active */
  private all = new Map<string, boolean>()
  private active = new Map<string, KnownRule[]>()
  private readonly projects = new Map<string, Watched>()
  private mark = ''
  private readonly rests = new PartTime(WORKING, TICK_MS, MOST_REST_MS)
  private notedAt = Number.NEGATIVE_INFINITY
  private readonly matched
  private readonly skipped
  private readonly failures

  constructor(private readonly options: RuleWatchOptions) {
    const { redisUrl, metrics, log } = options
    this.performer = new Performer({
      ...options,
      isActive: (projectId, rule) => this.all.get(`${projectId} ${rule}`),
    })
    this.matched = metrics.counter('rule_matches_total', 'What set off rules.')
    this.skipped = metrics.counter('rule_skipped_total', 'Matches of rules beyond their limit of a day.')
    this.failures = metrics.counter('rule_failures_total', 'Times that rules could not be applied.')
    metrics.gauge('rules_active', 'Rules that this process applies.', () =>
      this.work.isHeld ? [...this.active.values()].flat().length : 0,
    )
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'rules', everyMs: TICK_MS },
      forget: () => {
        this.projects.clear()
        this.performer.forget()
        this.mark = ''
      },
      work: (turn) => this.once(turn),
      failed: (error) => {
        this.failures.inc()
        log.debug({ err: error }, 'could not apply rules; trying again in a second')
      },
    })
  }

  /** Why no process applies rules now; undefined: one does. */
  whyNobody(): Promise<string | undefined> {
    return this.work.whyNobody()
  }

  start(): void {
    this.work.start()
  }

  stop(): Promise<void> {
    return this.work.stop(() => this.performer.idle())
  }

  private async once({ isMine }: Turn): Promise<void> {
    await this.refresh()
    await this.performer.read()
    await this.rests.run(() => this.look(isMine))
    this.performer.attempt(isMine)
  }

  private async refresh(): Promise<void> {
    const { store, rules, marks } = this.options
    const mark = await rules.mark(marks)
    if (mark === this.mark) return
    const known = await rules.read()
    this.all = new Map(known.map((rule) => [`${rule.row.project_id} ${rule.name}`, rule.isActive]))
    const active = groupBy(
      known.filter(({ isActive }) => isActive),
      ({ row }) => row.project_id,
    )
    const fresh = [...active.keys()].filter((id) => !this.projects.has(id))
    const kept = fresh.length > 0 ? await progressOf(store) : []
    for (const id of fresh) {
      const own = kept.filter(({ projectId }) => projectId === id)
      const made = Math.min(...active.get(id)!.map(({ row }) => Number(row.written_ver)))
      this.projects.set(id, {
        progress: new Map(own.flatMap((one) => (one.rule === '' ? [] : [[one.rule, one]]))),
        // What was stored before its first rule isn't looked at.
        lookback: new Lookback(own.find(({ rule }) => rule === '')?.reached ?? made),
        isNoted: true,
        kept: new Map(),
        counted: new Map(),
      })
    }
    for (const id of this.projects.keys()) if (!active.has(id)) this.projects.delete(id)
    this.active = active
    this.mark = mark
  }

  private async look(isMine: () => boolean): Promise<void> {
    const now = Date.now() * 1000
    const events = groupBy(await this.events(), (event) => event.projectId)
    const written = await this.written()
    for (const [projectId, rules] of this.active) {
      if (!isMine()) return
      const watched = this.projects.get(projectId)!
      const ofCalls = rules.filter(({ condition }) => condition !== undefined)
      const isWritten = (written.get(projectId) ?? 0) > watched.lookback.reached - READABLE_WITHIN_US
      if (ofCalls.length > 0 && isWritten) await this.calls(watched, projectId, ofCalls, now, isMine)
      if (!isMine()) return
      for (const rule of rules) {
        const { trigger } = rule.definition!
        await this.take(watched, rule, meant(events.get(projectId) ?? [], trigger))
      }
      watched.lookback.reached = now
      for (const keys of watched.kept.values())
        for (const [key, at] of keys) if (at < now - 3 * READABLE_WITHIN_US) keys.delete(key)
    }
    await this.note()
  }

  /** What happened beside calls, in all projects whose rules wait for it. */
  private async events() {
    const found = []
    for (const what of EVENT_TYPES) {
      const ofIt = [...this.active].filter(([, rules]) =>
        rules.some(({ definition }) => definition?.trigger.type === what),
      )
      if (ofIt.length === 0) continue
      const triggers = ofIt.flatMap(([, rules]) =>
        rules.flatMap(({ definition }) => definition?.trigger ?? []),
      )
      const where = {
        projectIds: ofIt.map(([id]) => id),
        since: Math.min(...ofIt.map(([id]) => this.projects.get(id)!.lookback.reached)) - READABLE_WITHIN_US,
        feedbackTypes: triggers.flatMap((one) => (one.type === 'score' ? [one.feedback_type] : [])),
        limit: PAGE,
      }
      found.push(...(await allEventsSince(this.options.store, what, where)))
    }
    return found
  }

  /** When the newest call of each project was stored, of those whose rules wait for calls. */
  private async written(): Promise<Map<string, number>> {
    const ids = [...this.active].flatMap(([id, rules]) =>
      rules.some(({ condition }) => condition !== undefined) ? [id] : [],
    )
    if (ids.length === 0) return new Map()
    const oldest = Math.min(...ids.map((id) => this.projects.get(id)!.lookback.reached))
    return newestWrites(this.options.store, ids, Math.max(0, oldest - READABLE_WITHIN_US))
  }

  private async calls(
    watched: Watched,
    projectId: string,
    rules: readonly KnownRule[],
    now: number,
    isMine: () => boolean,
  ): Promise<void> {
    const { from, done } = watched.lookback.next(now)
    const isOpen = (rule: KnownRule) => progressIn(watched, rule).today < rule.definition!.max_per_day
    const open = rules.filter(isOpen)
    for (const { name } of open) watched.counted.delete(name)
    for (let i = 0; i < open.length; i += AT_ONCE) {
      const some = open.slice(i, i + AT_ONCE)
      const conditions = some.map(({ condition }) => condition!)
      let after: Written = { ver: String(from), id: '' }
      for (;;) {
        const statement = writtenSince(projectId, after, conditions, PAGE)
        const found = await this.options.store.rows<Call>(statement)
        for (const [position, rule] of some.entries()) {
          const met = found.filter((call) => call.met.includes(position))
          await this.take(
            watched,
            rule,
            met.map((call) => this.options.subjects.ofCall(rule.definition!.trigger, call)),
          )
        }
        const last = found.at(-1)
        for (const rule of some)
          if (last && !isOpen(rule) && !watched.counted.has(rule.name))
            watched.counted.set(rule.name, Number(last.written))
        if (!last || found.length < PAGE || !isMine() || !some.some(isOpen)) break
        after = { ver: last.written, id: last.id }
      }
    }
    done()
    await this.countSkipped(
      watched,
      projectId,
      rules.filter((rule) => !isOpen(rule)),
      now,
    )
  }

  /** Counts the calls that rules skip which have had their matches of the day: a flood is not read call by call. */
  private async countSkipped(
    watched: Watched,
    projectId: string,
    rules: readonly KnownRule[],
    now: number,
  ): Promise<void> {
    const until = now - READABLE_WITHIN_US
    const due = rules.flatMap((rule) => {
      const after = watched.counted.get(rule.name)
      // What was stored until now was looked at.
      if (after === undefined) watched.counted.set(rule.name, now)
      return after === undefined || after >= until ? [] : [{ rule, condition: rule.condition!, after }]
    })
    for (let i = 0; i < due.length; i += AT_ONCE) {
      const some = due.slice(i, i + AT_ONCE)
      const row = await this.options.store.row<{ counts: string[] }>(countsWritten(projectId, some, until))
      for (const [position, { rule }] of some.entries()) {
        this.skip(watched, rule, Number(row?.counts[position] ?? 0))
        watched.counted.set(rule.name, until)
      }
    }
  }

  private skip(watched: Watched, rule: KnownRule, count: number): void {
    const progress = progressIn(watched, rule)
    progress.matched += count
    progress.skipped += count
    this.matched.inc({}, count)
    this.skipped.inc({}, count)
    if (count > 0) watched.isNoted = false
  }

  /** Keeps what a rule is to do because of what happened, unless that is kept already. */
  private async take(watched: Watched, rule: KnownRule, matches: readonly Match[]): Promise<void> {
    const { store, subjects } = this.options
    const { project_id: projectId, written_ver } = rule.row
    const kept = watched.kept.get(rule.name) ?? new Map<string, number>()
    watched.kept.set(rule.name, kept)
    const since = Number(written_ver)
    const unseen = matches.filter(({ key, at }) => at >= since && !kept.has(key))
    if (unseen.length === 0) return
    const ids = new Map(unseen.map((match) => [matchId(projectId, rule.name, match), match]))
    const known = await knownMatches(store, projectId, rule.name, [...ids.keys()])
    const fresh = await subjects.whole(
      projectId,
      [...ids].filter(([id]) => !known.has(id)),
    )
    const progress = progressIn(watched, rule)
    const room = Math.max(0, rule.definition!.max_per_day - progress.today)
    const taken = fresh.slice(0, room)
    const chains = await chainsOf(store, projectId, [
      ...new Set(taken.flatMap(([, match]) => (match.made === '' ? [] : [match.made]))),
    ])
    // Runs are ordered by this: a later match has a later time, and all its actions have the same.
    const now = Date.now() * 1000
    const runs = taken.flatMap(([id, match], i) =>
      actionRunsOf(rule, { id, ...match, at: now + i }, chains.get(match.made) ?? []),
    )
    if (runs.length > 0) await keepRuns(store, runs)
    this.performer.add(runs.filter(({ state }) => state === 'waiting'))
    for (const match of unseen) kept.set(match.key, match.at)
    progress.matched += taken.length
    progress.today += taken.length
    this.matched.inc({}, taken.length)
    if (taken.length > 0) watched.isNoted = false
    this.skip(watched, rule, fresh.length - taken.length)
  }

  /** Keeps how far projects were looked at: at once where something matched, else now and then, all in one insert. */
  private async note(): Promise<void> {
    const now = performance.now()
    if (now - this.notedAt > NOTE_MS) {
      this.notedAt = now
      for (const watched of this.projects.values()) watched.isNoted = false
    }
    const due = [...this.projects].filter(([, { isNoted }]) => !isNoted)
    if (due.length === 0) return
    await keepProgress(
      this.options.store,
      due.flatMap(([projectId, { lookback, progress }]) => [
        { ...none(projectId, ''), reached: lookback.reached },
        ...progress.values(),
      ]),
    )
    for (const [, watched] of due) watched.isNoted = true
  }
}

/** The actions of a match. @param match `at`: when it was found, µs since the epoch @param chain rules that led to it */
function actionRunsOf(
  rule: KnownRule,
  { id, at, subject }: Pick<Match, 'at' | 'subject'> & { id: string },
  chain: readonly string[],
): ActionRun[] {
  const isCut = chain.includes(rule.name) || chain.length >= LONGEST_CHAIN
  const problem = isCut ? `It was set off by itself: ${[...chain, rule.name].join(' → ')}.` : ''
  return rule.definition!.actions.map((action, position) => ({
    ...{ projectId: rule.row.project_id, rule: rule.name, id: runId(id, position), matchId: id, position },
    ...{ ref: rule.ref, subject, matchedAt: at, action, chain },
    ...{ state: isCut ? 'cut' : 'waiting', attempts: 0, nextAt: 0, result: '', made: '', problem },
  }))
}

const none = (projectId: string, rule: string): RuleProgress => ({
  ...{ projectId, rule, reached: 0, day: today(), today: 0, skipped: 0, matched: 0 },
})

/** The counts of a rule; those of a day begin anew with it. */
function progressIn(watched: Watched, { name, row }: KnownRule): RuleProgress {
  const progress = watched.progress.get(name) ?? none(row.project_id, name)
  const day = today()
  // A clock that is set back gives nobody a second day.
  if (progress.day < day) Object.assign(progress, { day, today: 0, skipped: 0 })
  watched.progress.set(name, progress)
  return progress
}
