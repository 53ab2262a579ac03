/** Declarations of the audit log: who did what. Each caller sees what it administers. */
import { z } from 'zod'
import { AUDIT_CATEGORIES, route } from '../platform/http/route.js'
import { component, orNull, shortText, timeOut } from './shared.js'

const asked = { tag: 'Audit', method: 'POST', access: 'admin', project: 'handler' } as const

/** How it went. `unknown`: it is still running, or its process ended before it said. */
export const AUDIT_OUTCOMES = ['ok', 'failed', 'refused', 'unknown'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

const moment = orNull(z.iso.datetime({ offset: true }))

const filter = {
  scope: z.string().max(300).describe('*, an entity or entity/project; the key administers it'),
  since: moment.describe('of its begin'),
  until: moment.describe('not included'),
  user: orNull(shortText).describe('a user name or id'),
  category: orNull(z.enum(AUDIT_CATEGORIES)),
  action: orNull(shortText).describe("a route's operation id, or a command such as `keys create`"),
}
const AuditFilter = z.object(filter)
export type AuditFilter = z.output<typeof AuditFilter>

const AuditQueryReq = component('AuditQueryReq', {
  ...filter,
  outcome: orNull(z.enum(AUDIT_OUTCOMES)),
  limit: z.int().min(1).max(1000).default(100),
  cursor: orNull(z.string().max(100)).describe('`next_cursor` of the page before'),
})
export type AuditQuery = z.output<typeof AuditQueryReq>

const head = { chain: z.string().max(100), seq: z.int().min(1), hash: z.string().max(100) }

const AuditEntry = component('AuditEntry', {
  id: z.string(),
  began_at: timeOut,
  ended_at: timeOut.nullable(),
  outcome: z.enum(AUDIT_OUTCOMES),
  action: z.string(),
  category: z.string(),
  user_id: z.string(),
  username: z.string().describe('`cli:` and a name of the machine: by a command there'),
  key_id: z.string(),
  remote_address: z.string().describe('of the client, as far as trusted proxies say'),
  forwarded_for: z.string().describe('what was said first of whom proxies serve; callers can make it up'),
  entity: z.string(),
  project: z.string().describe('entity/project; empty: of none, or not known'),
  target: z.record(z.string(), z.unknown()).describe('names of what it was done to'),
  status: z.int().nullable(),
  error_code: z.string().nullable(),
  request_id: z.string(),
  count: z.int().describe('refusals that it stands for'),
  lines: z
    .array(z.object({ ...head, phase: z.string(), at: timeOut }))
    .describe('what it is made of, in the log'),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const auditQuery = route({
  ...asked,
  id: 'audit_query',
  path: '/audit/query',
  summary: 'List who did what, the newest first',
  body: AuditQueryReq,
  answer: component('AuditQueryRes', {
    entries: z.array(AuditEntry),
    next_cursor: z.string().nullable().describe('null: there are no more'),
  }),
})

export const AUDIT_FORMATS = ['jsonl', 'cef'] as const

export const auditExport = route({
  ...asked,
  id: 'audit_export',
  audit: { category: 'export', names: ['body.scope', 'body.since', 'body.until', 'body.format'] },
  path: '/audit/export',
  summary: 'Export the lines of the audit log, the oldest chain first',
  body: component('AuditExportReq', { ...filter, format: z.enum(AUDIT_FORMATS).default('jsonl') }),
  answer: component('AuditLine', {
    ...head,
    at: timeOut,
    began_at: timeOut,
    ...{
      phase: z.string(),
      id: z.string(),
      request_id: z.string(),
      action: z.string(),
      category: z.string(),
    },
    ...{ user_id: z.string(), username: z.string(), key_id: z.string(), remote_address: z.string() },
    ...{ forwarded_for: z.string(), entity: z.string(), project: z.string() },
    target: z.string().describe('JSON'),
    ...{ status: z.int(), error_code: z.string(), prev_hash: z.string() },
  }),
  produces: 'application/jsonl',
  producesToo: ['text/plain'],
})

export const auditVerify = route({
  ...asked,
  id: 'audit_verify',
  path: '/audit/verify',
  summary: 'Check that no line of the audit log was changed or taken out',
  body: component('AuditVerifyReq', {
    heads: z.array(z.object(head)).max(10_000).default([]).describe('that were noted earlier'),
  }),
  answer: component('AuditVerifyRes', {
    lines: z.int(),
    chains: z.int(),
    heads: z.array(z.object(head)).describe('note them elsewhere: by them a cut end is found'),
    problem_count: z.int(),
    problems: z
      .array(
        z.object({
          kind: z.enum(['changed', 'missing', 'cut', 'duplicate']),
          chain: z.string(),
          seq: z.int(),
          message: z.string(),
        }),
      )
      .describe('the first 1000'),
  }),
})
