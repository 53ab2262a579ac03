/** Declarations of monitors: what they did, what one would match, and scores for calls of the past. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Query } from './query-expr.js'
import { component, orNull, projectId, readInBody, shortText, timeOut, writeInBody } from './shared.js'

const Backfill = component('MonitorBackfill', {
  state: z.enum(['running', 'paused', 'done', 'cancelled']),
  since: timeOut,
  until: timeOut,
  at: timeOut.describe('calls that began later were looked at'),
  progress: z.number().describe('0 to 1, of the time'),
  matched: z.int(),
})

const Monitor = component('MonitorStatus', {
  name: z.string(),
  ref: z.string(),
  active: z.boolean(),
  op_names: z.array(z.string()),
  sampling_rate: z.number(),
  scorers: z.array(z.string()),
  matched: z.int().describe('calls, since it is there'),
  queued_today: z.int().describe('scores that were given to workers on this day (UTC)'),
  skipped_today: z.int().describe('matches that were not scored; problem says why'),
  problem: z.string().nullable().describe('why it scores nothing; null: it does'),
  backfill: Backfill.nullable(),
})

export const monitorsQuery = route({
  ...readInBody,
  id: 'monitors_query',
  path: '/monitors/query',
  tag: 'Monitors',
  summary: 'List the monitors of a project, with what they matched',
  body: component('MonitorsQueryReq', { project_id: projectId }),
  answer: component('MonitorsQueryRes', { monitors: z.array(Monitor) }),
})

export const monitorPreview = route({
  ...readInBody,
  id: 'monitor_preview',
  path: '/monitors/preview',
  tag: 'Monitors',
  summary: 'Show which calls a monitor would match, before it is made',
  body: component('MonitorPreviewReq', {
    project_id: projectId,
    name: shortText.min(1).default('preview').describe('which calls a sample has follows from the name'),
    op_names: orNull(z.array(shortText.min(1)).max(1000)),
    query: orNull(Query),
    sampling_rate: z.number().min(0).max(1).default(1),
    hours: z.number().min(0.01).max(720).default(168).describe('how far back'),
  }),
  answer: component('MonitorPreviewRes', {
    matched: z.int(),
    calls: z.array(
      z.object({ id: z.string(), trace_id: z.string(), op_name: z.string(), started_at: timeOut }),
    ),
  }),
})

export const monitorBackfill = route({
  ...writeInBody,
  id: 'monitor_backfill',
  path: '/monitors/backfill',
  tag: 'Monitors',
  summary: 'Score calls of the past by a monitor, the newest first; pause it, let it go on, or cancel it',
  body: component('MonitorBackfillReq', {
    project_id: projectId,
    monitor: shortText.min(1).describe('its name'),
    action: z.enum(['start', 'pause', 'resume', 'cancel']).default('start'),
    since: orNull(z.iso.datetime({ offset: true })).describe('to start: from when on; default: the last day'),
    until: orNull(z.iso.datetime({ offset: true })).describe('to start; default: now'),
  }),
  answer: component('MonitorBackfillRes', { backfill: Backfill }),
})
