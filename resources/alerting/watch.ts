/**
 * Checks alerts when they are due, keeps and sends what changes. One process at a time does it, by a lease; another
 * one goes on from what was kept.
 */

import { isBatchable } from '../../domain/alerts/values.js'
import { newestWrites, READABLE_WITHIN_US } from '../../domain/calls/read/written.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { piecesOf } from '../../platform/batch/pieces.js'
import { HeddleError } from '../../platform/errors/error.js'
import { service } from '../../platform/fairness/caller.js'
import { LeasedWork, type Turn, type WatchOptions } from '../../platform/leases/leased-work.js'
import type { Sender } from '../notifications/sender.js'
import { type Alert, alertsMark, alertsOf } from './alerts.js'
import { Deliveries } from './deliveries.js'
import { type AlertEvent, type KnownStanding, keepEvents, standingsOf } from './events.js'
import { after, end, isOpen, judge, type Measured, worstOf } from './judge.js'
import { type LastCheck, LastChecks } from './last-checks.js'
import { type Measures, nothingOf } from './measure.js'
import { endedText, groupingOf, textOf } from './message.js'
import { isMuted } from './quiet.js'

const TICK_MS = 1000
/** From one check of an alert to the next: a twentieth of its window, within these. */
const OFTEN_MS = 15_000
const SELDOM_MS = 60_000
const CHECKS_A_WINDOW = 20
/** A check that takes long is made that much more seldom. */
const REST = 20
/** Entities whose alerts are checked at the same time. */
const AT_ONCE = 8
/** Alerts in one statement. */
const MOST_IN_BATCH = 50

export interface AlertWatchOptions extends WatchOptions {
  measures: Measures
  sender: Sender
  register: ProjectRegister
  urlOf: (project: string) => string
}

/** What is known of an alert that is checked. */
interface Watched {
  alert: Alert
  /** performance.now() */
  dueAt: number
  /** the calls of its project that were stored until then (µs) gave nothing; undefined: they gave something */
  emptyAt: number | undefined
}

export class AlertWatch {
  private readonly work: LeasedWork
  private readonly deliveries: Deliveries
  private readonly checks: LastChecks
  /** by {@link keyOf}: all, also those that are turned off */
  private alerts = new Map<string, Alert>()
  /** by {@link keyOf}: those that are checked */
  private watched = new Map<string, Watched>()
  /** by {@link keyOf}: the groups of all, by name */
  private standings = new Map<string, Map<string, KnownStanding>>()
  /** by entity: checks under way */
  private readonly busy = new Map<string, Promise<void>>()
  private mark = ''
  private readonly checked
  private readonly failures
  private readonly changes

  constructor(private readonly options: AlertWatchOptions) {
    const { redisUrl, metrics } = options
    this.deliveries = new Deliveries(options)
    this.checked = metrics.counter('alert_checks_total', 'Checks of alerts, by their result.', ['result'])
    this.changes = metrics.counter('alert_changes_total', 'Changes of alerts, by the new state.', ['state'])
    this.failures = metrics.counter('alert_failures_total', 'Times that no alert could be checked.')
    metrics.gauge('alerts_active', 'Alerts that this process checks.', () =>
      this.work.isHeld ? this.watched.size : 0,
    )
    this.work = new LeasedWork({
      ...{ redisUrl, name: 'alerts', everyMs: TICK_MS },
      forget: () => {
        this.watched = new Map()
        this.deliveries.forget()
        this.mark = ''
      },
      taken: () => this.deliveries.load(Date.now() * 1000),
      work: (turn) => this.once(turn),
      failed: (error) => this.couldNot(error),
    })
    this.checks = new LastChecks(this.work.redis!)
  }

  start(): void {
    this.work.start()
  }

  stop(): Promise<void> {
    return this.work.stop(() => Promise.all([...this.busy.values(), this.deliveries.idle()]))
  }

  private async once({ isMine, signal }: Turn): Promise<void> {
    await this.refresh()
    await this.checkDue(isMine, signal)
    this.deliveries.attempt(isMine)
    await this.checks.keep()
  }

  /** Why no process checks alerts now; undefined: one does. */
  whyNobody(): Promise<string | undefined> {
    return this.work.whyNobody()
  }

  /** When the alerts of a project were checked last. */
  lastChecks(projectId: string): Promise<Map<string, LastCheck>> {
    return this.checks.read(projectId)
  }

  /** Reads the alerts again if one was written, and resolves what is not checked any more. */
  private async refresh(): Promise<void> {
    const mark = await alertsMark(this.options.marks)
    if (mark !== this.mark) await this.read()
    this.mark = mark
    const open = [...this.standings.values()].flatMap((groups) => [...groups.values()].filter(isOpen))
    await this.keep(open.flatMap((one) => this.ended(one)))
  }

