import { z } from 'zod'
import { route } from '../platform/http/route.js'
import {
  CompletedCallSchemaForInsert,
  displayName,
  EndedCallSchemaForInsert,
  EndedCallSchemaForInsertWithStartedAt,
  StartedCallSchemaForInsert,
} from './call-insert.js'
import { component, projectId, shortText, userIdIn, writeInBody } from './shared.js'

const tag = 'Calls'
const write = { ...writeInBody, tag } as const
/** Decoded by hand; rights are checked for each project in the body. */
const decoded = { method: 'POST', tag, access: 'write', project: 'handler', raw: true } as const
const inPath = { ...decoded, params: z.object({ entity: z.string(), project: z.string() }) } as const

const CallStartReq = component('CallStartReq', { start: StartedCallSchemaForInsert })
const CallEndReq = component('CallEndReq', { end: EndedCallSchemaForInsert })
const started = z.object({ id: z.string(), trace_id: z.string() })
const CallStartRes = started.meta({ id: 'CallStartRes' })
const CallEndRes = component('CallEndRes', {})

export const callStart = route({
  ...decoded,
  id: 'call_start',
  path: '/call/start',
  summary: 'Start a call; its end may arrive before or after',
  body: CallStartReq,
  answer: CallStartRes,
})

export const callEnd = route({
  ...decoded,
  id: 'call_end',
  path: '/call/end',
  summary: 'End a call; it is visible once its start has arrived',
  body: CallEndReq,
  answer: CallEndRes,
})

const CallBatchStartMode = component('CallBatchStartMode', {
  mode: z.literal('start').default('start'),
  req: CallStartReq,
})
const CallBatchEndMode = component('CallBatchEndMode', {
  mode: z.literal('end').default('end'),
  req: CallEndReq,
})

export const callUpsertBatch = route({
  ...decoded,
  id: 'call_start_batch',
  path: '/call/upsert_batch',
  summary: 'Start and end several calls, in any order and for several projects; all or none',
  body: component('CallCreateBatchReq', { batch: z.array(z.union([CallBatchStartMode, CallBatchEndMode])) }),
  answer: component('CallCreateBatchRes', { res: z.array(z.union([CallStartRes, CallEndRes])) }),
})

export const callsComplete = route({
  ...inPath,
  id: 'calls_complete',
  path: '/v2/{entity}/{project}/calls/complete',
  summary: 'Log finished calls, all or none; existing ones are replaced',
  body: component('CallsUpsertCompleteReq', { batch: z.array(CompletedCallSchemaForInsert) }),
  answer: component('CallsUpsertCompleteRes', {}),
})

export const callStartV2 = route({
  ...inPath,
  id: 'call_start_v2',
  path: '/v2/{entity}/{project}/call/start',
  summary: 'Start a call and show it as running',
  body: component('CallStartV2Req', { start: StartedCallSchemaForInsert }),
  answer: started.meta({ id: 'CallStartV2Res' }),
})

export const callEndV2 = route({
  ...inPath,
  id: 'call_end_v2',
  path: '/v2/{entity}/{project}/call/end',
  summary: 'End a call; 404 if its start is missing',
  body: component('CallEndV2Req', { end: EndedCallSchemaForInsertWithStartedAt }),
  answer: component('CallEndV2Res', {}),
})

export const callUpdate = route({
  ...write,
  id: 'call_update',
  path: '/call/update',
  summary: 'Change the display name of a call; "" removes it',
  body: component('CallUpdateReq', {
    project_id: projectId,
    call_id: shortText,
    display_name: displayName,
    platform_user_id: userIdIn,
  }),
  answer: component('CallUpdateRes', {}),
})

export const callsDelete = route({
  ...write,
  id: 'calls_delete',
  audit: { category: 'deletion', names: ['body.call_ids'] },
  path: '/calls/delete',
  summary: 'Delete calls and their descendants',
  body: component('CallsDeleteReq', {
    project_id: projectId,
    call_ids: z.array(shortText),
    platform_user_id: userIdIn,
  }),
  answer: component('CallsDeleteRes', { num_deleted: z.int() }),
})
