import * as contract from '../../contract/alerts.js'
import { AlertDefinition } from '../../contract/alerts.js'
import { isTimeZone } from '../../domain/calls/read/buckets.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { NO_REDIS } from '../../platform/redis/connection.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { microsOf } from '../../platform/time/micros.js'
import type { Channels } from '../notifications/channels.js'
import type { Parts } from '../parts.js'
import { type Alert, alertsOf, keepAlert } from './alerts.js'
import { historyOf, standingsOf, type ToldEvent } from './events.js'
import { isOpen, stateOf } from './judge.js'
import type { Measures } from './measure.js'
import { checkTemplate } from './message.js'
import type { AlertWatch } from './watch.js'

const MOST = 1000

interface AlertingParts extends Pick<Parts, 'store' | 'register'> {
  measures: Measures
  channels: Channels
  /** undefined: nothing checks alerts here */
  watch: AlertWatch | undefined
}

export function alertingRoutes({ store, register, measures, channels, watch }: AlertingParts): Bound[] {
  const named = async (project: string, name: string): Promise<Alert> => {
    const found = (await alertsOf(store, projectIdOf(project))).find((one) => one.name === name)
    if (!found) throw errors.notFound(`Alert ${name}`)
    return found
  }

  return [
    serve(contract.alertSave, async ({ body, principal, signal }) => {
      const { project_id: project, name, ...rest } = body
      const definition = AlertDefinition.parse(rest)
      check(definition)
      const projectId = projectIdOf(project)
      const [all, known] = await Promise.all([alertsOf(store, projectId), channels.list(projectId)])
      const before = all.find((one) => one.name === name)
      if (!before && all.length >= MOST)
        throw errors.badRequest(`A project may have ${MOST} alerts; delete one first.`)
      // One that was deleted since keeps nobody from changing the rest.
      const names = [...known.map((channel) => channel.name), ...(before?.definition.channels ?? [])]
      const missing = definition.channels.find((one) => !names.includes(one))
      if (missing !== undefined) throw errors.notFound(`Notification channel ${missing}`)
      // What can't be measured is refused here, to the one who wrote it.
      const asked = { caller: principal.caller, signal }
      await measures.windows(project, definition.source, definition.window_seconds, 1, Date.now(), asked)
      await register.note([project])
      const mutedUntil = before?.mutedUntil ?? 0
      await keepAlert(store, { projectId, name, definition, mutedUntil, userId: principal.userId })
      return { name }
    }),
    serve(contract.alertsQuery, async ({ body }) => {
      const projectId = projectIdOf(body.project_id)
      const [alerts, standings, checks, why] = await Promise.all([
        alertsOf(store, projectId),
        standingsOf(store, projectId),
        watch?.lastChecks(projectId),
        watch === undefined ? NO_REDIS : watch.whyNobody(),
      ])
      const nobody = why && `This server checks no alerts now: ${why}.`
      const open = groupBy(standings.filter(isOpen), ({ alert }) => alert)
      return {
        alerts: alerts.map(({ name, definition, mutedUntil }) => {
          const groups = (open.get(name) ?? []).filter(({ state }) => state !== 'ok')
          const last = checks?.get(name)
          const ranks = groups.map(({ state }) => contract.ALERT_STATES.indexOf(state))
          return {
            ...{ name, ...definition },
            state: contract.ALERT_STATES[Math.max(0, ...ranks)]!,
            groups: groups.map(({ group, state, value, since }) => ({
              ...{ group: group || null, state, value, since: isoOfMicros(since) },
            })),
            checked_at: last ? isoOfMicros(last.at * 1000) : null,
            value: last?.value ?? null,
            muted_until: mutedUntil > Date.now() * 1000 ? isoOfMicros(mutedUntil) : null,
            problem: nobody || last?.problem || null,
          }
        }),
      }
    }),
    serve(contract.alertDelete, async ({ body, principal }) => {
      const found = await named(body.project_id, body.alert)
      await keepAlert(store, { ...found, userId: principal.userId }, true)
      return { name: body.alert }
    }),
    serve(contract.alertMute, async ({ body, principal }) => {
      const found = await named(body.project_id, body.alert)
      const mutedUntil = body.until === null ? 0 : microsOf(body.until)
      await keepAlert(store, { ...found, mutedUntil, userId: principal.userId })
      return { muted_until: body.until === null ? null : isoOfMicros(mutedUntil) }
    }),
    serve(contract.alertPreview, async ({ body, principal, signal }) => {
      const { project_id: project, source, window_seconds, windows, ...thresholds } = body
      const asked = { caller: principal.caller, signal }
      const found = await measures.windows(project, source, window_seconds, windows, Date.now(), asked)
      const judged = { ...thresholds, no_data: 'ok' as const }
      return {
        points: found.flatMap(({ end, measured }) =>
          measured.map((one) => ({
            timestamp: isoOfMicros(end * 1e6),
            ...{ group: one.group || null, value: one.value, count: one.count },
            state: stateOf(judged, one) ?? 'ok',
          })),
        ),
      }
    }),
    serve(contract.alertHistory, async ({ body }) => {
      const { project_id: project, alert, limit } = body
      const events = await historyOf(store, projectIdOf(project), alert ?? undefined, limit)
      return { events: events.map(shown) }
    }),
  ]
}

/** @throws 400, 422 for what could never be judged or delivered */
function check(definition: AlertDefinition): void {
  const { comparison, alert_at, warn_at, no_data, source, message, quiet_hours } = definition
  const isWarned = warn_at === null || (comparison.startsWith('>') ? warn_at < alert_at : warn_at > alert_at)
  if (!isWarned)
    throw errors.badRequest(
      `warn_at is reached before alert_at: it should be ${comparison.startsWith('>') ? 'less' : 'more'}.`,
    )
  const isGrouped = source.type !== 'sql' && source.group_by !== null
  if (no_data === 'alert' && isGrouped)
    throw errors.badRequest(
      'An alert with groups cannot notice that there is no data: leave out group_by, or no_data.',
    )
  if (source.type === 'feedback' && source.percentile !== null && source.value_type !== 'numeric')
    throw errors.badRequest('A percentile is of numbers: set value_type to numeric, or leave out percentile.')
  if (message !== null) checkTemplate(message)
  for (const { timezone, from, to } of quiet_hours) {
    if (!isTimeZone(timezone))
      throw errors.badRequest(`"${timezone}" is not a time zone, such as Europe/Berlin.`)
    if (from === to) throw errors.badRequest('Quiet hours that end when they begin: mute the alert instead.')
  }
}

function shown(event: ToldEvent) {
  const {
    id,
    alert,
    group,
    state,
    previous,
    value,
    threshold,
    at,
    reason,
    isNotified,
    channels,
    deliveries,
  } = event
  const waiting = { state: 'waiting' as const, attempts: 0, nextAt: 0, problem: '' }
  return {
    ...{ id, alert, group: group || null, state, previous_state: previous, value, threshold },
    ...{ at: isoOfMicros(at), reason: reason || null, notified: isNotified },
    deliveries: (isNotified ? channels : []).map((channel) => {
      const known = deliveries.find((one) => one.channel === channel) ?? { channel, ...waiting }
      return {
        ...{ channel, state: known.state, attempts: known.attempts, problem: known.problem || null },
        next_at: known.nextAt === 0 ? null : isoOfMicros(known.nextAt),
      }
    }),
  }
}
