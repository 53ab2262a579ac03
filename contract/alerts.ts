/** Declarations of alerts: metrics that are watched, and who is notified when one crosses a threshold. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Aggregation, CALL_METRICS, CallStatsReq, GROUPINGS, USAGE_METRICS } from './calls-read.js'
import { FeedbackMetricSpec } from './feedback-read.js'
import {
  component,
  longText,
  orNull,
  projectId,
  readInBody,
  shortText,
  timeOut,
  writeInBody,
} from './shared.js'

const tag = 'Alerts'

/** From good to bad; `no_data` only where an alert asks for it. */
export const ALERT_STATES = ['ok', 'no_data', 'warning', 'alert'] as const
export type AlertState = (typeof ALERT_STATES)[number]

const aggregated = {
  aggregation: Aggregation.default('avg'),
  percentile: orNull(z.number().min(0).max(100)).describe('in place of the aggregation'),
}

const OnCalls = component('AlertOnCalls', {
  type: z.literal('calls'),
  metric: z
    .enum([...CALL_METRICS, ...USAGE_METRICS])
    .describe('as in /calls/stats; the avg of error_count is the error rate'),
  ...aggregated,
  filter: CallStatsReq.shape.filter,
  query: CallStatsReq.shape.query,
  group_by: orNull(z.enum(GROUPINGS)).describe(
    'judge each group by itself: the 100 with the most calls or tokens',
  ),
})
/** What alerts on feedback may be grouped by: what it says, who gave it, or its call. */
const FEEDBACK_GROUPINGS = ['value', 'creator', ...GROUPINGS] as const

const OnFeedback = component('AlertOnFeedback', {
  type: z.literal('feedback'),
  feedback_type: shortText.min(1),
  json_path: FeedbackMetricSpec.shape.json_path.default('output'),
  value_type: FeedbackMetricSpec.shape.value_type,
  ...aggregated,
  group_by: orNull(z.enum(FEEDBACK_GROUPINGS)).describe(
    'judge each group by itself: the 100 with the most feedback. By value: of a label; by creator: of who gave it; else of the call that it is about',
  ),
})
const OnSql = component('AlertOnSql', {
  type: z.literal('sql'),
  query: z
    .string()
    .min(1)
    .max(65_536)
    .describe(
      'as in /sql, with {since:DateTime64} and {until:DateTime64}; the column `value` is judged, `count` is how many rows it is of, all others name the group',
    ),
})
const Source = z.discriminatedUnion('type', [OnCalls, OnFeedback, OnSql])
export type AlertSource = z.output<typeof Source>
export type AlertOnCalls = z.output<typeof OnCalls>
export type AlertOnFeedback = z.output<typeof OnFeedback>
export type FeedbackGrouping = (typeof FEEDBACK_GROUPINGS)[number]

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Should be a time of day, such as 22:00')
const QuietHours = component('AlertQuietHours', {
  days: z.array(z.int().min(1).max(7)).min(1).max(7).describe('on which they begin; 1 is Monday'),
  from: clock,
  to: clock.describe('not after `from`: on the next day'),
  timezone: z.string().max(100).default('UTC').describe('an IANA time zone'),
})
export type QuietHours = z.output<typeof QuietHours>

const judged = {
  source: Source,
  window_seconds: z.int().min(60).max(2_678_400).default(900).describe('the value is of so long before now'),
  comparison: z.enum(['>', '>=', '<', '<=']).default('>'),
  alert_at: z.number(),
  warn_at: orNull(z.number()),
  minimum_count: z.int().min(0).default(1).describe('a value of fewer rows is not judged'),
}

/** What an alert is, as it is sent and kept. */
const definition = {
  description: orNull(longText),
  ...judged,
  no_data: z
    .enum(['ok', 'keep', 'alert'])
    .default('ok')
    .describe('what too few rows mean; alert: notify, if it is not grouped'),
  renotify_minutes: orNull(z.int().min(1).max(43_200)).describe('notify again while it lasts; null: once'),
  message: orNull(z.string().max(4000)).describe(
    'replaces the usual text; {{name}}, {{state}}, {{group}}, {{value}}, {{threshold}} and others are filled in',
  ),
  channels: z.array(shortText.min(1)).max(20).default([]).describe('names of notification channels'),
  quiet_hours: z.array(QuietHours).max(20).default([]),
  active: z.boolean().default(true),
}
/** Names are shown in addresses and commands. */
const alertName = z.string().regex(/^[\w.-]{1,128}$/, 'Should be of letters, digits, "_", "." and "-"')

