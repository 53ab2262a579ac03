/** Declarations of monitors: what they did, what one would match, and scores for calls of the past. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Query } from './query-expr.js'
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

export const BACKFILL_STATES = ['running', 'paused', 'done', 'cancelled'] as const

const Backfill = component('MonitorBackfill', {
  state: z.enum(BACKFILL_STATES),
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
  matched: z.int().describe('calls, since the monitor was made'),
  queued_today: z.int().describe('scores that were given to workers on this day (UTC)'),
  skipped_today: z.int().describe('matches that were not scored; problem says why'),
  cost_today: z.number().describe('of its scores, in the currency of the prices'),
  problem: z.string().nullable().describe('why it scores nothing; null: it does'),
  backfill: Backfill.nullable(),
})

/** What is noticed without a model; `domain/evaluation/scoring/signals.ts` says how. */
export const SIGNALS = [
  'refusal',
  'no_answer',
  'user_frustration',
  'prompt_injection',
  'tool_loop',
  'language_switch',
  'pii',
] as const

const signal = z.enum(SIGNALS)

const SignalsOff = component('SignalsOff', { off: z.array(signal).describe('those that do not run') })

export const signalsQuery = route({
  ...readInBody,
  id: 'signals_query',
  path: '/signals/query',
  tag: 'Monitors',
  summary: 'List the signals that run by themselves in a project, and what they found today',
  body: component('SignalsQueryReq', { project_id: projectId }),
  answer: component('SignalsQueryRes', {
    problem: z.string().nullable().describe('why none runs; null: those that are on do'),
    signals: z.array(
      component('SignalStatus', {
        signal,
        on: z.boolean(),
        found_today: z.int().describe('calls of this day (UTC) on which it was found'),
      }),
    ),
  }),
})

export const signalsUpdate = route({
  ...writeInBody,
  id: 'signals_update',
  audit: { category: 'automation', names: ['body.off'] },
  path: '/signals/update',
  tag: 'Monitors',
  summary: 'Set which signals do not run by themselves in a project',
  body: component('SignalsUpdateReq', { project_id: projectId, off: z.array(signal).max(SIGNALS.length) }),
  answer: SignalsOff,
})

const matched = {
  op_names: orNull(z.array(shortText.min(1)).max(1000)).describe('names or refs; null: all ops'),
  query: orNull(Query),
  sampling_rate: z.number().min(0).max(1).default(1),
}

const scoring = {
  signals: z.array(signal).default([]),
  scorer_refs: z.array(shortText.min(1)).max(50).default([]).describe('of existing scorers'),
}

const MonitorCreateReq = component('MonitorCreateReq', {
  project_id: projectId,
  name: shortText.min(1),
  description: orNull(longText),
  ...matched,
  ...scoring,
  active: z.boolean().default(true),
  quiet_seconds: orNull(z.number().min(0).max(86_400)).describe(
    'score conversations as a whole, once nothing came for so long; null: score each call',
  ),
})
export type MonitorCreate = z.output<typeof MonitorCreateReq>

export const monitorCreate = route({
  ...writeInBody,
  id: 'monitor_create',
  audit: { category: 'automation', names: ['body.name', 'body.active'] },
  path: '/monitors/create',
  tag: 'Monitors',
  summary: 'Make a monitor, or a new version of one, and the scorers of its signals',
  body: MonitorCreateReq,
  answer: component('MonitorCreateRes', { ref: z.string() }),
})

export const monitorActivate = route({
  ...writeInBody,
  id: 'monitor_activate',
  audit: { category: 'automation', names: ['body.monitor', 'body.active'] },
  path: '/monitors/activate',
  tag: 'Monitors',
  summary: 'Let a monitor score calls from now on, or stop it',
  body: component('MonitorActivateReq', {
    project_id: projectId,
    monitor: shortText.min(1).describe('its name'),
    active: z.boolean(),
  }),
  answer: component('MonitorActivateRes', { ref: z.string() }),
})

