/** What alerts noticed, and who was notified: one row for each change, and one for each channel. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Change, Standing } from './judge.js'

/** A change of an alert, with the text of its notification. */
export interface AlertEvent extends Change {
  /** internal */
  projectId: string
  alert: string
  grouping: string
  channels: readonly string[]
  text: string
}

/** How far its delivery by one channel has come. */
export interface Delivery {
  channel: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** µs since the epoch; 0: never */
  nextAt: number
  problem: string
}

export async function keepEvents(store: Store, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return
  const ver = String(nextVersion())
  await store.insertRows(
    'alert_events',
    events.map(({ projectId, group, isNotified, at, ...event }) => ({
      ...{
        ...event,
        project_id: projectId,
        grp: group,
        is_told: isNotified ? 1 : 0,
        at: isoOfMicros(at),
        ver,
      },
    })),
  )
}

export async function keepDelivery(store: Store, event: AlertEvent, delivery: Delivery): Promise<void> {
  const { channel, state, attempts, nextAt, problem } = delivery
  await store.insertRows('alert_deliveries', [
    {
      ...{ project_id: event.projectId, alert: event.alert, event_id: event.id, channel, state, attempts },
      ...{ next_at: isoOfMicros(nextAt), problem, at: isoOfMicros(event.at), ver: String(nextVersion()) },
    },
  ])
}

/** How a group of an alert stands, what it is a group of, and which channels were last to be notified. */
export interface KnownStanding
  extends Standing,
    Pick<AlertEvent, 'projectId' | 'alert' | 'grouping' | 'channels' | 'value'> {}

interface StandingRow extends Pick<KnownStanding, 'alert' | 'notified' | 'last'> {
  project_id: string
  grp: string
  group_of: string
  state_now: KnownStanding['state']
  notified_by: string[]
  value_now: number | null
  since: string
  notified_at: string
  last_at: string
}

/** Of each group that ever was not ok. @param projectId default: of all projects */
export async function standingsOf(store: Store, projectId?: string): Promise<KnownStanding[]> {
  const those = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  const micros = sql`toUnixTimestamp64Micro`
  const rows = await store.rows<StandingRow>(sql`
    SELECT project_id, alert, grp, argMax(grouping, at) AS group_of, argMax(channels, at) AS notified_by,
      argMax(tuple(value), at).1 AS value_now,
      toString(argMax(state, at)) AS state_now, argMax(id, at) AS last,
      toString(argMaxIf(state, at, is_told = 1)) AS notified,
      toString(${micros}(max(at))) AS last_at,
      toString(${micros}(maxIf(at, state != previous))) AS since,
      toString(${micros}(maxIf(at, is_told = 1))) AS notified_at
    FROM (SELECT * FROM alert_events FINAL ${those}) AS events
    GROUP BY project_id, alert, grp`)
  return rows.map((row) => ({
    ...{ projectId: row.project_id, alert: row.alert, group: row.grp, grouping: row.group_of },
    ...{
      state: row.state_now,
      notified: row.notified,
      last: row.last,
      channels: row.notified_by,
      value: row.value_now,
    },
    ...{ since: Number(row.since), notifiedAt: Number(row.notified_at), lastAt: Number(row.last_at) },
  }))
}

interface EventRow
  extends Pick<AlertEvent, 'alert' | 'id' | 'grouping' | 'state' | 'previous' | 'reason' | 'text'> {
  project_id: string
  grp: string
  value: number | null
  threshold: number | null
  is_told: 0 | 1
  channels: string[]
  noticed: string
  deliveries: [string, Delivery['state'], number, string, string][]
}

export interface ToldEvent extends AlertEvent {
  /** of the channels by which it was tried at least once */
  deliveries: Delivery[]
}

/** The newest of a project, the newest first. @param alert default: of all */
export function historyOf(
  store: Store,
  projectId: string,
  alert: string | undefined,
  limit: number,
): Promise<ToldEvent[]> {
  const own = sql`project_id = ${bind.string(projectId)}`
  const those = alert === undefined ? own : sql`${own} AND alert = ${bind.string(alert)}`
  return eventsWhere(store, those, sql`LIMIT ${bind.uint(limit)}`)
}

/** Changes in all projects since then that people are notified of. @param since µs since the epoch */
export async function toldSince(store: Store, since: number): Promise<ToldEvent[]> {
  const those = sql`at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC')`
  return (await eventsWhere(store, those, sql``)).filter(({ isNotified }) => isNotified)
}

/** @param those of rows of events, and of deliveries */
async function eventsWhere(store: Store, those: Sql, limit: Sql): Promise<ToldEvent[]> {
  const micros = sql`toUnixTimestamp64Micro`
  const rows = await store.rows<EventRow>(sql`
    SELECT project_id, alert, id, grp, grouping, toString(state) AS state, toString(previous) AS previous, value,
      threshold, reason, is_told, channels, text, toString(${micros}(at)) AS noticed, deliveries
    FROM (SELECT * FROM alert_events FINAL WHERE ${those} ORDER BY at DESC, id ${limit}) AS events
    LEFT ANY JOIN (
      SELECT event_id, groupArray((channel, toString(state), attempts, toString(${micros}(next_at)), problem)) AS deliveries
      FROM alert_deliveries FINAL WHERE ${those} GROUP BY event_id) AS sent ON sent.event_id = events.id
    ORDER BY at DESC, id`)
  return rows.map((row) => ({
    ...{ projectId: row.project_id, alert: row.alert, id: row.id, group: row.grp, grouping: row.grouping },
    ...{ state: row.state, previous: row.previous, value: row.value, threshold: row.threshold },
    ...{ reason: row.reason, isNotified: row.is_told === 1, channels: row.channels, text: row.text },
    at: Number(row.noticed),
    deliveries: row.deliveries.map(([channel, state, attempts, nextAt, problem]) => ({
      ...{ channel, state, attempts: Number(attempts), nextAt: Number(nextAt), problem },
    })),
  }))
}
