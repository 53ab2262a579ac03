/** Declarations of links to one thing of a project: how they are made, and what they show to people without a key. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, orNull, projectId, readInBody, shortText, timeOut, writeInBody } from './shared.js'

const tag = 'Sharing'

export const SHARE_KINDS = ['trace', 'evaluation_run', 'dashboard'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]

export const DAY_S = 86_400
/** Days that a link is good for by default. */
export const SHARE_DAYS = 7

const Share = component('Share', {
  id: z.string(),
  kind: z.enum(SHARE_KINDS),
  target: z.string().describe('id of the trace or of the run; name and digest of the dashboard'),
  note: z.string(),
  created_by: z.string(),
  created_at: timeOut,
  expires_at: timeOut,
  state: z.enum(['live', 'expired', 'revoked']),
  views: z.int().describe('how often the page was opened'),
  last_view_at: timeOut.nullable(),
})

export const shareCreate = route({
  ...writeInBody,
  id: 'share_create',
  audit: { category: 'access', names: ['body.kind', 'body.target', 'body.seconds'] },
  path: '/shares/create',
  tag,
  summary: 'Make a link by which people without a key see one trace, evaluation run or dashboard',
  body: component('ShareCreateReq', {
    project_id: projectId,
    kind: z.enum(SHARE_KINDS),
    target: shortText
      .min(1)
      .describe('id of the trace; id of the run, which is that of its call; name of the dashboard'),
    seconds: orNull(
      z
        .int()
        .min(1)
        .max(365 * DAY_S),
    ).describe(`how long the link is good for; default: ${SHARE_DAYS} days, or what the server allows`),
    note: z.string().max(500).default('').describe('who the link is for; nobody sees it at the link'),
  }),
  answer: component('ShareCreateRes', {
    id: z.string(),
    token: z.string().describe('shown only now'),
    url: z.string(),
    expires_at: timeOut,
  }),
})

export const sharesQuery = route({
  ...readInBody,
  id: 'shares_query',
  path: '/shares/query',
  tag,
  summary: 'List the links of a project, the newest first',
  body: component('SharesQueryReq', {
    project_id: projectId,
    kind: orNull(z.enum(SHARE_KINDS)),
    target: orNull(shortText).describe('as for making one; of a dashboard all its versions'),
    limit: z.int().min(1).max(1000).default(100),
  }),
  answer: component('SharesQueryRes', {
    shares: z.array(Share),
    days_most: z.int().describe('that a link may be good for; 0: this server makes none'),
  }),
})

export const shareRevoke = route({
  ...writeInBody,
  id: 'share_revoke',
  audit: { category: 'access', names: ['body.share'] },
  path: '/shares/revoke',
  tag,
  summary: 'Revoke a link: within 10 seconds it leads nowhere',
  body: component('ShareRevokeReq', { project_id: projectId, share: shortText.min(1).describe('its id') }),
  answer: component('ShareRevokeRes', { id: z.string() }),
})

const path = '/shared/{token}'
const token = z.string().min(1).max(200).describe('the last part of the link')
const seen = {
  method: 'GET',
  tag,
  access: 'public',
  project: 'none',
  unlimited: 'links have limits of their own',
} as const

export const sharedRead = route({
  ...seen,
  id: 'shared_read',
  path,
  summary: 'Read what a link shows, without a key',
  params: z.object({ token }),
  answer: component('SharedRes', {
    kind: z.enum(SHARE_KINDS),
    title: z.string(),
    target: z.string().describe('id of the trace or the run; name of the dashboard'),
    expires_at: timeOut,
  }),
})

export const sharedCalls = route({
  ...seen,
  id: 'shared_calls',
  path: `${path}/calls`,
  summary: 'List the calls of the trace that a link shows, as JSON lines',
  params: z.object({ token }),
  answer: component('SharedCall', {
    id: z.string(),
    parent_id: z.string().nullable(),
    op_name: z.string(),
    display_name: z.string().nullable(),
    span_name: z.string().nullable().describe('as the exporter sent it'),
    started_at: timeOut,
    ended_at: timeOut.nullable(),
    exception: z.string().nullable(),
  }),
  produces: 'application/jsonl',
})

export const sharedFacts = route({
  ...seen,
  id: 'shared_facts',
  path: `${path}/facts`,
  summary: 'List what the calls of the trace that a link shows are and used, as JSON lines',
  params: z.object({ token }),
  answer: component('SharedFacts', {
    id: z.string(),
    kind: z.string().nullable().describe('agent, model, tool or retrieval; null: the call does not say'),
    summary: z.record(z.string(), z.unknown()).describe('of its `usage`, costs and times, the numbers'),
  }),
  produces: 'application/jsonl',
})

const inCall = z.object({ token, call_id: z.string().min(1).max(200) })

export const sharedCall = route({
  ...seen,
  id: 'shared_call',
  path: `${path}/calls/{call_id}`,
  summary: 'Read a call of the trace that a link shows, with what people said of it',
  params: inCall,
  answer: component('SharedCallRes', {
    call: z
      .record(z.string(), z.unknown())
      .describe('as the lists of calls have it, without what says who made it'),
    feedback: z.array(
      component('SharedFeedback', {
        id: z.string(),
        feedback_type: z.string(),
        payload: z.record(z.string(), z.unknown()),
        creator: z.string().nullable().describe('a name, never an address'),
        created_at: timeOut,
      }),
    ),
    refs: z
      .record(z.string(), z.unknown())
      .describe('the values of parts of objects that inputs and output name, by their refs'),
  }),
})

export const sharedFile = route({
  ...seen,
  id: 'shared_file',
  path: `${path}/calls/{call_id}/file`,
  summary: 'Read a file that a call of the trace names',
  params: inCall,
  query: z.object({ uri: shortText.min(1).describe('as the call has it') }),
  answer: z.unknown().meta({ type: 'string', format: 'binary' }),
  produces: 'application/octet-stream',
})

export const sharedEvaluation = route({
  ...seen,
  id: 'shared_evaluation',
  path: `${path}/evaluation`,
  summary: 'Read the results of the evaluation run that a link shows',
  params: z.object({ token }),
  query: z.object({
    limit: z.coerce.number().int().min(0).max(100).default(100).describe('rows; 0: only the summary'),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  answer: component('SharedEvaluationRes', {
    rows: z.array(z.record(z.string(), z.unknown())).describe('as /eval_results/query has them'),
    total_rows: z.int(),
    summary: z.record(z.string(), z.unknown()).nullable(),
    warnings: z.array(z.string()),
  }),
})

export const sharedDashboard = route({
  ...seen,
  id: 'shared_dashboard',
  path: `${path}/dashboard`,
  summary: 'Read the panels of the dashboard that a link shows, as it was when the link was made',
  params: z.object({ token }),
  answer: component('SharedDashboardRes', {
    name: z.string(),
    range: z.string().describe('the time until now that the panels show'),
    panels: z.array(
      component('SharedPanel', {
        panel: z.record(z.string(), z.unknown()),
        buckets: z.array(z.record(z.string(), z.unknown())),
      }),
    ),
  }),
})