export const AlertDefinition = z.object(definition)
export type AlertDefinition = z.output<typeof AlertDefinition>

const AlertStatus = component('AlertStatus', {
  name: z.string(),
  ...definition,
  state: z.enum(ALERT_STATES).describe('the worst of its groups'),
  groups: z
    .array(
      z.object({
        group: z.string().nullable(),
        state: z.enum(ALERT_STATES),
        value: z.number().nullable().describe('when the state began'),
        since: timeOut,
      }),
    )
    .describe('those that are not ok'),
  checked_at: timeOut.nullable(),
  value: z.number().nullable().describe('at the last check; of the worst group'),
  muted_until: timeOut.nullable(),
  problem: z.string().nullable().describe('why it can not be checked; null: it is'),
})

const named = { project_id: projectId, alert: alertName.describe('its name') }

const AlertSaveReq = component('AlertSaveReq', { project_id: projectId, name: alertName, ...definition })

export const alertSave = route({
  ...writeInBody,
  id: 'alert_save',
  audit: { category: 'automation', names: ['body.name', 'body.active', 'body.channels'] },
  path: '/alerts/save',
  tag,
  summary: 'Make an alert, or replace the one of this name',
  body: AlertSaveReq,
  answer: component('AlertSaveRes', { name: z.string() }),
})

export const alertsQuery = route({
  ...readInBody,
  id: 'alerts_query',
  path: '/alerts/query',
  tag,
  summary: 'List the alerts of a project, with their states',
  body: component('AlertsQueryReq', { project_id: projectId }),
  answer: component('AlertsQueryRes', { alerts: z.array(AlertStatus) }),
})

export const alertDelete = route({
  ...writeInBody,
  id: 'alert_delete',
  audit: { category: 'automation', names: ['body.alert'] },
  path: '/alerts/delete',
  tag,
  summary: 'Delete an alert, and send that it is over',
  body: component('AlertDeleteReq', named),
  answer: component('AlertDeleteRes', { name: z.string() }),
})

export const alertMute = route({
  ...writeInBody,
  id: 'alert_mute',
  audit: { category: 'automation', names: ['body.alert', 'body.until'] },
  path: '/alerts/mute',
  tag,
  summary: 'Mute an alert for a time, or end that',
  body: component('AlertMuteReq', {
    ...named,
    until: orNull(z.iso.datetime({ offset: true })).describe('null: no longer'),
  }),
  answer: component('AlertMuteRes', { muted_until: timeOut.nullable() }),
})

const AlertPreviewReq = component('AlertPreviewReq', {
  project_id: projectId,
  ...judged,
  windows: z.int().min(1).max(200).default(60).describe('how many windows back, one after the other'),
})

export const alertPreview = route({
  ...readInBody,
  id: 'alert_preview',
  path: '/alerts/preview',
  tag,
  summary: 'Show the values that an alert would have judged, before it is made',
  body: AlertPreviewReq,
  answer: component('AlertPreviewRes', {
    points: z.array(
      z.object({
        timestamp: timeOut.describe('when the window ends'),
        group: z.string().nullable(),
        value: z.number().nullable(),
        count: z.int(),
        state: z.enum(ALERT_STATES),
      }),
    ),
  }),
})

export const alertHistory = route({
  ...readInBody,
  id: 'alert_history',
  path: '/alerts/history',
  tag,
  summary: 'List changes of alerts, the newest first, and who was notified',
  body: component('AlertHistoryReq', {
    project_id: projectId,
    alert: orNull(alertName).describe('its name; null: of all'),
    limit: z.int().min(1).max(1000).default(100),
  }),
  answer: component('AlertHistoryRes', {
    events: z.array(
      component('AlertEvent', {
        id: z.string(),
        alert: z.string(),
        group: z.string().nullable(),
        state: z.enum(ALERT_STATES),
        previous_state: z.enum(ALERT_STATES),
        value: z.number().nullable(),
        threshold: z.number().nullable(),
        at: timeOut,
        reason: z.string().nullable().describe('null: its value changed'),
        notified: z
          .boolean()
          .describe('false: it was muted, had no channel, or people know this state already'),
        deliveries: z.array(
          component('AlertDelivery', {
            channel: z.string(),
            state: z.enum(['waiting', 'delivered', 'failed']),
            attempts: z.int(),
            next_at: timeOut.nullable(),
            problem: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
})
