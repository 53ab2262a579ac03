/** What alerts noticed, and who was notified: one row for each change, and one for each channel. */
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { COLUMNS_FIRST, type Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Change, Standing } from './judge.js'

/** A change of an alert, with the text of its notification. */
export interface AlertEvent extends Change {
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

/** Of each group that ever was not ok. @param projectId default: of all projects */
export function standingsOf(store: Store, projectId?: string): Promise<KnownStanding[]> {
  const those = projectId === undefined ? sql`` : sql`WHERE project_id = ${bind.string(projectId)}`
  const micros = sql`toUnixTimestamp64Micro`
  return store.rows<KnownStanding>(
    sql`SELECT project_id AS projectId, alert, grp AS group, argMax(grouping, at) AS grouping, argMax(channels, at) AS channels,
      argMax(tuple(value), at).1 AS value, argMax(state, at) AS state, argMax(id, at) AS last,
      argMaxIf(state, at, is_told = 1) AS notified, ${micros}(max(at)) AS lastAt,
      ${micros}(maxIf(at, state != previous)) AS since, ${micros}(maxIf(at, is_told = 1)) AS notifiedAt
    FROM (SELECT * FROM alert_events FINAL ${those}) AS events
    GROUP BY project_id, alert, grp`,
    COLUMNS_FIRST,
  )
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
  const those = sql`at >= ${instant(since)}`
  return (await eventsWhere(store, those, sql``)).filter(({ isNotified }) => isNotified)
}

/** @param those of rows of events, and of deliveries */
function eventsWhere(store: Store, those: Sql, limit: Sql): Promise<ToldEvent[]> {
  const micros = sql`toUnixTimestamp64Micro`
  const delivery = sql`Tuple(channel String, state String, attempts UInt32, nextAt Int64, problem String)`
  return store.rows<ToldEvent>(
    sql`SELECT project_id AS projectId, alert, id, grp AS group, grouping, state, previous, value, threshold, reason,
      CAST(is_told, 'Bool') AS isNotified, channels, text, ${micros}(events.at) AS at, deliveries
    FROM (SELECT * FROM alert_events FINAL WHERE ${those} ORDER BY at DESC, id ${limit}) AS events
    LEFT ANY JOIN (
      SELECT event_id, CAST(groupArray((channel, state, attempts, ${micros}(next_at), problem)), 'Array(${delivery})') AS deliveries
      FROM alert_deliveries FINAL WHERE ${those} GROUP BY event_id) AS sent ON sent.event_id = events.id
    ORDER BY events.at DESC, id`,
    COLUMNS_FIRST,
  )
}