  private async read(): Promise<void> {
    const { store, register } = this.options
    const all = await alertsOf(store)
    const known = this.mark === '' ? await standingsOf(store) : undefined
    await register.learn([...all, ...(known ?? [])].map(({ projectId }) => projectId))
    if (known) this.standings = grouped(known)
    const before = this.watched
    this.alerts = new Map(all.map((alert) => [keyOf(alert), alert]))
    const active = [...this.alerts].filter(([, { definition }]) => definition.active)
    this.watched = new Map(
      active.map(([key, alert]) => {
        const one = before.get(key)
        // The others go on as they were: a change of one must not make a thousand checks.
        return [key, one?.alert.ver === alert.ver ? one : { alert, dueAt: 0, emptyAt: undefined }]
      }),
    )
  }

  /** That a group is over because of how its alert is now, if it is. */
  private ended(standing: KnownStanding): AlertEvent[] {
    const { projectId, alert: name, grouping, group, channels } = standing
    const key = keyOf({ projectId, name })
    const alert = this.alerts.get(key)
    const reason =
      alert === undefined
        ? 'the alert was deleted'
        : !alert.definition.active
          ? 'the alert was turned off'
          : groupingOf(alert.definition.source) !== grouping
            ? 'the alert was changed'
            : undefined
    if (reason === undefined) return []
    const project = this.options.register.nameOf(projectId) ?? ''
    const text = endedText({ project, name, grouping, group }, reason)
    return [
      { ...end(key, standing, reason, Date.now() * 1000), projectId, alert: name, grouping, channels, text },
    ]
  }

  /** Begins the checks that are due, one after the other for each entity: what is slow holds up nobody else. */
  private async checkDue(isMine: () => boolean, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const due = [...this.watched.values()].filter(
      (one) => one.dueAt <= now && !this.busy.has(this.entityOf(one)),
    )
    if (due.length === 0) return
    const idle = await this.idleOnes(due)
    for (const one of idle) await this.conclude(one, nothingOf(one.alert.definition.source), 'skipped')
    const entities = groupBy(
      due.filter((one) => !idle.has(one)),
      (one) => this.entityOf(one),
    )
    for (const [entity, own] of entities) {
      if (this.busy.size >= AT_ONCE) return
      const work = this.checkAll(own, isMine, signal).finally(() => this.busy.delete(entity))
      this.busy.set(entity, work)
    }
  }

  private async checkAll(due: readonly Watched[], isMine: () => boolean, signal: AbortSignal): Promise<void> {
    for (const unit of unitsOf(due)) {
      if (!isMine()) return
      await this.check(unit, signal).catch((error: unknown) => {
        if (!signal.aborted) this.couldNot(error)
      })
    }
  }

  private couldNot(error: unknown): void {
    this.failures.inc()
    this.options.log.debug({ err: error }, 'could not check alerts; trying again in a second')
  }

  private entityOf({ alert }: Watched): string {
    return this.options.register.nameOf(alert.projectId)?.split('/')[0] ?? ''
  }

  /** Those that had nothing to judge, and whose projects got no calls since. */
  private async idleOnes(due: readonly Watched[]): Promise<Set<Watched>> {
    const empty = due.filter(({ emptyAt }) => emptyAt !== undefined)
    if (empty.length === 0) return new Set()
    const ids = [...new Set(empty.map(({ alert }) => alert.projectId))]
    const since = Math.min(...empty.map(({ emptyAt }) => emptyAt!)) - READABLE_WITHIN_US
    const written = await newestWrites(this.options.store, ids, since)
    return new Set(
      empty.filter(
        ({ alert, emptyAt }) => (written.get(alert.projectId) ?? 0) <= emptyAt! - READABLE_WITHIN_US,
      ),
    )
  }

  /** Measures alerts of one project over one length of time, together if they are several. */
  private async check(unit: readonly Watched[], signal: AbortSignal): Promise<void> {
    const [{ projectId, definition }] = unit.map(({ alert }) => alert) as [Alert]
    const project = this.options.register.nameOf(projectId)
    if (project === undefined) return
    const { measures } = this.options
    const { window_seconds: seconds } = definition
    const asked = { caller: service('alerts'), signal }
    const now = Date.now()
    const began = performance.now()
    try {
      const sources = unit.map(({ alert }) => alert.definition.source)
      const measured =
        sources.length > 1
          ? await measures.batch(project, sources.filter(isBatchable), seconds, now, asked)
          : [(await measures.windows(project, sources[0]!, seconds, 1, now, asked))[0]!.measured]
      const took = performance.now() - began
      for (const [i, one] of unit.entries()) await this.conclude(one, measured[i]!, 'measured', now, took)
    } catch (error) {
      if (!(error instanceof HeddleError) || error.status === 503) throw error
      // One that can't be measured must not hide the others.
      if (unit.length > 1) for (const one of unit) await this.check([one], signal)
      else this.failed(unit[0]!, error, performance.now() - began)
    }
  }