export const monitorDelete = route({
  ...writeInBody,
  id: 'monitor_delete',
  audit: { category: 'automation', names: ['body.monitor'] },
  path: '/monitors/delete',
  tag: 'Monitors',
  summary: 'Delete a monitor; its scores stay, and a backfill of it ends',
  body: component('MonitorDeleteReq', {
    project_id: projectId,
    monitor: shortText.min(1).describe('its name'),
  }),
  answer: component('MonitorDeleteRes', { name: z.string() }),
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

const MonitorPreviewReq = component('MonitorPreviewReq', {
  project_id: projectId,
  name: shortText.min(1).default('preview').describe('which calls a sample has follows from the name'),
  ...matched,
  ...scoring,
  hours: z.number().min(0.01).max(720).default(168).describe('how far back'),
})
export type MonitorPreview = z.output<typeof MonitorPreviewReq>

/** What one scorer says of a call. */
const TriedScore = component('TriedScore', {
  scorer: z.string(),
  result: z.record(z.string(), z.unknown()).nullable(),
  problem: z.string().nullable().describe('why it has no result'),
})
export type TriedScore = z.output<typeof TriedScore>

export const monitorPreview = route({
  ...readInBody,
  id: 'monitor_preview',
  path: '/monitors/preview',
  tag: 'Monitors',
  summary: 'Show which calls a monitor would match and what it would say of the newest, before it is made',
  body: MonitorPreviewReq,
  answer: component('MonitorPreviewRes', {
    matched: z.int(),
    calls: z
      .array(
        z.object({
          ...{ id: z.string(), trace_id: z.string(), op_name: z.string(), started_at: timeOut },
          scores: z.array(TriedScore),
        }),
      )
      .describe('the newest 20'),
    not_tried: z
      .array(z.string())
      .describe('scorers that ask a model, or a program of yours: a preview costs nothing'),
  }),
})

export const monitorBackfill = route({
  ...writeInBody,
  id: 'monitor_backfill',
  audit: { category: 'automation', names: ['body.monitor', 'body.action', 'body.since', 'body.until'] },
  path: '/monitors/backfill',
  tag: 'Monitors',
  summary: 'Score calls of the past by a monitor, the newest first; pause it, let it go on, or cancel it',
  body: component('MonitorBackfillReq', {
    project_id: projectId,
    monitor: shortText.min(1).describe('its name'),
    action: z
      .enum(['start', 'pause', 'resume', 'cancel'])
      .default('start')
      .describe('start begins anew; no score comes twice'),
    since: orNull(z.iso.datetime({ offset: true })).describe('to start: from when on; default: the last day'),
    until: orNull(z.iso.datetime({ offset: true })).describe('to start; default: now'),
  }),
  answer: component('MonitorBackfillRes', { backfill: Backfill }),
})

const MonitorAgreementReq = component('MonitorAgreementReq', {
  project_id: projectId,
  monitor: shortText.min(1).describe('its name'),
  scorer: orNull(shortText).describe('of its scorers; null: the only one'),
  json_path: z.string().min(1).max(1000).default('output.value').describe('of its judgement in its feedback'),
  threshold: z.number().default(0.5).describe('a number from there on means true'),
  people: component('PeopleJudgement', {
    feedback_type: shortText.min(1).describe('wandb.reaction.1, wandb.annotation.<name>, or a type of yours'),
    json_path: orNull(z.string().min(1).max(1000)).describe('default: detoned of reactions, else value'),
    threshold: z.number().default(0.5),
    invert: z.boolean().default(false).describe('true means false: a thumb up on what is no refusal'),
  }),
  days: z.number().positive().max(365).default(30).describe('how far back, by when it was judged'),
})
export type MonitorAgreementReq = z.output<typeof MonitorAgreementReq>

export const monitorAgreement = route({
  ...readInBody,
  id: 'monitor_agreement',
  path: '/monitors/agreement',
  tag: 'Monitors',
  summary: 'Compare what a monitor and people said of the same calls',
  body: MonitorAgreementReq,
  answer: component('MonitorAgreementRes', {
    scorer: z.string().nullable(),
    scorers: z.array(z.string()).describe('that the monitor gave scores of'),
    count: z.int().describe('calls that both judged'),
    agreed: z.int(),
    kappa: z.number().nullable().describe("Cohen's: 1 is agreement, 0 chance; null: it has no value"),
    confusion: z.array(z.object({ monitor: z.string(), people: z.string(), count: z.int() })),
    disagreements: z
      .array(z.object({ call_id: z.string(), monitor: z.string(), people: z.string() }))
      .describe('the newest thousand'),
  }),
})