  /** Judges what was measured. @param now ms since the epoch @param took ms */
  private async conclude(
    watched: Watched,
    measured: readonly Measured[],
    result: 'measured' | 'skipped',
    now = Date.now(),
    took = 0,
  ): Promise<void> {
    const { alert } = watched
    const { projectId, name, definition } = alert
    const { source, quiet_hours, channels } = definition
    // It was changed or deleted while it was measured.
    if (this.watched.get(keyOf(alert)) !== watched) return
    const project = this.options.register.nameOf(projectId) ?? ''
    // Without a channel nobody hears of it: those that get one later do, as after a mute.
    const muted = channels.length === 0 || isMuted(quiet_hours, alert.mutedUntil / 1000, now)
    const key = keyOf(alert)
    const standings = this.standings.get(key) ?? new Map()
    const changes = judge(key, definition, standings, measured, now * 1000, muted)
    const about = { project, name, definition, url: this.options.urlOf(project) }
    await this.keep(
      changes.map((change) => ({
        ...{ ...change, projectId, alert: name, grouping: groupingOf(source), channels },
        text: textOf(about, change),
      })),
    )
    const hasNothing = source.type === 'calls' && measured.every(({ count }) => count === 0)
    watched.emptyAt = hasNothing ? now * 1000 : undefined
    watched.dueAt = dueAfter(definition.window_seconds, took)
    this.checks.note(alert, { at: now, value: worstOf(definition, measured), problem: '' })
    this.checked.inc({ result })
  }

  private failed(watched: Watched, error: HeddleError, took: number): void {
    watched.dueAt = dueAfter(watched.alert.definition.window_seconds, took)
    this.checks.note(watched.alert, { at: Date.now(), value: null, problem: error.message })
    this.checked.inc({ result: 'failed' })
  }

  /** Keeps events, then lets them count and sends them: what isn't kept did not happen. */
  private async keep(events: readonly AlertEvent[]): Promise<void> {
    await keepEvents(this.options.store, events)
    for (const event of events) {
      const { projectId, alert, grouping, channels, value } = event
      const groups = this.standings.get(keyOf({ projectId, name: alert })) ?? new Map<string, KnownStanding>()
      this.standings.set(keyOf({ projectId, name: alert }), groups)
      const standing = after(groups.get(event.group), event)
      groups.set(event.group, { ...standing, projectId, alert, grouping, channels, value })
      this.changes.inc({ state: event.state })
    }
    this.deliveries.add(events)
  }
}

const keyOf = ({ projectId, name }: Pick<Alert, 'projectId' | 'name'>) => `${projectId}/${name}`

/** Those of one project and length of time that can be measured in one statement are together. */
function unitsOf(due: readonly Watched[]): Watched[][] {
  const byUnit = groupBy(due, ({ alert: { projectId, name, definition } }) => {
    const { source, window_seconds } = definition
    return JSON.stringify([projectId, window_seconds, isBatchable(source) ? '' : name])
  })
  return [...byUnit.values()].flatMap((unit) => [
    ...piecesOf(unit, () => 1, { items: MOST_IN_BATCH, bytes: MOST_IN_BATCH }),
  ])
}

/**
 * When an alert is checked next (performance.now()). Those that are checked as often are due at the same moments: so they are
 * measured together, and what was just written is made readable once for all.
 * @param took ms that the check took
 */
function dueAfter(windowSeconds: number, took: number): number {
  const often = Math.min(SELDOM_MS, Math.max(OFTEN_MS, (windowSeconds * 1000) / CHECKS_A_WINDOW))
  const turns = Math.max(1, Math.ceil((took * REST) / often))
  return performance.now() + turns * often - (Date.now() % often)
}

function grouped(all: readonly KnownStanding[]): Map<string, Map<string, KnownStanding>> {
  const found = new Map<string, Map<string, KnownStanding>>()
  for (const one of all) {
    const key = keyOf({ projectId: one.projectId, name: one.alert })
    found.set(key, (found.get(key) ?? new Map()).set(one.group, one))
  }
  return found
}
